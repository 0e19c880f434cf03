/** Where snapshots of chats are kept. An interface, and the two kinds every browser has. */

/**
 * Keeps one text per key. Methods may answer at once or by a promise; what they throw is reported and the chat goes
 * on without.
 */
export interface ChatStorage {
  load(key: string): string | null | undefined | Promise<string | null | undefined>;
  save(key: string, snapshot: string): void | Promise<void>;
  remove(key: string): void | Promise<void>;
}

/** What many libraries call a storage: the methods of `localStorage` that are used. They may answer by a promise, too. */
export interface KeyValueStorage {
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>;
  setItem(key: string, value: string): void | Promise<void>;
  removeItem(key: string): void | Promise<void>;
}

/** Either of them, as an option takes it. */
export type StorageOption = ChatStorage | KeyValueStorage;

/**
 * `localStorage` (default) or `sessionStorage` as a {@link ChatStorage}. About 5 MB for all chats of an origin.
 *
 * @param storage looked up at each use, so that the page may run where there is none (a server, a private window)
 */
export function createWebStorage(storage: () => KeyValueStorage = () => localStorage): ChatStorage {
  return {
    load: (key) => storage().getItem(key),
    save: (key, snapshot) => storage().setItem(key, snapshot),
    remove: (key) => storage().removeItem(key),
  };
}

export function toChatStorage(storage: StorageOption): ChatStorage {
  return 'getItem' in storage ? createWebStorage(() => storage) : storage;
}
