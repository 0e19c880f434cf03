/**
 * Signs that an attempt which waits is worth making now: the browser has a network again, or the person looks at the
 * page again. Hints only: `online` does not mean that the server can be reached. Nothing where there is no browser.
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
