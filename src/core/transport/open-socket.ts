/** Makes a socket as the app says, and waits until it is open. */
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError, invalidOptions } from '../../shared/errors.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
import { dismiss, opened, type SocketLike } from './socket-like.ts';

/** Your own connection: authenticate, choose the library. */
export interface SocketConnectOptions {
  /**
   * Returns a socket that is bound to the session, open or about to open. The transport calls `connect` again for each attempt.
   * An attempt has failed when its socket is not open after 20 s.
   */
  readonly connect: () => SocketLike | Promise<SocketLike>;
  readonly url?: undefined;
}

/** The transport makes a `WebSocket`. */
export interface SocketUrlOptions {
  /** `ws:` or `wss:`. The transport calls a function before each attempt, for instance for a fresh token. */
  readonly url: string | URL | (() => string | URL | Promise<string | URL>);
  readonly protocols?: string | string[];
  readonly connect?: undefined;
}

export type Connect = SocketConnectOptions['connect'];

/** A proxy that drops the handshake answers nothing, and a browser then waits for minutes. */
const LIMIT_MS = 20_000;

/** @throws AgentChatError `invalid_options` when there is neither a `connect` function nor a `url`, or both. */
export function toConnect(options: SocketConnectOptions | SocketUrlOptions): Connect {
  const { connect, url } = options ?? {};
  if (typeof connect === 'function' && url === undefined) return connect;
  if (connect !== undefined || url === undefined || url === '') {
    throw invalidOptions(
      connect !== undefined && url !== undefined
        ? 'createSocketTransport got both `connect` and `url`. Give one.'
        : "createSocketTransport needs `url: 'wss://...'`, or `connect: async () => socket`.",
    );
  }
  const { protocols } = options as SocketUrlOptions;
  return async () => {
    // Node before version 22 has no WebSocket. The check is made per attempt, because a page that is rendered in Node makes a
    // transport there and never connects it.
    if (typeof globalThis.WebSocket !== 'function') {
      throw new AgentChatError({
        code: 'connection_failed',
        message:
          'There is no WebSocket here. Give createSocketTransport a `connect` that makes one, such as `() => new WebSocket(url)` of the ws package.',
      });
    }
    return new globalThis.WebSocket(typeof url === 'function' ? await url() : url, protocols);
  };
}

/**
 * Makes one attempt. Returns the open socket, or undefined when the signal aborts first. An attempt that takes longer than 20 s
 * fails, because it would block every request that waits for it. A socket that opens too late is closed unused.
 *
 * @throws AgentChatError `connection_failed` if `connect` returns no socket, or after 20 s. Also throws whatever `connect` throws, and
 * undefined for a socket that closes instead of opening.
 */
export async function openSocket(
  connect: Connect,
  clock: Clock,
  signal: AbortSignal,
): Promise<SocketLike | undefined> {
  let socket: SocketLike | undefined;
  let isOver = false;
  const attempt = async () => {
    const made = await connect();
    if (typeof made?.send !== 'function') throw noSocket();
    socket = made;
    if (isOver) dismiss(made);
    else await opened(made);
    return made;
  };
  const onTimeout = () => {
    throw tooSlow();
  };
  let result: SocketLike | undefined;
  try {
    const ending = untilAborted(attempt(), signal);
    result = await withTimeout(ending, { clock, limitMs: LIMIT_MS, onTimeout });
    return result;
  } finally {
    isOver = true;
    if (result === undefined && socket !== undefined) dismiss(socket);
  }
}

function tooSlow(): AgentChatError {
  return new AgentChatError({
    code: 'connection_failed',
    message: `The connection did not open within ${LIMIT_MS / 1000} s. Check the network and the address, then retry.`,
    retryable: true,
  });
}

function noSocket(): AgentChatError {
  const message =
    '`connect` must return a socket; it returned something without send() (a missing `return`?).';
  return new AgentChatError({ code: 'connection_failed', message });
}
