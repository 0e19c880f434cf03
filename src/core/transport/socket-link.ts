/**
 * The connection of a socket transport. A `SocketLink` opens it when it is first needed, opens it again with back-off after it
 * was lost, and gives it up when the server falls silent although a frame is due.
 *
 * | state | leaves it when |
 * |---|---|
 * | `disconnected` | `open` (a request, `connect()`) -> `connecting` |
 * | `connecting` | opened -> `connected`; failed -> `error` |
 * | `connected` | closed or silent -> `reconnecting`, or `disconnected` without a reconnect policy |
 * | `reconnecting` | opened -> `connected`; out of attempts -> `error` |
 * | `error` | `open` -> `connecting` |
 *
 * `close` (`disconnect()`) leads from every state to `disconnected`.
 *
 * `partysocket` reconnects as well. It is not used, because it has timers of its own (the tests here move a clock), and because it
 * queues what is sent while the connection is down: a stop or a request of an earlier connection would reach the next one.
 */
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import { isOffline, onNetworkChange } from '../../shared/network.ts';
import { callSafely } from '../../shared/report-thrown.ts';
import { countFailure, hasAttemptLeft, waitBeforeRetry } from '../../shared/wait-before-retry.ts';
import { watchPageCache } from '../../shared/watch-page-cache.ts';
import type { ConnectionState, ConnectionStatus } from './agent-transport.ts';
import { type Connect, openSocket } from './open-socket.ts';
import type { ReconnectPolicy } from './reconnect-policy.ts';
import { dismiss, isSocketOpen, type SocketLike } from './socket-like.ts';

export interface SocketLinkOptions {
  readonly connect: Connect;
  readonly policy: ReconnectPolicy | false;
  /** Milliseconds of silence after which the connection is dead, or `false`. */
  readonly silenceMs: number | false;
  readonly clock: Clock;
  readonly random: () => number;
  /** Returns true while a frame is due, even if the server has sent no heartbeat yet. */
  expectsFrame(): boolean;
  /** Returns true while the runs under way would not survive another connection. */
  needsConnection(): boolean;
  /** Takes every frame: parsed, or as it came if it is no JSON. */
  onFrame(frame: unknown, isJson: boolean): void;
  /** Called after an open connection ended. `deliberate` is true after `close`. */
  onClosed(reason: AgentChatError, deliberate: boolean): void;
}

/** A connection that stood this long was no failed attempt, even if the server had nothing to send. */
const STABLE_AFTER_MS = 5_000;

export class SocketLink {
  readonly #options: SocketLinkOptions;
  readonly #listeners = new Set<(status: ConnectionStatus) => void>();
  #status: ConnectionStatus = Object.freeze({ state: 'disconnected' });
  #socket: SocketLike | undefined;
  /** The attempt that everybody who needs the connection waits for. */
  #attempt: Promise<SocketLike> | undefined;
  /**
   * Rejects the attempt. A listener on the signal of `#closing` would do the same, but the signal lasts for many attempts and each
   * listener would retain its socket.
   */
  #rejectAttempt = () => {};
  /** Aborts with `close`. */
  #closing = new AbortController();
  /** A server that accepts a connection and drops it is not back, so only a frame or a stable connection resets the count. */
  #failedAttempts = 0;
  #openedAt = 0;
  /** The time of the last frame, or of a later request. */
  #lastFrameAt = 0;
  /** The server sends heartbeats, so that a frame is always due. */
  #hasHeartbeats = false;
  #stopWatching: (() => void) | undefined;
  #unwatchPage = () => {};

  constructor(options: SocketLinkOptions) {
    this.#options = options;
  }

  getStatus(): ConnectionStatus {
    return this.#status;
  }

