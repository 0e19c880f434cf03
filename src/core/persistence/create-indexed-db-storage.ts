import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import type { ChatStorage } from './chat-storage.ts';

/**
 * IndexedDB as a {@link ChatStorage}, for conversations too large for `localStorage`. The database is opened on first use.
 *
 * @param database name of the database (default `handrail`)
 */
export function createIndexedDbStorage(database = 'handrail'): ChatStorage {
  let opened: UseStore | undefined;
  const open = () => {
    opened ??= createStore(database, 'chats');
    return opened;
  };
  return {
    load: async (key) => get<string>(key, open()),
    save: async (key, snapshot) => set(key, snapshot, open()),
    remove: async (key) => del(key, open()),
  };
}
