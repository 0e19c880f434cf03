import type { ChatStorage } from '../persistence/chat-storage.ts';

/** A {@link ChatStorage} that lasts as long as the test. */
export function createMemoryStorage(): ChatStorage & { readonly entries: ReadonlyMap<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    load: (key) => entries.get(key),
    save: (key, snapshot) => void entries.set(key, snapshot),
    remove: (key) => void entries.delete(key),
  };
}
