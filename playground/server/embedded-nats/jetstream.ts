/** JetStream: the streams, and the clock that moves them. */
import { isDeepStrictEqual } from 'node:util';
import type { Broker } from './broker.ts';
import { streamNameInUse, streamNotFound } from './jetstream-error.ts';
import { Stream } from './stream.ts';
import { completeStreamConfig, type StreamSettings } from './stream-config.ts';

/** How often deadlines are looked at. Milliseconds. */
const TICK_MS = 100;

export class JetStream {
  readonly #broker: Broker;
  readonly #streams = new Map<string, Stream>();
  readonly #timer: NodeJS.Timeout;

  constructor(broker: Broker) {
    this.#broker = broker;
    broker.onSubscribe = () => this.#pump();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Creates the stream, or returns the one that exists with the same configuration. */
  addStream(config: StreamSettings): Stream {
    const complete = completeStreamConfig(config);
    const existing = this.#streams.get(complete.name);
    if (existing && !isDeepStrictEqual(existing.config, complete)) throw streamNameInUse();
    const stream = existing ?? new Stream(this.#broker, complete);
    this.#streams.set(complete.name, stream);
    return stream;
  }

  getStream(name: string): Stream {
    const stream = this.#streams.get(name);
    if (stream === undefined) throw streamNotFound();
    return stream;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A client subscribed: it may be the one that a consumer pushes to. */
  #pump(): void {
    for (const { consumers } of this.#streams.values()) {
      for (const consumer of consumers.values()) consumer.pump();
    }
  }

  #tick(): void {
    const now = Date.now();
    for (const stream of this.#streams.values()) stream.tick(now);
  }
}
