/**
 * A session behind a socket (Octavus protocol 2.0, section 4): one JSON text frame per payload and per event.
 *
 * Compatible additions of this server: `seq` (the cursor) and `executionId` on every event of a run, the `requestId` of
 * the request a `start` answers (empty where it had none), and `{ "type": "heartbeat" }` frames while nothing else is
 * sent. A frame that answers a request which was refused has no `seq`.
 */
import type { AgentEvent, ErrorEvent } from '../../protocol/events.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { isRecord } from '../../shared/json.ts';
import { reportFailure } from '../report-failure.ts';
import type { AgentSession } from '../sessions/create-agent-session.ts';
import { brokenEvents, refusal, type SessionErrorCode } from '../sessions/session-errors.ts';
import { listenToSocket, readFrameText, type ServerSocket } from './listen-to-socket.ts';

/** Options of {@link serveSocket}. */
export interface ServeSocketOptions {
  /** A heartbeat frame is sent when nothing else was for this long. Milliseconds; default 25,000. 0: never. */
  readonly heartbeatMs?: number;
  /**
   * How long a run waits for a `resume` after the socket closed. Milliseconds. Default: what the session says, or 60,000 where
   * it says nothing or 0.
   */
  readonly resumeWindowMs?: number;
  /** Longest frame taken from the client, in UTF-16 code units; longer ones are refused. Default 4 Mi. */
  readonly maxFrameLength?: number;
  /** Bytes the socket may hold unsent before the run waits. Default 64 Ki: a thousand stalled clients hold 64 MB of it. */
  readonly maxBufferedBytes?: number;
  /** Hears what the session's events threw, for your logs: the client gets an `error` event. */
  readonly onError?: (thrown: unknown) => unknown;
  readonly clock?: Clock;
}

/** A socket that is being served. */
export interface SocketHandle {
  /** Stops listening and lets go of the run, as if the socket had closed. Does not close the socket. */
  dispose(): void;
}

const OPEN = 1;
const DEFAULT_RESUME_WINDOW_MS = 60_000;
/** Sockets do not tell when they have drained. */
const DRAIN_POLL_MS = 20;

/** A stream of events on its way to the socket. */
interface Pump {
  executionId: string | undefined;
  readonly requestId: string;
  readonly events: AsyncGenerator<AgentEvent, void, undefined>;
  /** Settles when its last frame was sent. */
  done: Promise<unknown>;
}

/**
 * Serves a session over any `ws`-like socket until it closes; then the run is left for a `resume` over another connection.
 * Frames that are not JSON, too long or no request get an `error` event frame and change nothing.
 *
 * Who may have this session is for you to check before. Where the login is a cookie compare the `Origin` of the upgrade
 * too, because browsers open sockets from pages of any site.
 */
