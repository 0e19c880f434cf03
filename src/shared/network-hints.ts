/**
 * Calls back when a waiting attempt is worth making now: the browser has a network again, or the person looks at the page again.
 * These are hints: `online` does not mean that the server can be reached. Outside of a browser nothing calls back. Returns the
 * unsubscribe function.
 */
export function onNetworkHint(callback: () => void): () => void {
  const onVisible = () => {
    if (globalThis.document.visibilityState === 'visible') callback();
  };
  globalThis.addEventListener?.('online', callback);
  globalThis.document?.addEventListener('visibilitychange', onVisible);
  return () => {
    globalThis.removeEventListener?.('online', callback);
    globalThis.document?.removeEventListener('visibilitychange', onVisible);
  };
}
