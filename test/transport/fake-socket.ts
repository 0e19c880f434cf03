/** A server that the test controls: frames pass without a network and without delay. */
import type { SocketLike } from '../../src/transport/socket-like.ts';

export class FakeSocket implements SocketLike {
  readyState = 1;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  onopen: SocketLike['onclose'] = null;
  readonly sent: unknown[] = [];
  closed = false;

  send(data: string): void {
    if (this.readyState !== 1) throw new Error('not open');
    this.sent.push(JSON.parse(data));
  }
  close(): void {
    this.closed = true;
    this.drop();
  }
  /** The handshake is done. */
  open(): void {
    this.readyState = 1;
    this.onopen?.(undefined as never);
  }
  /** The server's frames, one event of the socket each. */
  say(...frames: unknown[]): void {
    for (const frame of frames) {
      this.onmessage?.({ data: typeof frame === 'string' ? frame : JSON.stringify(frame) });
    }
  }
  /** The network or the server closes it. */
  drop(): void {
    this.readyState = 3;
    this.onclose?.(undefined as never);
  }
}

/** Gives a new socket per connection; set `refuse` to make connecting fail with it. */
export function createFakeServer() {
  const sockets: FakeSocket[] = [];
  const server = {
    sockets,
    refuse: undefined as unknown,
    connects: 0,
    connect: async () => {
      server.connects++;
      if (server.refuse !== undefined) throw server.refuse;
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    /** The connection in use. */
    get socket(): FakeSocket {
      const socket = sockets.at(-1);
      if (socket === undefined) throw new Error('no client has connected');
      return socket;
    },
  };
  return server;
}
