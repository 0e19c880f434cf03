/** The native wire over a socket: one JSON text frame per payload and per event (Octavus wire protocol 2.0, section 4). */

import { type Clock, systemClock } from '../../shared/clock.ts';
import { isRecord } from '../../shared/json.ts';
import { callSafely } from '../../shared/report-thrown.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import type { OpenCommand, RunCommand, StopCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { encodeNativeCommand, toPayloadText } from '../protocol/native-encode.ts';
import type { AgentTransport, TransportCapabilities, TransportIO } from './agent-transport.ts';
import { type SocketConnectOptions, type SocketUrlOptions, toConnect } from './open-socket.ts';
import { type ReconnectOptions, readNumbers, toReconnectPolicy } from './reconnect-policy.ts';
import { readWithResume } from './resume.ts';
import { ARRIVAL_MS, SentFrames } from './sent-frames.ts';
import type { SocketLike } from './socket-like.ts';
import { lostConnection, SocketLink } from './socket-link.ts';
import { SocketRun, streamCut } from './socket-run.ts';
import { SocketRuns } from './socket-runs.ts';
import { toQuestion } from './to-question.ts';

/** When a silent connection counts as dead. */
export interface HeartbeatOptions {
  /** Milliseconds between two heartbeats of the server at most. Default 25,000. */
  readonly intervalMs?: number;
  /** Milliseconds that a heartbeat may be late. Default 10,000. */
  readonly timeoutMs?: number;
}

