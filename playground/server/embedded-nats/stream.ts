/** A stream stores what is published on its subjects, and its consumers deliver that. */
import { isDeepStrictEqual } from 'node:util';
import type { Broker } from './broker.ts';
import { Consumer } from './consumer.ts';
import { type ConsumerSettings, completeConsumerConfig } from './consumer-config.ts';
import { consumerNameInUse, consumerNotFound, JetStreamError, wrongLastSequence } from './jetstream-error.ts';
import { MessageLog, toIsoTime } from './message-log.ts';
import { toMilliseconds } from './nanoseconds.ts';
import {
  addHeaders,
  createJsonMessage,
  createStatusMessage,
  type NatsMessage,
  readHeader,
} from './nats-message.ts';
import type { StreamConfig } from './stream-config.ts';

export class Stream {
  readonly config: StreamConfig;
  readonly log = new MessageLog();
  readonly consumers = new Map<string, Consumer>();
  readonly #broker: Broker;
  readonly #created = Date.now();
  /** The messages of the duplicate window, by their `Nats-Msg-Id`. */
  readonly #messageIds = new Map<string, { readonly sequence: number; readonly time: number }>();

  constructor(broker: Broker, config: StreamConfig) {
    this.#broker = broker;
    this.config = config;
    for (const filter of config.subjects)
      broker.add({ filter, deliver: (message) => this.#receive(message) });
    const prefix = `$JS.API.DIRECT.GET.${config.name}.`;
    broker.add({ filter: `${prefix}>`, deliver: (request) => this.#answerDirectGet(prefix, request) });
  }

  /** Creates the consumer, or returns the one that exists with the same configuration. */
  addConsumer(config: ConsumerSettings): Consumer {
    const complete = completeConsumerConfig(config);
    const existing = this.consumers.get(complete.name);
    if (existing && !isDeepStrictEqual(existing.config, complete)) throw consumerNameInUse();
    const consumer = existing ?? new Consumer(this.#broker, this.config.name, this.log, complete);
    this.consumers.set(complete.name, consumer);
    return consumer;
  }

  getConsumer(name: string): Consumer {
    const consumer = this.consumers.get(name);
    if (consumer === undefined) throw consumerNotFound();
    return consumer;
  }

  deleteConsumer(name: string): void {
    this.getConsumer(name).close();
    this.consumers.delete(name);
  }

  /** Ends what has run out of time. */
  tick(now: number): void {
    const { max_age, duplicate_window } = this.config;
    if (max_age > 0) this.log.removeBefore(now - toMilliseconds(max_age));
    for (const [id, { time }] of this.#messageIds) {
      if (time < now - toMilliseconds(duplicate_window)) this.#messageIds.delete(id);
    }
    for (const consumer of this.consumers.values()) {
      consumer.tick(now);
      if (consumer.isAbandoned(now)) this.deleteConsumer(consumer.config.name);
    }
  }

  /** The API tells this about the stream, by its names on the wire. */
  get info() {
    return {
      config: this.config,
      created: toIsoTime(this.#created),
      state: { ...this.log.state, consumer_count: this.consumers.size },
    };
  }

  /** Stores a published message and confirms it, or says why not. */
  #receive(message: NatsMessage): void {
    const { reply } = message;
    const confirm = (answer: object) => {
      if (reply !== undefined)
        this.#broker.publish(createJsonMessage(reply, { stream: this.config.name, ...answer }));
    };
    try {
      confirm(this.#store(message));
    } catch (thrown) {
      if (!(thrown instanceof JetStreamError)) throw thrown;
      confirm({ error: thrown.toWire(), seq: 0 });
    }
    for (const consumer of this.consumers.values()) consumer.pump();
  }

  #store(message: NatsMessage): { readonly seq: number; readonly duplicate?: boolean } {
    const { subject } = message;
    const id = readHeader(message, 'Nats-Msg-Id');
    const earlier = id === undefined ? undefined : this.#messageIds.get(id);
    if (earlier) return { seq: earlier.sequence, duplicate: true };
    const expected = readHeader(message, 'Nats-Expected-Last-Subject-Sequence');
    const last = this.log.findLast(subject)?.sequence ?? 0;
    if (expected !== undefined && Number(expected) !== last) throw wrongLastSequence(last);
    const { sequence, time } = this.log.append(message);
    if (id !== undefined) this.#messageIds.set(id, { sequence, time });
    const isRollup = readHeader(message, 'Nats-Rollup') === 'sub';
    const limit = isRollup ? 1 : this.config.max_msgs_per_subject;
    if (limit > 0) this.log.trimSubject(subject, limit);
    return { seq: sequence };
  }

  /** Answers with the message itself: the newest of a subject, which the address names. */
  #answerDirectGet(prefix: string, { subject: address, reply }: NatsMessage): void {
    if (reply === undefined) return;
    const stored = this.log.findLast(address.slice(prefix.length));
    if (stored === undefined) {
      this.#broker.publish(createStatusMessage(reply, '404 Message Not Found'));
      return;
    }
    const headers = addHeaders(stored.headers, {
      'Nats-Stream': this.config.name,
      'Nats-Subject': stored.subject,
      'Nats-Sequence': stored.sequence,
      'Nats-Time-Stamp': toIsoTime(stored.time),
    });
    this.#broker.publish({ subject: reply, headers, data: stored.data });
  }
}
