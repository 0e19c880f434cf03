/** The body of a response to the events of a wire, one array per network chunk. */

import type { AgentEvent } from '../protocol/events.ts';
import { decodeNativeEvent } from '../protocol/native.ts';
import { endsRun } from '../protocol/native-endings.ts';
import type { Clock } from '../shared/clock.ts';
import type { AgentChatError } from '../shared/errors.ts';
import { createSseReader, type SseMessage } from '../wire/sse.ts';
import type { TransportIO } from './agent-transport.ts';
import { loadErrors } from './load-errors.ts';

const DRAIN_MS = 5_000;
/** Bytes, enough to recognise what a body is. */
const BEGINNING_LENGTH = 256;

/** Most streams send no heartbeats. */
const loadWatch = () => import('./watch-silence.ts');

/** Types that people forget to set, or that servers put in their place, are read and judged by what comes. */
const READABLE_TYPE = /^\s*(?:text\/event-stream|text\/plain|application\/octet-stream)\b/i;

/** What messages that arrived together say. */
export interface Batch<Event> {
  readonly events: readonly Event[];
  /** The run is over; what follows is not read. */
  readonly ended: boolean;
  readonly error?: AgentChatError;
}

export type DecodeMessages<Event> = (messages: readonly SseMessage[], io: TransportIO) => Batch<Event>;

/**
 * Sends a request and yields what each chunk of its response completes. One generator from the request to the events:
 * each one in between costs every chunk several turns of the microtask queue. Returns without a response, at `[DONE]`,
 * after the run's last event, at the end of the body, and when the signal aborts (also where the request ignored it). A
 * response that died without a word ends as well, see `watch-silence.ts`.
 *
 * @param drainMs how long the body may go on after the run's last event before it is closed; 0 closes it at once
 *
 * @throws AgentChatError `invalid_response` when the body is no event stream, `invalid_event` for a malformed
 * `client-tool-request`. A body that breaks off throws whatever its reader does.
 */
export async function* readEventStream<Event>(
  request: () => Promise<Response | undefined>,
  io: TransportIO,
  clock: Clock,
  decode: DecodeMessages<Event>,
  drainMs = DRAIN_MS,
): AsyncGenerator<readonly Event[], void, undefined> {
  const response = await request();
  if (response === undefined) return;
  const { body } = response;
  const contentType = response.headers?.get('content-type');
  if (!body || response.bodyUsed || body.locked || (contentType && !READABLE_TYPE.test(contentType)))
    throw await (await loadErrors()).toForeignError(response, io.signal);
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  io.signal.addEventListener('abort', cancel, { once: true });
  let ended = false;
  let watch: Promise<() => void> | undefined;
  let heardAt = clock.now();
  try {
    const sse = createSseReader({
      onHeartbeat() {
        const before = heardAt;
        watch ??= loadWatch()
          .then(({ watchSilence }) => watchSilence(clock, before, () => heardAt, cancel))
          .catch(() => () => {});
      },
    });
    /** Of a body that said nothing so far. Kept as it is: only one that ends without a message is ever read as text. */
    let beginning: number[] | undefined = [];
    while (!ended && !io.signal.aborted) {
      const { done, value } = await reader.read();
      if (io.signal.aborted) return;
      if (done) {
        ended = true;
        if (beginning?.length) (await loadErrors()).refuseForeign(contentType, beginning);
        return;
      }
      const messages = sse.feed(value);
      heardAt = clock.now();
      if (messages.length > 0) beginning = undefined;
      else if (beginning && beginning.length < BEGINNING_LENGTH)
        beginning.push(...value.subarray(0, BEGINNING_LENGTH));
      const batch = decode(messages, io);
      ended = batch.ended;
      if (batch.events.length > 0) yield batch.events;
      if (batch.error) throw batch.error;
    }
  } finally {
    void watch?.then((stop) => stop());
    const callOff = ended && drainMs > 0 ? clock.after(drainMs, cancel) : cancel();
    void drain(reader).finally(() => {
      callOff?.();
      io.signal.removeEventListener('abort', cancel);
    });
  }
}

/** Messages of the native wire. */
export function decodeNativeMessages(messages: readonly SseMessage[], io: TransportIO): Batch<AgentEvent> {
  const events: AgentEvent[] = [];
  for (const { data, id } of messages) {
    if (data === '[DONE]') return { events, ended: true };
    const { event, unknown, invalid } = decodeNativeEvent(parse(data));
    if (invalid) return { events, ended: true, error: invalid };
    if (event === undefined) {
      io.onUnknownEvent(unknown);
      continue;
    }
    // An empty id resets the position: there is none to come back to.
    if (id) event.cursor = id;
    events.push(event);
    if (endsRun(event)) return { events, ended: true };
  }
  return { events, ended: false };
}

/** A line that is no JSON comes back as text, which no event is. */
function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
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
