/** Reads a response in the protocol of others as events of the engine, and what there is to say while the backend is silent. */
import type { Clock } from '../../shared/clock.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
import type { AgentEvent } from '../protocol/events.ts';

/** A response, and what its chunks mean. */
export interface ForeignResponse<Chunk> {
  readonly chunks: AsyncIterator<readonly Chunk[], unknown>;
  /** Returns the events of chunks that arrived together. */
  read(chunks: readonly Chunk[]): readonly AgentEvent[];
  /** Milliseconds of silence after which `readSilence` is called; undefined if silence says nothing. Asked before each chunk. */
  silenceMs(): number | undefined;
  readSilence(): readonly AgentEvent[];
  /**
   * Returns the events behind the last chunk, and the error that the stream throws after them. Not called after an abort.
   *
   * @param failure the error that broke the response off; undefined if it just ended
   */
  end(failure: unknown): { readonly events: readonly AgentEvent[]; readonly error?: unknown };
  /** Called once when the stream ends, or its reader leaves. */
  close(): void;
}

type Arrived<Chunk> = IteratorResult<readonly Chunk[], unknown>;

/** The outcome of a request. */
export interface Opened<Chunk> {
  /** The events before those of the response. */
  readonly before?: readonly AgentEvent[];
  readonly response?: ForeignResponse<Chunk>;
}

export interface TranslatedStreamOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Sends a request with the first `next()`, and yields the events that each chunk of its response completes. Like `readEventStream`, not an
 * async generator, because that costs every chunk several turns of the microtask queue.
 */
export class TranslatedStream<Chunk> implements AsyncIterableIterator<readonly AgentEvent[], undefined> {
  readonly #open: () => Promise<Opened<Chunk> | undefined>;
  readonly #options: TranslatedStreamOptions;
  #response: ForeignResponse<Chunk> | undefined;
  #arriving: Promise<Arrived<Chunk>> | undefined;
  #error: unknown;
  #isOpened = false;
  #isOver = false;
  #isClosed = false;

  /** @param open sends the request. Resolves to undefined if nothing came of it */
  constructor(open: () => Promise<Opened<Chunk> | undefined>, options: TranslatedStreamOptions) {
    this.#open = open;
    this.#options = options;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async next(): Promise<IteratorResult<readonly AgentEvent[], undefined>> {
    try {
      let events = this.#isOpened || this.#isOver ? [] : await this.#begin();
      const response = this.#response;
      while (response && events.length === 0 && !this.#isOver && !this.#options.signal.aborted) {
        try {
          events = this.#translate(response, await this.#arrive(response));
        } catch (failure) {
          events = this.#end(response, failure);
        }
      }
      if (events.length > 0) return { done: false, value: events };
      if (this.#error !== undefined) throw this.#error;
    } catch (thrown) {
      await this.return();
      throw thrown;
    }
    return this.return();
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isOver = true;
    if (!this.#isClosed) this.#response?.close();
    this.#isClosed = true;
    // A read that is under way ends by the signal.
    if (this.#arriving === undefined) await this.#response?.chunks.return?.();
    return { done: true, value: undefined };
  }

  async #begin(): Promise<readonly AgentEvent[]> {
    this.#isOpened = true;
    const { before = [], response } = (await this.#open()) ?? {};
    this.#response = response;
    return before;
  }

  /** Resolves to the next chunks; to undefined after a silence. */
  #arrive(response: ForeignResponse<Chunk>): Promise<Arrived<Chunk> | undefined> {
    this.#arriving ??= response.chunks.next();
    const limitMs = response.silenceMs();
    if (limitMs === undefined) return this.#arriving;
    const { clock } = this.#options;
    return withTimeout(this.#arriving, { clock, limitMs, onTimeout: () => undefined });
  }

  #translate(response: ForeignResponse<Chunk>, arrived: Arrived<Chunk> | undefined): readonly AgentEvent[] {
    if (arrived === undefined) return response.readSilence();
    this.#arriving = undefined;
    return arrived.done ? this.#end(response) : response.read(arrived.value);
  }

  #end(response: ForeignResponse<Chunk>, failure?: unknown): readonly AgentEvent[] {
    this.#arriving = undefined;
    this.#isOver = true;
    if (this.#options.signal.aborted) return [];
    const { events, error } = response.end(failure);
    this.#error = error;
    return events;
  }
}
