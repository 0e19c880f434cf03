/** Turns both forms of the connect options, `connect` and `url`, into one function. */
import { AgentChatError, invalidOptions } from '../shared/errors.ts';
import type { SocketLike } from './socket-like.ts';

/** Your own connection: authenticate, choose the library. */
export interface SocketConnectOptions {
  /**
   * A socket bound to the session, open or about to open. Called again for each attempt, which has failed when the socket
   * is not open after 20 s.
   */
  readonly connect: () => SocketLike | Promise<SocketLike>;
  readonly url?: undefined;
}

/** A `WebSocket` made for you. */
export interface SocketUrlOptions {
  /** `ws:` or `wss:`; a function is asked before each attempt, for instance for a fresh token. */
  readonly url: string | URL | (() => string | URL | Promise<string | URL>);
  readonly protocols?: string | string[];
  readonly connect?: undefined;
}

/** @throws AgentChatError `invalid_options` when there is neither a `connect` function nor a `url`, or both. */
export function toConnect(options: SocketConnectOptions | SocketUrlOptions): SocketConnectOptions['connect'] {
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
    // Node before version 22 has none. Looked up here, so that a transport can be made while a page is rendered there.
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
