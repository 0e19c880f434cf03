import { type Clock, systemClock } from '../../shared/clock.ts';
import { reportFailure } from '../report-failure.ts';
import { brokenEvents } from '../session-errors.ts';
import { cancelEvents } from '../store/event-source.ts';

/** An event of a stream: an `AgentEvent`, or one of another route such as the inbox. */
export interface StreamedEvent {
  readonly type: string;
  readonly cursor?: string | undefined;
}

/** Options of {@link toSSEStream}. */
export interface SSEStreamOptions {
  /**
   * After this long without an event the stream sends a comment, so that proxies keep the response open. Milliseconds; default
   * 15,000. 0: never.
   */
  readonly heartbeatMs?: number;
  /** Called with the error that the events threw, for your logs. The client gets an `error` event. */
  readonly onError?: (thrown: unknown) => unknown;
  readonly clock?: Clock;
}

const DEFAULT_HEARTBEAT_MS = 15_000;

/**
 * Events as the body of a `text/event-stream` response (Octavus protocol 2.0, section 4): one `data:` line of JSON
 * per event, an `id:` line before it if the event has a cursor, `[DONE]` at an end without a failure.
 *
 * Pull-based: the stream asks for an event when the response is ready for it. Cancelling the stream calls `return()` on
 * the events, which ends the run of an `AgentSession` at once, or lets it wait for a `resume`.
 * Events that throw become one `error` event (`internal_error`) and no `[DONE]`.
 */
export function toSSEStream(
  events: AsyncIterable<StreamedEvent>,
  { heartbeatMs = DEFAULT_HEARTBEAT_MS, onError, clock = systemClock }: SSEStreamOptions = {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = events[Symbol.asyncIterator]();
  let cancelled = false;
  let stopHeartbeat = () => {};

  function scheduleHeartbeat(controller: ReadableStreamDefaultController<Uint8Array>): void {
    stopHeartbeat = clock.after(heartbeatMs, () => {
      // Below zero the reader has not taken the last heartbeat yet.
      if ((controller.desiredSize ?? -1) >= 0) controller.enqueue(encoder.encode(': heartbeat\n\n'));
      scheduleHeartbeat(controller);
    });
  }
  async function nextFrame(): Promise<{ text: string; last: boolean }> {
    try {
      const { done, value } = await iterator.next();
      return done ? { text: 'data: [DONE]\n\n', last: true } : { text: encodeEvent(value), last: false };
    } catch (thrown) {
      cancelEvents(iterator);
      reportFailure(onError, thrown);
      return { text: encodeEvent(brokenEvents(thrown)), last: true };
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (heartbeatMs > 0) scheduleHeartbeat(controller);
        const { text, last } = await nextFrame();
        stopHeartbeat();
        if (cancelled) return;
        controller.enqueue(encoder.encode(text));
        if (last) controller.close();
      },
      async cancel() {
        cancelled = true;
        stopHeartbeat();
        await iterator.return?.();
      },
    },
    // No read-ahead: the agent produces an event only when the client takes it.
    { highWaterMark: 0 },
  );
}

/** Headers and status for {@link toSSEResponse}, in addition to those of the stream. */
export interface SSEResponseInit extends SSEStreamOptions {
  readonly status?: number;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
}

/** {@link toSSEStream} as a `Response`, with headers that keep proxies from caching, compressing or buffering it. */
export function toSSEResponse(events: AsyncIterable<StreamedEvent>, init: SSEResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set('content-type', 'text/event-stream; charset=utf-8');
  headers.set('cache-control', 'no-cache, no-transform');
  headers.set('x-accel-buffering', 'no');
  return new Response(toSSEStream(events, init), { status: init.status ?? 200, headers });
}

function encodeEvent(event: StreamedEvent): string {
  const { cursor } = event;
  // JSON leaves undefined out. Copying the event without the key would take longer than the rest of this function.
  const data = `data: ${JSON.stringify(cursor === undefined ? event : { ...event, cursor: undefined })}\n\n`;
  // A line break would end the field, and a reader ignores an id with a NUL in it (WHATWG HTML, 9.2.6).
  return cursor === undefined || /[\0\r\n]/.test(cursor) ? data : `id: ${cursor}\n${data}`;
}
