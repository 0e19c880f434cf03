/** The two ends of a socket, without a network: a frame arrives in a later task, as on a real one. */
import type { SocketLike } from '../../src/core/transport/socket-like.ts';
import type { ServerSocket } from '../../src/server/socket/listen-to-socket.ts';

type Handlers = Pick<ServerSocket, 'onmessage' | 'onclose'> | SocketLike;

/** @param passes called with each frame of the client. One for which it returns false is swallowed. */
export function createSocketPair(passes: (text: string) => boolean): {
  readonly client: SocketLike;
  readonly server: ServerSocket;
} {
  let readyState = 1;
  const deliver = (to: Handlers, data: string) =>
    setImmediate(() => {
      if (readyState === 1) to.onmessage?.({ data } as never);
    });
  const close = () => {
    if (readyState !== 1) return;
    readyState = 3;
    setImmediate(() => {
      client.onclose?.(undefined as never);
      server.onclose?.(undefined as never);
    });
  };
  const server: ServerSocket = {
    get readyState() {
      return readyState;
    },
    send: (data) => void deliver(client, data),
    onmessage: null,
    onclose: null,
  };
  const client: SocketLike = {
    get readyState() {
      return readyState;
    },
    send(data) {
      if (passes(data)) deliver(server, data);
    },
    close,
    onmessage: null,
    onclose: null,
  };
  return { client, server };
}
