/** The part of a socket that is used, and waiting until it is open. */

type Listener<Event> = { listen(event: Event): void }['listen'] | null;

/**
 * What `connect` gives: a browser's `WebSocket`, one of the `ws` package, a SockJS connection, or anything alike.
 * Its handlers are set by the transport.
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

export function isOpen(socket: SocketLike): boolean {
  return socket.readyState === OPEN;
}

/** Resolves when the socket is open; rejects with a non-Error when it closes or fails first. */
export function opened(socket: SocketLike): Promise<void> {
  return new Promise((resolve, reject) => {
    if (isOpen(socket)) return resolve();
    if (socket.readyState !== CONNECTING) return reject(undefined);
    socket.onopen = () => resolve();
    socket.onclose = () => reject(undefined);
    socket.onerror = () => reject(undefined);
  });
}

/** Closes a socket that is no longer listened to. */
export function dismiss(socket: SocketLike): void {
  socket.onmessage = null;
  socket.onclose = null;
  if ('onopen' in socket) socket.onopen = null;
  // An error event without a listener would end a Node process.
  if ('onerror' in socket) socket.onerror = () => {};
  try {
    socket.close();
  } catch {
    // It is closed already.
  }
}
