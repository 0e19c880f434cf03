type Listener<Event> = { listen(event: Event): void }['listen'] | null;

/**
 * The part of a socket that the transport uses. `connect` returns a browser's `WebSocket`, one of the `ws` package, a SockJS
 * connection, or anything alike. The transport sets the handlers.
 */
export interface SocketLike {
  send(data: string): void;
  close(): void;
  /** 0 connecting, 1 open; anything else is closed. */
  readonly readyState: number;
  onmessage: Listener<{ readonly data: unknown }>;
  onclose: Listener<never>;
  /** Needed only for a socket that `connect` returns before it is open. */
  onopen?: Listener<never>;
  onerror?: Listener<never>;
}

const CONNECTING = 0;
const OPEN = 1;

export function isSocketOpen(socket: SocketLike): boolean {
  return socket.readyState === OPEN;
}

/** Resolves when the socket is open. Rejects with undefined when the socket closes or fails instead. */
export function opened(socket: SocketLike): Promise<void> {
  return new Promise((resolve, reject) => {
    if (isSocketOpen(socket)) return resolve();
    if (socket.readyState !== CONNECTING) return reject(undefined);
    socket.onopen = () => resolve();
    socket.onclose = () => reject(undefined);
    socket.onerror = () => reject(undefined);
  });
}

/** Closes a socket and stops listening to it. */
export function dismiss(socket: SocketLike): void {
  socket.onmessage = null;
  socket.onclose = null;
  if ('onopen' in socket) socket.onopen = null;
  // A socket of the ws package that fails without a listener ends the Node process.
  if ('onerror' in socket) socket.onerror = () => {};
  try {
    socket.close();
  } catch {
    // The socket is closed already.
  }
}