  /** Calls back at once with the current status, then at each change. Returns the unsubscribe function. */
  subscribe(listener: (status: ConnectionStatus) => void): () => void {
    this.#listeners.add(listener);
    listener(this.#status);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the open socket. Connects first, or joins the attempt under way. Rejects with `connection_failed`. */
  open(): Promise<SocketLike> {
    if (this.#socket !== undefined && isSocketOpen(this.#socket)) return Promise.resolve(this.#socket);
    // The socket is closing, and its `onclose` comes later.
    if (this.#socket !== undefined) this.lose('it was closed');
    return this.#attempt ?? this.#share((signal) => this.#connect(signal));
  }

  /** Returns the open socket, or the attempt under way; undefined if there is neither. */
  current(): SocketLike | Promise<SocketLike> | undefined {
    return this.#socket !== undefined && isSocketOpen(this.#socket) ? this.#socket : this.#attempt;
  }

  close(): void {
    this.#rejectAttempt();
    this.#closing.abort();
    this.#closing = new AbortController();
    this.#attempt = undefined;
    this.#failedAttempts = 0;
    this.#drop(closedOnPurpose('connection_lost'), true, () => {
      if (this.#status.state !== 'disconnected') this.#enter('disconnected');
    });
  }

  /** A request was sent: measures the silence from now on. */
  expectFrame(): void {
    if (!this.#hasHeartbeats) this.#lastFrameAt = this.#options.clock.now();
    if (this.#stopWatching === undefined) this.#watch();
  }

  /** Drops the connection because of a failure, and opens it again. */
  lose(why: string): void {
    const { clock, policy } = this.#options;
    const reason = lostConnection(why);
    if (clock.now() - this.#openedAt >= STABLE_AFTER_MS) this.#failedAttempts = 0;
    this.#drop(reason, false, () => {
      if (policy === false) this.#enter('disconnected', reason);
      else this.#share((signal) => this.#reconnect(policy, signal, reason));
    });
  }

  #enter(state: ConnectionState, error?: Error): void {
    this.#status = Object.freeze(error === undefined ? { state } : { state, error });
    for (const listener of [...this.#listeners]) callSafely(() => listener(this.#status));
  }

  #receive(data: unknown): void {
    this.#failedAttempts = 0;
    this.#lastFrameAt = this.#options.clock.now();
    let frame = data;
    try {
      if (typeof data === 'string') frame = JSON.parse(data);
    } catch {
      return this.#options.onFrame(data, false);
    }
    if (!this.#hasHeartbeats && isRecord(frame) && frame.type === 'heartbeat') {
      this.#hasHeartbeats = true;
      this.expectFrame();
    }
    this.#options.onFrame(frame, true);
    if (!this.#hasHeartbeats && !this.#options.expectsFrame()) this.#endWatch();
  }

  /** Gives the connection up that will not stay, unless the runs under way would not survive another one. */
  #watchPage(): () => void {
    const giveUp = (why: string) => {
      if (!this.#options.needsConnection()) this.lose(why);
    };
    const unwatchCache = watchPageCache(() => giveUp('its page was left'));
    // The socket of a lost network looks open for a long time.
    const unwatchNetwork = onNetworkChange(() => isOffline() && giveUp('the browser is offline'));
    return () => {
      unwatchCache();
      unwatchNetwork();
    };
  }

  #watch(): void {
    const { clock, silenceMs, expectsFrame } = this.#options;
    this.#stopWatching = undefined;
    if (silenceMs === false) return;
    const left = this.#lastFrameAt + silenceMs - clock.now();
    if (left > 0) this.#stopWatching = clock.after(left, () => this.#watch());
    // A server that sends no heartbeats may be silent for as long as its agent works.
    else if (this.#hasHeartbeats || expectsFrame())
      this.lose(`nothing was received for ${silenceMs / 1000} s`);
  }

  #endWatch(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  /** Forgets the socket and goes on. `onClosed` comes last, because the app may connect again in it. */
  #drop(reason: AgentChatError, deliberate: boolean, goOn: () => void): void {
    const dropped = this.#socket;
    this.#socket = undefined;
    this.#endWatch();
    this.#unwatchPage();
    if (dropped !== undefined) dismiss(dropped);
    goOn();
    if (dropped !== undefined) this.#options.onClosed(reason, deliberate);
  }

  /** Starts an attempt that everybody waits for. It ends with `close`, even if the app's `connect` never settles. */
  #share(start: (signal: AbortSignal) => Promise<SocketLike>): Promise<SocketLike> {
    const { signal } = this.#closing;
    let begin = () => {};
    const shared = new Promise<SocketLike>((resolve, reject) => {
      begin = () => start(signal).then(resolve, reject);
      this.#rejectAttempt = () => reject(closedOnPurpose());
    }).finally(() => {
      if (this.#attempt === shared) this.#attempt = undefined;
    });
    this.#attempt = shared;
    shared.catch(() => {});
    // Only now: `start` notifies the listeners of the new state, and a listener may call `open` and must get this attempt.
    begin();
    return shared;
  }

  async #connect(signal: AbortSignal): Promise<SocketLike> {
    this.#enter('connecting');
    try {
      return await this.#openSocket(signal);
    } catch (thrown) {
      const error = toConnectionFailure(thrown);
      if (!signal.aborted) this.#enter('error', error);
      throw error;
    }
  }

  async #reconnect(policy: ReconnectPolicy, signal: AbortSignal, cause: Error): Promise<SocketLike> {
    const { clock, random } = this.#options;
    let error = cause;
    while (hasAttemptLeft(this.#failedAttempts, policy.maxAttempts)) {
      this.#enter('reconnecting', error);
      const failedBefore = this.#failedAttempts;
      this.#failedAttempts = countFailure(failedBefore);
      await waitBeforeRetry(failedBefore, undefined, { policy, clock, random, signal });
      if (signal.aborted) throw closedOnPurpose();
      try {
        return await this.#openSocket(signal);
      } catch (thrown) {
        error = toConnectionFailure(thrown);
        if (signal.aborted) throw error;
      }
    }
    this.#failedAttempts = 0;
    this.#enter('error', error);
    throw toConnectionFailure(error);
  }

  async #openSocket(signal: AbortSignal): Promise<SocketLike> {
    const { connect, clock } = this.#options;
    const socket = await openSocket(connect, clock, signal);
    if (socket === undefined) throw closedOnPurpose();
    if (signal.aborted) {
      dismiss(socket);
      throw closedOnPurpose();
    }
    this.#socket = socket;
    this.#openedAt = this.#lastFrameAt = clock.now();
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = () => this.lose('it was closed');
    if ('onerror' in socket) socket.onerror = () => {};
    this.#unwatchPage = this.#watchPage();
    if (this.#hasHeartbeats) this.expectFrame();
    this.#enter('connected');
    return socket;
  }
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
