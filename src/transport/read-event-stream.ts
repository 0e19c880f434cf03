/** Reads the body of a response as the events of a wire, one array per network chunk. */
import type { AgentEvent } from '../protocol/events.ts';
import { decodeNativeEvent } from '../protocol/native.ts';
import { endsRun } from '../protocol/native-endings.ts';
import type { Clock } from '../shared/clock.ts';
import { AgentChatError } from '../shared/errors.ts';
import { parseJson } from '../shared/json.ts';
import { createSseReader, type SseMessage, type SseReader } from '../wire/sse.ts';
import type { TransportIO } from './agent-transport.ts';
import { refuseForeign, toForeignError } from './http-error.ts';
import { watchSilence } from './watch-silence.ts';

/** Milliseconds that a body may go on after the run's last event. */
const DRAIN_MS = 5_000;
/** Bytes by which a body that is no event stream is recognised. */
const BEGINNING_LENGTH = 256;

/** Servers often declare an event stream as plain text or bytes. Then the body decides. */
const READABLE_TYPE = /^\s*(text\/event-stream|text\/plain|application\/octet-stream)\b/i;

/** The events of messages that arrived together. */
export interface Batch<Event> {
  readonly events: readonly Event[];
  /** The run is over: the reader ignores the rest of the body. */
  readonly ended?: true;
  /** Thrown after the events. */
  readonly error?: AgentChatError;
}

export type DecodeMessages<Event> = (messages: readonly SseMessage[], io: TransportIO) => Batch<Event>;

/**
 * Sends a request with the first `next()` and yields the events that each chunk of its response completes. The stream ends
 *
 * - if there is no response,
 * - at `[DONE]` or the run's last event,
 * - at the end of the body, or when the connection died silently (`watch-silence.ts`),
 * - when the signal aborts, even if the request ignored it.
 *
 * @throws AgentChatError `invalid_response` when the body is no event stream, `invalid_event` for a malformed
 * `client-tool-request`. For a body that breaks off, the error of its reader.
 */
export function readEventStream<Event>(
  request: () => Promise<Response | undefined>,
  io: TransportIO,
  clock: Clock,
  decode: DecodeMessages<Event>,
): AsyncIterableIterator<readonly Event[], undefined> {
  return new EventStream(request, io, clock, decode);
}

/**
 * A class with `next`, not an async generator: in a generator each chunk takes several more turns of the microtask queue, and V8
 * takes longer to compile it than to read a long answer.
 */
class EventStream<Event> implements AsyncIterableIterator<readonly Event[], undefined> {
  readonly #request: () => Promise<Response | undefined>;
  readonly #io: TransportIO;
  readonly #clock: Clock;
  readonly #decode: DecodeMessages<Event>;
  readonly #sse: SseReader;
  #status: 'unsent' | 'open' | 'closed' = 'unsent';
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #batch: Batch<Event> = { events: [] };
  #contentType: string | null | undefined;
  /** The first bytes of a body that has brought no message yet. Decoded only if the body ends like this. */
  #beginning: number[] | undefined = [];
  #lastByteAt = 0;
  #previousByteAt = 0;
  #stopWatching: (() => void) | undefined;
  readonly #cancel = () => void this.#reader?.cancel().catch(() => {});

  constructor(
    request: () => Promise<Response | undefined>,
    io: TransportIO,
    clock: Clock,
    decode: DecodeMessages<Event>,
  ) {
    this.#request = request;
    this.#io = io;
    this.#clock = clock;
    this.#decode = decode;
    this.#sse = createSseReader({ onHeartbeat: () => this.#watch() });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly Event[], undefined>> {
    const { signal } = this.#io;
    try {
      if (this.#status === 'unsent') await this.#open();
      while (this.#reader && this.#status === 'open' && !this.#batch.ended && !signal.aborted) {
        const { done, value } = await this.#reader.read();
        if (signal.aborted) break;
        if (done) {
          this.#batch = { events: [], ended: true };
          if (this.#beginning?.length) refuseForeign(this.#contentType, this.#beginning);
          break;
        }
        this.#batch = this.#decodeChunk(value);
        if (this.#batch.events.length > 0) return { done: false, value: this.#batch.events };
      }
      if (this.#batch.error) throw this.#batch.error;
      return this.#close();
    } catch (thrown) {
      this.#close();
      throw thrown;
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    return this.#close();
  }

  async #open(): Promise<void> {
    this.#status = 'open';
    const response = await this.#request();
    if (response === undefined) return;
    const { body } = response;
    const contentType = response.headers?.get('content-type');
    if (!body || response.bodyUsed || body.locked || (contentType && !READABLE_TYPE.test(contentType)))
      throw await toForeignError(response, this.#io.signal);
    this.#contentType = contentType;
    this.#reader = body.getReader();
    this.#io.signal.addEventListener('abort', this.#cancel);
    this.#lastByteAt = this.#clock.now();
  }

  #decodeChunk(bytes: Uint8Array): Batch<Event> {
    this.#previousByteAt = this.#lastByteAt;
    this.#lastByteAt = this.#clock.now();
    const messages = this.#sse.feed(bytes);
    if (messages.length > 0) this.#beginning = undefined;
    else if (this.#beginning && this.#beginning.length < BEGINNING_LENGTH)
      this.#beginning.push(...bytes.subarray(0, BEGINNING_LENGTH));
    return this.#decode(messages, this.#io);
  }

  #watch(): void {
    this.#stopWatching ??= watchSilence({
      clock: this.#clock,
      intervalMs: this.#lastByteAt - this.#previousByteAt,
      lastByteAt: () => this.#lastByteAt,
      onSilent: this.#cancel,
    });
  }

  /**
   * Closes the body. After the run's last event the body is read to its end first, because to close it would cancel the server's
   * stream while the server may still save the conversation.
   */
  #close(): IteratorReturnResult<undefined> {
    this.#status = 'closed';
    const reader = this.#reader;
    if (reader) {
      this.#stopWatching?.();
      const cancelTimer = this.#batch.ended ? this.#clock.after(DRAIN_MS, this.#cancel) : this.#cancel();
      void drain(reader).finally(() => {
        cancelTimer?.();
        this.#io.signal.removeEventListener('abort', this.#cancel);
      });
    }
    return { done: true, value: undefined };
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The body broke off after the run's last event.
  }
}

/** Decodes messages of the native wire. */
export function decodeNativeMessages(messages: readonly SseMessage[], io: TransportIO): Batch<AgentEvent> {
  const events: AgentEvent[] = [];
  for (const { data, id } of messages) {
    if (data === '[DONE]') return { events, ended: true };
    // Text that is no JSON goes to `onUnknownEvent` as it is.
    const frame = parseJson(data, data);
    const event = decodeNativeEvent(frame);
    if (event instanceof AgentChatError) return { events, ended: true, error: event };
    if (event === undefined) {
      io.onUnknownEvent(frame);
      continue;
    }
    // An empty id resets the position (WHATWG, "last event ID buffer"): there is no cursor to resume from.
    if (id) event.cursor = id;
    events.push(event);
    if (endsRun(event)) return { events, ended: true };
  }
  return { events };
}
