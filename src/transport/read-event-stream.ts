/** The body of a response to the events of a wire, one array per network chunk. */

import type { AgentEvent } from '../protocol/events.ts';
import { decodeNativeEvent } from '../protocol/native.ts';
import { endsRun } from '../protocol/native-endings.ts';
import type { Clock } from '../shared/clock.ts';
import { AgentChatError } from '../shared/errors.ts';
import { parseJson } from '../shared/json.ts';
import { createSseReader, type SseMessage } from '../wire/sse.ts';
import type { TransportIO } from './agent-transport.ts';
import { refuseForeign, toForeignError } from './http-error.ts';
import { watchSilence } from './watch-silence.ts';

/** How long a body may go on after the run's last event before it is closed. */
const DRAIN_MS = 5_000;
/** The number of bytes by which the content of a body is recognised. */
const BEGINNING_LENGTH = 256;

/** Content types whose body is read, also types that servers set by default. The content then shows if it is an event stream. */
const READABLE_TYPE = /^\s*(text\/event-stream|text\/plain|application\/octet-stream)\b/i;

/** The events of messages that arrived together. */
export interface Batch<Event> {
  readonly events: readonly Event[];
  /** The run is over; later events are not read. */
  readonly ended?: true;
  readonly error?: AgentChatError;
}

export type DecodeMessages<Event> = (messages: readonly SseMessage[], io: TransportIO) => Batch<Event>;

/**
 * Sends a request and gives what each chunk of its response completes. Ends without a response, at `[DONE]`, after the
 * run's last event, at the end of the body, and when the signal aborts (also where the request ignored it). A response
 * that died without a word ends as well, see `watch-silence.ts`.
 *
 * An async generator would say the same in fewer words. But every chunk takes several turns of the microtask queue more in
 * one, and V8 spends more time on compiling it than a long answer takes to read.
 *
 * @throws AgentChatError `invalid_response` when the body is no event stream, `invalid_event` for a malformed
 * `client-tool-request`. A body that breaks off throws whatever its reader does.
 */
export function readEventStream<Event>(
  request: () => Promise<Response | undefined>,
  io: TransportIO,
  clock: Clock,
  decode: DecodeMessages<Event>,
): AsyncIterableIterator<readonly Event[], undefined> {
  const { signal } = io;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Undefined before the request is sent. */
  let isOpen: boolean | undefined;
  let batch: Batch<Event> = { events: [] };
  let stopWatching: (() => void) | undefined;
  let heardAt: number;
  /** The time of the chunk before the latest one, from which follows the interval of heartbeats. */
  let heardBefore: number;
  let contentType: string | null | undefined;
  /** The start of a body without a message so far, as bytes: only a body that ends without a message is read as text. */
  let beginning: number[] | undefined = [];
  const cancel = () => void reader?.cancel().catch(() => {});
  const sse = createSseReader({
    onHeartbeat() {
      stopWatching ??= watchSilence(clock, heardBefore, () => heardAt, cancel);
    },
  });

  const open = async () => {
    isOpen = true;
    const response = await request();
    if (response === undefined) return;
    const { body } = response;
    contentType = response.headers?.get('content-type');
    if (!body || response.bodyUsed || body.locked || (contentType && !READABLE_TYPE.test(contentType)))
      throw await toForeignError(response, signal);
    reader = body.getReader();
    signal.addEventListener('abort', cancel);
    heardAt = clock.now();
  };

  const close = (): IteratorReturnResult<undefined> => {
    if (reader) {
      stopWatching?.();
      const callOff = batch.ended ? clock.after(DRAIN_MS, cancel) : cancel();
      void drain(reader).finally(() => {
        callOff?.();
        signal.removeEventListener('abort', cancel);
      });
    }
    isOpen = false;
    return { done: true, value: undefined };
  };

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        if (isOpen === undefined) await open();
        while (reader && isOpen && !batch.ended && !signal.aborted) {
          const { done, value } = await reader.read();
          if (signal.aborted) break;
          if (done) {
            batch = { events: [], ended: true };
            if (beginning?.length) refuseForeign(contentType, beginning);
            break;
          }
          heardBefore = heardAt;
          heardAt = clock.now();
          const messages = sse.feed(value);
          if (messages.length > 0) beginning = undefined;
          else if (beginning && beginning.length < BEGINNING_LENGTH)
            beginning.push(...value.subarray(0, BEGINNING_LENGTH));
          batch = decode(messages, io);
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

/** Messages of the native wire. */
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
    // An empty id resets the position: there is none to come back to.
    if (id) event.cursor = id;
    events.push(event);
    if (endsRun(event)) return { events, ended: true };
  }
  return { events };
}

/**
 * Reads a body to its end without looking: closing it at the last event would cancel the server's stream while it
 * may still be saving the conversation.
 */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // It broke off, after all that mattered.
  }
}
