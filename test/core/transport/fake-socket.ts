/** A socket whose server is the test. Frames need neither a network nor time. */
import type { SocketLike } from '../../../src/core/transport/socket-like.ts';

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
  /** Completes the handshake. */
  open(): void {
    this.readyState = 1;
    this.onopen?.(undefined as never);
  }
  /** Sends frames of the server, each in an event of its own. */
  say(...frames: unknown[]): void {
    for (const frame of frames) {
      this.onmessage?.({ data: typeof frame === 'string' ? frame : JSON.stringify(frame) });
    }
  }
  /** Closes the socket from the other side. */
  drop(): void {
    this.readyState = 3;
    this.onclose?.(undefined as never);
  }
}

/** Makes a server that gives each connection a new socket. Set `refuse` to make `connect` reject with it. */
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
    /** The latest socket. */
    get socket(): FakeSocket {
      const socket = sockets.at(-1);
      if (socket === undefined) throw new Error('nobody has connected');
      return socket;
    },
  };
  return server;
}
