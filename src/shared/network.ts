/**
 * The network as the browser tells of it: the one place that reads `navigator.onLine` and its events. Outside of a browser there is always a
 * network. Tests replace the globals (`test/support/fake-network.ts`).
 */

/** The event of `tryNow` on the global object. */
const TRY_NOW = 'handrail-try-now';

/**
 * Returns true if the browser is certain that it has no network. False proves nothing: a browser on a dead network is online, and requests
 * fail until the retry policy is out of attempts.
 */
export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}

/** Calls back when the network is lost and when it is back. Returns the unsubscribe function. */
export function onNetworkChange(callback: () => void): () => void {
  return listen(['online', 'offline'], callback);
}

/** Resolves when the browser has a network, at once if it has one, or when the signal aborts. */
export function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (isOffline() && !signal.aborted) return;
      ignore();
      signal.removeEventListener('abort', check);
      resolve();
    };
    const ignore = listen(['online'], check);
    signal.addEventListener('abort', check);
    check();
  });
}

/**
 * Calls back when a waiting attempt is worth making now: the browser has a network again, the person looks at the page again, or asks for it.
 * These are hints: `online` does not mean that the server can be reached. Returns the unsubscribe function.
 */
export function onNetworkHint(callback: () => void): () => void {
  const onVisible = () => {
    if (globalThis.document.visibilityState === 'visible') callback();
  };
  const ignore = listen(['online', TRY_NOW], callback);
  globalThis.document?.addEventListener('visibilitychange', onVisible);
  return () => {
    ignore();
    globalThis.document?.removeEventListener('visibilitychange', onVisible);
  };
}

/** A person does not want to wait: every attempt of this page that waits is made now. */
export function tryNow(): void {
  globalThis.dispatchEvent?.(new Event(TRY_NOW));
}

function listen(types: readonly string[], callback: () => void): () => void {
  for (const type of types) globalThis.addEventListener?.(type, callback);
  return () => {
    for (const type of types) globalThis.removeEventListener?.(type, callback);
  };
}
