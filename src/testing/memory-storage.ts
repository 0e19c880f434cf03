import type { ChatStorage } from '../core/persistence/chat-storage.ts';

/** Makes a {@link ChatStorage} in memory. */
export function createMemoryStorage(): ChatStorage & { readonly entries: ReadonlyMap<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    load: (key) => entries.get(key),
    save: (key, snapshot) => void entries.set(key, snapshot),
    remove: (key) => void entries.delete(key),
  };
}
