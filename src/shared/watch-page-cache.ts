/**
 * Calls back when the browser keeps the page for the back button instead of closing it, and when the person comes back to it.
 *
 * A kept page runs no task, but its open responses and sockets occupy connections that the next pages need: over HTTP/1.1 a browser
 * opens six of them to one server. WebKit breaks them without an event. Returns the function that ends the watch.
 */
export function watchPageCache(onLeave: () => void, onReturn?: () => void): () => void {
  const onLifecycle = ({ type, persisted }: Event & { readonly persisted?: boolean }) => {
    if (persisted) (type === 'pagehide' ? onLeave : onReturn)?.();
  };
  globalThis.addEventListener?.('pagehide', onLifecycle);
  globalThis.addEventListener?.('pageshow', onLifecycle);
  return () => {
    globalThis.removeEventListener?.('pagehide', onLifecycle);
    globalThis.removeEventListener?.('pageshow', onLifecycle);
  };
}
