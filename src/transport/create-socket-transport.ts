/** The native wire over a socket: one JSON text frame per payload and per event (Octavus wire protocol 2.0, section 4). */
import type { RunCommand } from '../protocol/commands.ts';
import { decodeNativeEvent } from '../protocol/native.ts';
import { encodeNativeCommand } from '../protocol/native-encode.ts';
import { type Clock, systemClock } from '../shared/clock.ts';
import { AgentChatError } from '../shared/errors.ts';
import { isRecord } from '../shared/json.ts';
import { callSafely } from '../shared/report-thrown.ts';
import { untilAborted } from '../shared/until-aborted.ts';
import type { AgentTransport, TransportIO } from './agent-transport.ts';
import { toPayloadText } from './payload-text.ts';
import { readNumbers } from './read-numbers.ts';
import { type ReconnectOptions, toReconnectPolicy } from './reconnect-policy.ts';
import { readWithResume } from './resume.ts';
import { createRunRouter } from './run-router.ts';
import { type SocketConnectOptions, type SocketUrlOptions, toConnect } from './socket-connect.ts';
import type { SocketLike } from './socket-like.ts';
import { createSocketLink, type HeartbeatOptions, lostConnection } from './socket-link.ts';
import { createSocketRun, type SocketRun, streamCut } from './socket-run.ts';

/** Options of {@link createSocketTransport} besides how it connects. */
export interface SocketTransportSettings {
  /** Sees every parsed frame, also those of the application's own. */
  readonly onMessage?: (data: unknown) => void;
  /** A connection that was open has closed. */
  readonly onClose?: () => void;
  /**
   * How to connect again after the connection was lost. Default: 500 ms doubling up to 30 s, without end. `false`:
   * not until the next request.
   */
  readonly reconnect?: ReconnectOptions | false;
  /**
   * Silence that means the connection is dead, where the server sends `heartbeat` frames (others are not judged, and
   * nothing is ever sent to ask). Default: 25 s and 10 s more. `false`: never.
   */
  readonly heartbeat?: HeartbeatOptions | false;
  /** For tests: time under your control. Default: the real clock. */
  readonly clock?: Clock;
  /** For tests: the random number of the jitter, from 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

export type SocketTransportOptions = (SocketConnectOptions | SocketUrlOptions) & SocketTransportSettings;

/**
 * Talks to an agent over one socket that is bound to a session. It connects with the first request, or ahead of it by
 * `connection.connect()`.
 *
 * A run is read on over the next connection where the server numbers its frames (`seq`); elsewhere a connection lost
 * in the middle of a run is a retryable `connection_lost`. Which frame belongs to which run: see `run-router.ts`.
 *
 * @throws AgentChatError `invalid_options` without `connect` or `url`, and for a wait that is no number of 0 or more.
 */
export function createSocketTransport(options: SocketTransportOptions): AgentTransport {
  const connect = toConnect(options);
  const { reconnect, heartbeat, clock = systemClock, random = Math.random } = options;
  const policy = toReconnectPolicy(reconnect, Number.POSITIVE_INFINITY);
  const router = createRunRouter(clock);
  let latest: SocketRun | undefined;

  const link = createSocketLink({
    connect,
    policy,
    silenceMs: heartbeat === false ? false : readSilence(heartbeat),
    clock,
    random,
    onFrame(frame, isJson) {
      if (isJson) callSafely(() => options.onMessage?.(frame));
      if (isRecord(frame) && frame.type === 'heartbeat') return;
      receive(frame);
    },
    onClosed(reason, deliberate) {
      const cut = latest;
      router.reset();
      cut?.fail(deliberate ? reason : streamCut(reason));
      callSafely(() => options.onClose?.());
    },
  });

  /** A server that numbers its frames gets the id of the run to stop. Other servers get the plain `stop` of the protocol. */
  let hearsWhichRun = false;

  function receive(frame: unknown): void {
    const event = decodeNativeEvent(frame);
    if (event === undefined || event instanceof AgentChatError) {
      const run = latest;
      if (run === undefined || !router.mayBelongTo(run, isRecord(frame) ? frame.executionId : undefined))
        return;
      if (event) run.fail(event);
      else run.io.onUnknownEvent(frame);
      return;
    }
    const { executionId, requestId, seq } = frame as Record<'executionId' | 'requestId' | 'seq', unknown>;
    const numbered = typeof seq === 'number';
    if (numbered) event.cursor = String(seq);
    hearsWhichRun ||= numbered;
    router.route(event, { executionId: toText(executionId), requestId: toText(requestId), numbered });
  }

  function exchange(command: RunCommand, io: TransportIO, findSocket: () => Promise<SocketLike>) {
    const payload = encodeNativeCommand(command);
    const text = toPayloadText(payload);
    const run = createSocketRun(io, command);
    return run.read(async () => {
      const socket = await untilAborted(findSocket(), io.signal);
      if (socket === undefined) return;
      latest?.handOver();
      latest = run;
      router.open(run);
      try {
        const { requestId } = run;
        socket.send(requestId === '' ? text : toPayloadText({ ...payload, requestId }));
      } catch {
        // A socket that refuses is about to say that it has closed.
        run.fail(streamCut(lostConnection('a request could not be sent')));
      }
    });
  }

  /** After a cut: the connection that is being made anyway, and no other. */
  async function rejoin(): Promise<SocketLike> {
    const socket = link.current();
    if (socket !== undefined) return socket;
    throw lostConnection('it could not be made again', link.getStatus().error);
  }

  const run = (command: RunCommand, io: TransportIO) =>
    readWithResume({
      command,
      open: (next) => exchange(next, io, next === command ? link.open : rejoin),
      io,
      policy,
      clock,
      random,
    });

  return {
    capabilities: { results: 'together', resume: true, stop: true, deadlines: true },
    connection: {
      getStatus: link.getStatus,
      subscribe: link.subscribe,
      connect: () => link.open().then(() => {}),
      disconnect: link.close,
    },
    run,
    async stop(command) {
      // On a connection that is being made again the run still waits for its reader.
      const socket = link.current();
      const payload = toPayloadText(encodeNativeCommand(hearsWhichRun ? command : { type: 'stop' }));
      if (socket !== undefined && !('then' in socket)) return socket.send(payload);
      if (command.executionId !== undefined) await socket?.then((open) => open.send(payload)).catch(() => {});
    },
  };
}

/** Milliseconds after which a server that sends heartbeats is gone. */
function readSilence(heartbeat: HeartbeatOptions | undefined): number {
  const defaults = { intervalMs: 25_000, timeoutMs: 10_000 };
  const { intervalMs, timeoutMs } = readNumbers('heartbeat', heartbeat, defaults);
  return intervalMs + timeoutMs;
}

const toText = (value: unknown) => (typeof value === 'string' ? value : undefined);
