/**
 * A session behind a socket (Octavus protocol 2.0, section 4): one JSON text frame per payload and per event.
 *
 * Compatible additions of this server: `seq` (the cursor) and `executionId` on every event of a run, the `requestId` of
 * the request that a `start` or a refusal answers (empty if the request had none), and `{ "type": "heartbeat" }` frames while no other frame is
 * sent, with the number of frames `received` from the client. The frame of a refusal has no `seq`.
 */
import type { AgentEvent, ErrorEvent } from '../../core/protocol/events.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { isRecord } from '../../shared/json.ts';
import { reportFailure } from '../report-failure.ts';
import { brokenEvents, refusal, type SessionErrorCode } from '../session-errors.ts';
import type { AgentSession } from '../sessions/create-agent-session.ts';
import { DEFAULT_RESUME_WINDOW_MS } from '../sessions/serve-request.ts';
import { cancelEvents, createEventGenerator, createListSource } from '../store/event-source.ts';
import { createFrameSender } from './create-frame-sender.ts';
import { listenToSocket, readFrameText, type ServerSocket } from './listen-to-socket.ts';
import { readSocketPrincipal, type SocketPrincipal } from './socket-principal.ts';

/** Options of {@link serveSocket}. */
export interface ServeSocketOptions {
  /**
   * A heartbeat frame is sent after this long without another frame. Milliseconds; default 25,000. 0: never; then give the client
   * `heartbeat: false`.
   */
  readonly heartbeatMs?: number;
  /**
   * How long a run waits for a `resume` after the socket closed. Milliseconds. Default: the `resumeWindowMs` of the session, or
   * 60,000 if the session has none or 0.
   */
  readonly resumeWindowMs?: number;
  /** Longest accepted frame of the client, in UTF-16 code units; a longer one is refused. Default 4 Mi. */
  readonly maxFrameLength?: number;
  /**
   * Bytes the socket may hold unsent before the run, and every refusal, waits. Default 16 Ki, as for Node's streams: a thousand
   * stalled clients hold 16 MB of it.
   */
  readonly maxBufferedBytes?: number;
  /** Called with the error that the session's events threw, for your logs. The client gets an `error` event. */
  readonly onError?: (thrown: unknown) => unknown;
  readonly clock?: Clock;
  /**
   * Who is at the other end, as your login knows them: the session asks `mayOpen` and `mayAnswer` about them. Where it is there and is
   * undefined or null, because nobody is logged in, every frame is refused as `unauthorized`; `{ optional: true, read }` lets people in who
   * are not logged in. Default: nobody is known, and a session is as open as its id is secret.
   */
  readonly principal?: SocketPrincipal;
}

/** A socket that is being served. */
export interface SocketHandle {
  /** Stops serving, as if the socket had closed: the run waits for a `resume`. Does not close the socket. */
  dispose(): void;
}

/** A client that sends and does not read would fill the memory with the answers that wait for it. */
const MAX_OPEN_REQUESTS = 100;

/** A stream of events on its way to the socket: of a request, or the refusal of a frame that is none. */
interface Pump {
  executionId: string | undefined;
  /** Empty if the request has none; undefined if the frame could not be read. */
  readonly requestId: string | undefined;
  /** True if it follows the conversation, which ends when the client sends another request. */
  readonly isFollower: boolean;
  readonly events: AsyncGenerator<AgentEvent, void, undefined>;
  /** Settles when its last frame was sent. */
  done: Promise<unknown>;
}

/**
 * Serves a session over any `ws`-like socket until the socket closes; then the run waits for a `resume` over another connection.
 * A frame that is not JSON, too long or not a valid request gets an `error` event frame and changes nothing. While the answers to
 * 100 frames wait for a client that does not read, further frames are dropped.
 *
 * Check before that the user may use this session. If the login is a cookie, also compare the `Origin` of the upgrade, because
 * browsers open sockets from pages of any site.
 */