/** Options of {@link createSocketTransport} besides how it connects. */
export interface SocketTransportSettings {
  /** Called with every parsed frame, also with frames of the application's own. */
  readonly onMessage?: (data: unknown) => void;
  /** Called after a connection that was open has closed. */
  readonly onClose?: () => void;
  /**
   * How to connect again after the connection was lost. Default: 500 ms doubling up to 30 s, without end. `false`:
   * not until the next request.
   */
  readonly reconnect?: ReconnectOptions | false;
  /**
   * How long the server may be silent before the connection counts as dead. Default: 25 s and 10 s more. `false`: forever. The time
   * runs always if the server has sent a `heartbeat` frame; else from a request to the first frame over the connection, and during
   * a run whose frames have numbers (`seq`). Otherwise the server may be silent. The client sends no heartbeats.
   */
  readonly heartbeat?: HeartbeatOptions | false;
  /** For tests: time under your control. Default: the real clock. */
  readonly clock?: Clock;
  /** For tests: the source of jitter, from 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

export type SocketTransportOptions = (SocketConnectOptions | SocketUrlOptions) & SocketTransportSettings;

/**
 * Talks to an agent over one socket that is bound to a session. It connects with the first request, or ahead of it by
 * `connection.connect()`.
 *
 * If the server numbers its frames (`seq`), a run is resumed over the next connection. On other servers a connection that is lost in
 * the middle of a run is a retryable `connection_lost`. `run-router.ts` says which frame belongs to which run.
 *
 * @throws AgentChatError `invalid_options` without `connect` or `url`, and for a number of `reconnect` or `heartbeat` that is not 0 or
 * more.
 */
export function createSocketTransport(options: SocketTransportOptions): AgentTransport {
  const connect = toConnect(options);
  const { reconnect, heartbeat, clock = systemClock, random = Math.random } = options;
  const policy = toReconnectPolicy(reconnect, Number.POSITIVE_INFINITY);
  const runs = new SocketRuns(clock);
  const sent = new SentFrames(clock);
  const needsConnection = () => runs.needsConnection(policy !== false);
  const link = new SocketLink({
    connect,
    policy,
    silenceMs: heartbeat === false ? false : readSilence(heartbeat),
    clock,
    random,
    expectsFrame: () => runs.expectsFrame(),
    needsConnection,
    onFrame(frame, isJson) {
      if (isJson) callSafely(() => options.onMessage?.(frame));
      if (!isRecord(frame) || frame.type !== 'heartbeat') runs.receive(frame);
      else if (sent.isMissing(frame.received)) replaceConnection(link, runs, needsConnection());
    },
    onClosed(reason, deliberate) {
      sent.reset();
      runs.cut(deliberate ? reason : streamCut(reason));
      callSafely(() => options.onClose?.());
    },
  });

  const run = (command: RunCommand | OpenCommand, io: TransportIO) =>
    readWithResume({
      command,
      open: (next) =>
        exchange(next, io, { runs, link, clock, sent }, () =>
          next === command ? link.open() : joinReconnect(link),
        ),
      io,
      policy,
      clock,
      random,
    });

  return {
    capabilities: CAPABILITIES,
    connection: {
      getStatus: () => link.getStatus(),
      subscribe: (listener) => link.subscribe(listener),
      connect: () => link.open().then(() => {}),
      disconnect: () => link.close(),
    },
    run,
    open: run,
    clientTool: toQuestion,
    stop: (command) => stop(command, link, sent, runs.isNumbered),
  };
}

const CAPABILITIES: TransportCapabilities = {
  results: 'together',
  resume: true,
  stop: true,
  deadlines: true,
  rewind: true,
  open: true,
};

interface ExchangeContext {
  readonly runs: SocketRuns;
  readonly link: SocketLink;
  readonly clock: Clock;
  readonly sent: SentFrames;
}

/** Sends a command over the socket and reads its events. */
function exchange(
  command: RunCommand | OpenCommand,
  io: TransportIO,
  { runs, link, clock, sent }: ExchangeContext,
  findSocket: () => Promise<SocketLike>,
): AsyncGenerator<readonly AgentEvent[], void> {
  const payload = encodeNativeCommand(command);
  const text = toPayloadText(payload);
  const run = new SocketRun(io, command);
  const send = async () => {
    // Of a request that is sent again: the time of the first one would end the next connection.
    run.endWait();
    const socket = await untilAborted(findSocket(), io.signal);
    if (socket === undefined) return;
    runs.open(run);
    const { requestId } = run;
    try {
      // The connection was given up in the meantime, and its socket drops what is sent.
      if (link.current() !== socket) throw lostConnection('it was closed');
      socket.send(requestId === '' ? text : toPayloadText({ ...payload, requestId }));
      sent.add();
      link.expectFrame();
      // A server that gives cursors acknowledges answers at once, by the `start` of the continuation.
      if (command.type === 'respond' && command.cursor)
        run.awaitFirst(clock, ARRIVAL_MS, () =>
          link.lose(`answers were not acknowledged within ${ARRIVAL_MS / 1000} s`),
        );
    } catch {
      // A socket that refuses to send is closing, and its `onclose` comes later.
      run.fail(streamCut(lostConnection('a request could not be sent')));
    }
  };
  run.sendAgain = () => void send().catch((thrown) => run.fail(thrown));
  return run.read(send);
}

/**
 * Opens another connection, because a frame was swallowed, and sends the request there that has got no event. A run whose request has
 * arrived keeps a connection that it needs: the missing frame was another one, such as a stop.
 */
function replaceConnection(link: SocketLink, runs: SocketRuns, isNeeded: boolean): void {
  const unanswered = runs.takeUnanswered();
  if (unanswered === undefined && isNeeded) return;
  link.lose(`a request did not arrive within ${ARRIVAL_MS / 1000} s`);
  unanswered?.sendAgain();
}

/** Returns the socket for a run that was cut. The link reconnects by itself; a run never starts an attempt of its own. */
async function joinReconnect(link: SocketLink): Promise<SocketLike> {
  const socket = link.current();
  if (socket !== undefined) return socket;
  throw lostConnection('it could not be made again', link.getStatus().error);
}

async function stop(
  command: StopCommand,
  link: SocketLink,
  sent: SentFrames,
  namesRun: boolean,
): Promise<void> {
  const socket = link.current();
  const payload = toPayloadText(encodeNativeCommand(namesRun ? command : { type: 'stop' }));
  const send = (open: SocketLike) => {
    open.send(payload);
    sent.add();
  };
  if (socket !== undefined && !('then' in socket)) return send(socket);
  // While the connection is made again, the run goes on at the server and waits to be resumed: the stop is sent once it stands.
  if (command.executionId !== undefined) await socket?.then(send).catch(() => {});
}

/** Returns the milliseconds after which a server that sends heartbeats is gone. */
function readSilence(heartbeat: HeartbeatOptions | undefined): number {
  const defaults = { intervalMs: 25_000, timeoutMs: 10_000 };
  const { intervalMs, timeoutMs } = readNumbers('heartbeat', heartbeat, defaults);
  return intervalMs + timeoutMs;
}
