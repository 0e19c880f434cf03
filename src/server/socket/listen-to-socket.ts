/** Listens to a socket by DOM events, Node's emitter or handler properties, whichever the socket has. */

/** A socket like those of `ws`, browsers and Deno. Wrap a socket whose methods and events have other names, such as SockJS (`write`, `data`). */
export interface ServerSocket {
  send(data: string): void;
  /** 1 means open. */
  readonly readyState?: number;
  /** Bytes not sent yet. If the socket has this number, the run waits while it is high. */
  readonly bufferedAmount?: number;
  addEventListener?(type: string, listener: (event: unknown) => void): void;
  removeEventListener?(type: string, listener: (event: unknown) => void): void;
  on?(type: string, listener: (data: unknown) => void): unknown;
  off?(type: string, listener: (data: unknown) => void): unknown;
  onmessage?: ((event: never) => unknown) | null;
  onclose?: ((event: never) => unknown) | null;
}

/** Listens until the returned function is called. */
export function listenToSocket(
  socket: ServerSocket,
  onMessage: (data: unknown) => void,
  onClose: () => void,
): () => void {
  const onMessageEvent = (event: unknown) => onMessage((event as { data?: unknown }).data);
  if (socket.addEventListener !== undefined) {
    socket.addEventListener('message', onMessageEvent);
    socket.addEventListener('close', onClose);
    // `ws` throws an error that has no listener. A close event always follows, so the error itself is ignored.
    socket.addEventListener('error', ignore);
    return () => {
      socket.removeEventListener?.('message', onMessageEvent);
      socket.removeEventListener?.('close', onClose);
    };
  }
  if (socket.on !== undefined) {
    socket.on('message', onMessage);
    socket.on('close', onClose);
    socket.on('error', ignore);
    return () => {
      socket.off?.('message', onMessage);
      socket.off?.('close', onClose);
    };
  }
  socket.onmessage = onMessageEvent;
  socket.onclose = onClose;
  return () => {
    socket.onmessage = null;
    socket.onclose = null;
  };
}

/** The text of a frame (a string, a buffer or a list of buffers), or `null` for anything else. */
export function readFrameText(data: unknown): string | null {
  if (typeof data === 'string') return data;
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return new TextDecoder().decode(data);
  if (Array.isArray(data) && data.every((part) => ArrayBuffer.isView(part))) {
    const decoder = new TextDecoder();
    return data.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  }
  return null;
}

function ignore(): void {}