export function serveSocket(
  socket: ServerSocket,
  session: AgentSession,
  options: ServeSocketOptions = {},
): SocketHandle {
  const { resumeWindowMs = session.resumeWindowMs || DEFAULT_RESUME_WINDOW_MS } = options;
  const { maxFrameLength = 4 * 2 ** 20, onError } = options;
  const { heartbeatMs = 25_000, maxBufferedBytes = 2 ** 14, clock = systemClock } = options;
  const { principal, refused } = readSocketPrincipal(options);
  const pumps = new Set<Pump>();
  const sender = createFrameSender(socket, { heartbeatMs, maxBufferedBytes, clock }, dispose);

  async function forward(pump: Pump, earlier: Promise<unknown>): Promise<void> {
    let first = true;
    for await (const event of pump.events) {
      // A follower goes on from one execution to the next. A conversation at rest has none.
      if (event.type === 'start' || event.type === 'snapshot') pump.executionId = event.executionId;
      // The last events of the earlier run are sent first. A refusal does not wait, because that run may last long.
      if (first && event.type !== 'error') await earlier;
      first = false;
      if (sender.isStopped()) return;
      if (!isDisplacedHere(pump, event, pumps)) await sender.send(toFrame(event, pump));
    }
  }
  function start(payload: Record<string, unknown> | undefined, events: Pump['events']): void {
    // The request may be the answer that the follower waits for, and waits itself for the last events of earlier requests.
    for (const pump of pumps) if (pump.isFollower) cancelEvents(pump.events);
    const earlier = Promise.all([...pumps].map(({ done }) => done));
    const pump = createPump(payload, events);
    pumps.add(pump);
    pump.done = forward(pump, earlier)
      .catch((thrown: unknown) => {
        reportFailure(onError, thrown);
        return sender.send(toFrame(brokenEvents(thrown), pump));
      })
      .finally(() => pumps.delete(pump));
  }
  function onMessage(data: unknown): void {
    if (pumps.size >= MAX_OPEN_REQUESTS) return;
    sender.count();
    const { payload, problem } = refused ? { problem: refused } : readPayload(data, maxFrameLength);
    if (payload) start(payload, session.execute(payload, { resumeWindowMs, principal }));
    else
      start(
        undefined,
        createEventGenerator(async () => createListSource([problem])),
      );
  }
  function dispose(): void {
    if (sender.isStopped()) return;
    sender.stop();
    stopListening();
    for (const { events } of pumps) void events.return().catch(() => {});
  }
  const stopListening = listenToSocket(socket, onMessage, dispose);
  sender.startHeartbeat();
  return { dispose };
}

function createPump(payload: Record<string, unknown> | undefined, events: Pump['events']): Pump {
  const { executionId, requestId = '', follow } = payload ?? {};
  return {
    executionId: typeof executionId === 'string' ? executionId : undefined,
    requestId: payload && typeof requestId === 'string' ? requestId : undefined,
    isFollower: follow === true,
    events,
    done: Promise.resolve(),
  };
}

/** Returns true if a resume over the same socket displaced this pump. The client need not know, because the new pump continues. */
function isDisplacedHere(pump: Pump, event: AgentEvent, pumps: ReadonlySet<Pump>): boolean {
  if (event.type !== 'error' || event.code !== ('resumed_elsewhere' satisfies SessionErrorCode)) return false;
  return [...pumps].some((other) => other !== pump && other.executionId === pump.executionId);
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
    // The refusal below answers a frame that is not JSON.
  }
  return {
    problem: refusal('invalid_frame', `A frame must be a JSON object with a type, got: ${text.slice(0, 80)}`),
  };
}

function toFrame(event: AgentEvent, { executionId, requestId }: Pump): object {
  // JSON leaves undefined out. One copy per event, because copying is most of the cost of an event.
  const frame: Record<string, unknown> = { ...event, cursor: undefined };
  if (event.cursor !== undefined) frame.seq = Number(event.cursor);
  if (executionId !== undefined) frame.executionId = executionId;
  // A refusal has no cursor, and no number therefore. It may come after the client has sent its next request.
  if (event.type === 'start' || (event.type === 'error' && event.cursor === undefined))
    frame.requestId = requestId;
  return frame;
}
