/** Reads the body of a response as the events of a wire, one array per network chunk. */

import type { Clock } from '../../shared/clock.ts';
import { AgentChatError, invalidResponse } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import { watchPageCache } from '../../shared/watch-page-cache.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { decodeNativeEvent } from '../protocol/native.ts';
import { endsRun } from '../protocol/native-endings.ts';
import { createSseReader, type SseMessage } from '../wire/sse.ts';
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

export type DecodeMessages<Event, IO = TransportIO> = (
  messages: readonly SseMessage[],
  io: IO,
) => Batch<Event>;

/**
 * Sends a request with the first `next()` and yields the events that each chunk of its response completes. The stream ends
 *
 * - if there is no response,
 * - at `[DONE]` or the run's last event,
 * - at the end of the body, or when the connection died silently (`watch-silence.ts`),
 * - when the browser keeps the page for the back button, if the messages have ids: whoever comes back can read on from the last one,
 * - when the signal aborts, even if the request ignored it.
 *
 * An iterator with `next`, not an async generator: in a generator each chunk takes several more turns of the microtask queue, and V8
 * takes longer to compile it than to read a long answer.
 *
 * @throws AgentChatError `invalid_response` when the body is no event stream, `invalid_event` for a malformed
 * `client-tool-request`. For a body that breaks off, the error of its reader.
 */
export function readEventStream<Event, IO extends Pick<TransportIO, 'signal' | 'reconnecting'> = TransportIO>(
  request: () => Promise<Response | undefined>,
  io: IO,
  clock: Clock,
  decode: DecodeMessages<Event, IO>,
): AsyncIterableIterator<readonly Event[], undefined> {
  const { signal } = io;
  let isSent = false;
  let isClosed = false;
  let body: Body | undefined;
  let batch: Batch<Event> = { events: [] };

  const open = async () => {
    isSent = true;
    const response = await request();
    if (!response) return;
    body = await openBody(response, signal, clock);
    io.reconnecting?.(false);
  };
  const close = (): IteratorReturnResult<undefined> => {
    isClosed = true;
    body?.close(batch.ended);
    return { done: true, value: undefined };
  };

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        if (!isSent && !isClosed) await open();
        while (body && !isClosed && !batch.ended && !signal.aborted) {
          const { done, value } = await body.reader.read();
          if (signal.aborted) break;
          if (done) {
            batch = { events: [], ended: true };
            body.end();
            break;
          }
          batch = decode(body.feed(value), io);
          if (batch.events.length > 0) return { done: false, value: batch.events };
        }
        if (batch.error) throw batch.error;
        return close();
      } catch (thrown) {
        close();
        throw thrown;
      }
    },
    async return() {
      return close();
    },
  };
}

type Body = Awaited<ReturnType<typeof openBody>>;

/** @throws AgentChatError `invalid_response` if the response has no readable body, or another type than an event stream. */
async function openBody(response: Response, signal: AbortSignal, clock: Clock) {
  if (!response.body) throw invalidResponse('Response body is empty');
  if (response.bodyUsed || response.body.locked) throw invalidResponse('Response body is not readable');
  const contentType = response.headers?.get('content-type');
  if (contentType && !READABLE_TYPE.test(contentType)) throw await toForeignError(response, signal);
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  const silence = watchSilence(clock, cancel);
  const sse = createSseReader({ onHeartbeat: silence.onHeartbeat });
  /** The first bytes of a body that has brought no message yet. Decoded only if the body ends like this. */
  let beginning: number[] | undefined = [];
  let hasPosition = false;
  const unwatch = watchPageCache(() => hasPosition && cancel());

  return {
    reader,
    feed(bytes: Uint8Array): readonly SseMessage[] {
      silence.reset();
      const messages = sse.feed(bytes);
      hasPosition ||= messages.some(({ id }) => id);
      if (messages.length > 0) beginning = undefined;
      else if (beginning && beginning.length < BEGINNING_LENGTH)
        beginning.push(...bytes.subarray(0, BEGINNING_LENGTH));
      return messages;
    },
    /** @throws AgentChatError `invalid_response` if the body ended without a message and is no event stream. */
    end() {
      if (beginning) refuseForeign(contentType, beginning);
    },
    /**
     * Closes the body. After the run's last event the body gets some time to end by itself: to close it at once would cancel the
     * server's stream while the server may still save the conversation.
     */
    close(hasEnded: boolean | undefined) {
      silence.stop();
      unwatch();
      const cancelTimer = hasEnded ? clock.after(DRAIN_MS, cancel) : cancel();
      void drain(reader).finally(() => {
        cancelTimer?.();
        signal.removeEventListener('abort', cancel);
      });
    },
  };
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
