/**
 * The connection of a socket transport: opened when first needed, opened again with back-off when lost, given up
 * when the other side falls silent.
 *
 * | state | leaves it when |
 * |---|---|
 * | `disconnected` | `open` (a request, `connect()`) -> `connecting` |
 * | `connecting` | opened -> `connected`; failed -> `error` |
 * | `connected` | closed or silent -> `reconnecting`, or `disconnected` without a reconnect policy |
 * | `reconnecting` | opened -> `connected`; out of attempts -> `error` |
 * | `error` | `open` -> `connecting` |
 *
 * `close` (`disconnect()`) leads from everywhere to `disconnected`.
 */
import type { Clock } from '../shared/clock.ts';
import { AgentChatError } from '../shared/errors.ts';
import { isRecord } from '../shared/json.ts';
import { callSafely } from '../shared/report-thrown.ts';
import type { ConnectionState, ConnectionStatus } from './agent-transport.ts';
import { backoffDelay, wait } from './backoff.ts';
import { openSocket } from './open-socket.ts';
import type { ReconnectPolicy } from './reconnect-policy.ts';
import { dismiss, isOpen, type SocketLike } from './socket-like.ts';

/** The limits after which a silent connection counts as dead. */
export interface HeartbeatOptions {
  /** The longest time between two frames of the server. Milliseconds; default 25,000. */
  readonly intervalMs?: number;
  /** The tolerance on top of it. Milliseconds; default 10,000. */
  readonly timeoutMs?: number;
}

export interface SocketLinkOptions {
  readonly connect: () => SocketLike | Promise<SocketLike>;
  readonly policy: ReconnectPolicy | false;
  /** Milliseconds of silence after which the connection is dead, or `false`. */
  readonly silenceMs: number | false;
  readonly clock: Clock;
  readonly random: () => number;
  /** Every parsed frame, and text that is no JSON as it is. */
  onFrame(frame: unknown, isJson: boolean): void;
  /** A connection that was open is gone; `deliberate` when `close` was called. */
  onClosed(reason: AgentChatError, deliberate: boolean): void;
}

export interface SocketLink {
  getStatus(): ConnectionStatus;
  subscribe(listener: (status: ConnectionStatus) => void): () => void;
  /** The open socket; connects, or joins the attempt under way. Rejects with `connection_failed`. */
  open(): Promise<SocketLike>;
  /** The open socket, or the one an attempt under way brings; undefined when nothing is under way. */
  current(): SocketLike | Promise<SocketLike> | undefined;
  close(): void;
}

/** Milliseconds after which a connection is back, also where the server has nothing to say. */
const STANDS_AFTER_MS = 5_000;

