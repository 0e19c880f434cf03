/** Tells of saves, for those who show what a session has: the list of open calls, a page that follows a conversation. */
import type { SessionStore } from './session-store.ts';

/** For stores that do not tell of saves themselves: the listeners of this process. */
const listenersOf = /* @__PURE__ */ new WeakMap<SessionStore, Set<(sessionId?: string) => void>>();

/** Calls back after each save of any session: by the store, or after the saves of this process. Returns the function that ends it. */
export function watchSessions(store: SessionStore, listener: (sessionId?: string) => void): () => void {
  if (store.watch !== undefined) return store.watch(listener);
  const listeners = listenersOf.get(store) ?? new Set();
  listenersOf.set(store, listeners);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Calls the listeners of {@link watchSessions}. To be called after each save. */
export function notifySaved(store: SessionStore, sessionId: string): void {
  for (const listener of listenersOf.get(store) ?? []) listener(sessionId);
}