export function serveSocket(
  socket: ServerSocket,
  session: AgentSession,
  options: ServeSocketOptions = {},
): SocketHandle {
  const { heartbeatMs = 25_000, clock = systemClock } = options;
  const { resumeWindowMs = session.resumeWindowMs || DEFAULT_RESUME_WINDOW_MS } = options;
  const { maxFrameLength = 4 * 2 ** 20, maxBufferedBytes = 2 ** 16, onError } = options;
  const pumps = new Set<Pump>();
  let disposed = false;
  let lastSentAt = clock.now();
  let stopHeartbeat = () => {};

  function send(frame: object): void {
    if (disposed || (socket.readyState ?? OPEN) !== OPEN) return;
    lastSentAt = clock.now();
    const text = JSON.stringify(frame);
    try {
      socket.send(text);
    } catch {
      // Some throw once they have closed, and not all of them say so first. Thrown on, it would end the process.
      dispose();
    }
  }
  function beat(): void {
    // It may have closed before it was served, while somebody looked up whose it is: nobody says so again.
    if ((socket.readyState ?? OPEN) > OPEN) dispose();
    // One timer that looks back, instead of one that is set anew with every frame.
    const idleFor = clock.now() - lastSentAt;
    if (idleFor >= heartbeatMs) send({ type: 'heartbeat' });
    if (disposed) return;
    const wait = idleFor >= heartbeatMs ? heartbeatMs : heartbeatMs - idleFor;
    stopHeartbeat = clock.after(wait, beat);
  }
  async function drained(): Promise<void> {
    while (!disposed && (socket.bufferedAmount ?? 0) > maxBufferedBytes) {
      await new Promise<void>((resolve) => clock.after(DRAIN_POLL_MS, resolve));
    }
  }

  async function forward(pump: Pump, earlier: Promise<unknown>): Promise<void> {
    let first = true;
    for await (const event of pump.events) {
      if (event.type === 'start') pump.executionId = event.executionId;
      // The last words of the run before come first. A refusal does not wait: that run may go on for long.
      if (first && event.type !== 'error') await earlier;
      first = false;
      if (disposed) return;
      if (!isTakenOverHere(pump, event)) send(toFrame(event, pump));
      await drained();
    }
  }
  /** A resume over the same socket displaces the pump before it; that is nothing the client has to know. */
  function isTakenOverHere(pump: Pump, event: AgentEvent): boolean {
    if (event.type !== 'error' || event.code !== ('resumed_elsewhere' satisfies SessionErrorCode))
      return false;
    return [...pumps].some((other) => other !== pump && other.executionId === pump.executionId);
  }
  function start(payload: Record<string, unknown>): void {
    const { executionId, requestId } = payload;
    const earlier = Promise.all([...pumps].map(({ done }) => done));
    const pump: Pump = {
      executionId: typeof executionId === 'string' ? executionId : undefined,
      requestId: typeof requestId === 'string' ? requestId : '',
      events: session.execute(payload, { resumeWindowMs }),
      done: Promise.resolve(),
    };
    pumps.add(pump);
    pump.done = forward(pump, earlier)
      .catch((thrown: unknown) => {
        reportFailure(onError, thrown);
        send(toFrame(brokenEvents(thrown), pump));
      })
      .finally(() => pumps.delete(pump));
  }
  function onMessage(data: unknown): void {
    const { payload, problem } = readPayload(data, maxFrameLength);
    if (payload) start(payload);
    else send(problem);
  }
  function dispose(): void {
    if (disposed) return;
    disposed = true;
    stopListening();
    stopHeartbeat();
    for (const { events } of pumps) void events.return().catch(() => {});
  }
  const stopListening = listenToSocket(socket, onMessage, dispose);
  if (heartbeatMs > 0) beat();
  return { dispose };
}

type Inbound =
  | { readonly payload: Record<string, unknown>; readonly problem?: never }
  | { readonly payload?: never; readonly problem: ErrorEvent };

function readPayload(data: unknown, maxLength: number): Inbound {
  const text = readFrameText(data);
  if (text === null) return { problem: refusal('invalid_frame', 'A frame must be JSON text.') };
  if (text.length > maxLength) {
    const message = `A frame may have ${maxLength} characters, this one has ${text.length}. Send less, or raise maxFrameLength on the server.`;
    return { problem: refusal('frame_too_large', message) };
  }
  try {
    const payload: unknown = JSON.parse(text);
    if (isRecord(payload)) return { payload };
  } catch {
    // Answered below.
  }
  return {
    problem: refusal('invalid_frame', `A frame must be a JSON object with a type, got: ${text.slice(0, 80)}`),
  };
}

function toFrame(event: AgentEvent, { executionId, requestId }: Pump): object {
  // JSON leaves undefined out. One copy per event: three of them were most of what an event cost.
  const frame: Record<string, unknown> = { ...event, cursor: undefined };
  if (event.cursor !== undefined) frame.seq = Number(event.cursor);
  if (executionId !== undefined) frame.executionId = executionId;
  if (event.type === 'start') frame.requestId = requestId;
  return frame;
}