export function createSocketLink(options: SocketLinkOptions): SocketLink {
  const { policy, silenceMs, clock, random } = options;
  const listeners = new Set<(status: ConnectionStatus) => void>();
  let status: ConnectionStatus = Object.freeze({ state: 'disconnected' });
  let socket: SocketLike | undefined;
  let attempt: Promise<SocketLike> | undefined;
  let life = new AbortController();
  /** Notifies the callers that wait for the attempt. A listener per attempt on `life` would retain its socket for the life of the link. */
  let giveUp = () => {};
  /** Attempts since the last received frame or lasting connection: a server that accepts and then closes is not back. */
  let fruitless = 0;
  let openedAt = 0;
  let lastFrameAt = 0;
  let stopWatching: (() => void) | undefined;

  const enter = (state: ConnectionState, error?: Error) => {
    status = Object.freeze(error === undefined ? { state } : { state, error });
    for (const listener of [...listeners]) callSafely(() => listener(status));
  };

  const watch = (limit: number) => {
    const left = lastFrameAt + limit - clock.now();
    if (left > 0) stopWatching = clock.after(left, () => watch(limit));
    else lose(`nothing was received for ${limit / 1000} s`);
  };

  const receive = (data: unknown) => {
    fruitless = 0;
    lastFrameAt = clock.now();
    let frame = data;
    try {
      if (typeof data === 'string') frame = JSON.parse(data);
    } catch {
      return options.onFrame(data, false);
    }
    // Silence means a dead connection only if the server sends heartbeats.
    if (silenceMs !== false && stopWatching === undefined && isRecord(frame) && frame.type === 'heartbeat') {
      watch(silenceMs);
    }
    options.onFrame(frame, true);
  };

  /** Drops the socket and sets the next state before it notifies, because a listener may connect again. */
  const drop = (reason: AgentChatError, deliberate: boolean, goOn: () => void) => {
    const dropped = socket;
    socket = undefined;
    stopWatching?.();
    stopWatching = undefined;
    if (dropped !== undefined) dismiss(dropped);
    goOn();
    if (dropped !== undefined) options.onClosed(reason, deliberate);
  };

  const lose = (why: string) => {
    const reason = lostConnection(why);
    if (clock.now() - openedAt >= STANDS_AFTER_MS) fruitless = 0;
    drop(reason, false, () => {
      if (policy === false) enter('disconnected', reason);
      else share((signal) => reconnect(policy, signal, reason));
    });
  };

  const dial = async (signal: AbortSignal): Promise<SocketLike> => {
    const dialled = await openSocket(options.connect, clock, signal);
    if (signal.aborted) {
      dismiss(dialled);
      throw closedOnPurpose();
    }
    socket = dialled;
    openedAt = clock.now();
    dialled.onmessage = (event) => receive(event.data);
    dialled.onclose = () => lose('it was closed');
    if ('onerror' in dialled) dialled.onerror = () => {};
    enter('connected');
    return dialled;
  };

  const connect = async (signal: AbortSignal): Promise<SocketLike> => {
    enter('connecting');
    try {
      return await dial(signal);
    } catch (thrown) {
      const error = toConnectionFailure(thrown);
      if (!signal.aborted) enter('error', error);
      throw error;
    }
  };

  const reconnect = async (
    policy: ReconnectPolicy,
    signal: AbortSignal,
    cause: Error,
  ): Promise<SocketLike> => {
    let error = cause;
    while (fruitless < policy.maxAttempts) {
      enter('reconnecting', error);
      await wait(clock, backoffDelay(policy, fruitless++, random), signal);
      if (signal.aborted) throw closedOnPurpose();
      try {
        return await dial(signal);
      } catch (thrown) {
        error = toConnectionFailure(thrown);
        if (signal.aborted) throw error;
      }
    }
    fruitless = 0;
    enter('error', error);
    throw toConnectionFailure(error);
  };

  /** One attempt, shared by all callers that wait. It ends with `close`, even if `connect` never settles. */
  const share = (work: (signal: AbortSignal) => Promise<SocketLike>): Promise<SocketLike> => {
    const { signal } = life;
    let begin = () => {};
    const shared = new Promise<SocketLike>((resolve, reject) => {
      begin = () => work(signal).then(resolve, reject);
      giveUp = () => reject(closedOnPurpose());
    }).finally(() => {
      if (attempt === shared) attempt = undefined;
    });
    attempt = shared;
    shared.catch(() => {});
    // The new state is published at once, and a listener may join the same attempt.
    begin();
    return shared;
  };

  return {
    getStatus: () => status,
    subscribe(listener) {
      listeners.add(listener);
      listener(status);
      return () => listeners.delete(listener);
    },
    open() {
      if (socket !== undefined && isOpen(socket)) return Promise.resolve(socket);
      // The socket is closing, and its close event has not fired yet.
      if (socket !== undefined) lose('it was closed');
      return attempt ?? share(connect);
    },
    current: () => (socket !== undefined && isOpen(socket) ? socket : attempt),
    close() {
      giveUp();
      life.abort();
      life = new AbortController();
      attempt = undefined;
      fruitless = 0;
      drop(closedOnPurpose('connection_lost'), true, () => {
        if (status.state !== 'disconnected') enter('disconnected');
      });
    },
  };
}

export function lostConnection(why: string, cause?: unknown): AgentChatError {
  return new AgentChatError({
    code: 'connection_lost',
    message: `The connection to the agent was lost: ${why}. Retry to ask again.`,
    retryable: true,
    cause,
  });
}

function closedOnPurpose(
  code: 'connection_failed' | 'connection_lost' = 'connection_failed',
): AgentChatError {
  const message = 'The connection was closed by disconnect(). Call connect() or send again to open it.';
  return new AgentChatError({ code, message, retryable: true });
}

function toConnectionFailure(thrown: unknown): AgentChatError {
  if (AgentChatError.isInstance(thrown) && thrown.code !== 'connection_lost') return thrown;
  const message = thrown instanceof Error && thrown.message !== '' ? thrown.message : 'Connection failed';
  return new AgentChatError({ code: 'connection_failed', message, retryable: true, cause: thrown });
}
