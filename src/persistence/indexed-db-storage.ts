import type { ChatStorage } from './chat-storage.ts';

/**
 * IndexedDB as a {@link ChatStorage}, for conversations too large for `localStorage`. Uses `idb-keyval`, loaded on
 * first use.
 *
 * @param database name of the database (default `handrail`)
 */
export function createIndexedDbStorage(database = 'handrail'): ChatStorage {
  let opened: Promise<ChatStorage> | undefined;
  const open = () => {
    opened ??= openDatabase(database);
    return opened;
  };
  return {
    load: async (key) => (await open()).load(key),
    save: async (key, snapshot) => (await open()).save(key, snapshot),
    remove: async (key) => (await open()).remove(key),
  };
}

async function openDatabase(database: string): Promise<ChatStorage> {
  const { createStore, del, get, set } = await import('idb-keyval');
  const store = createStore(database, 'chats');
  return {
    load: (key) => get<string>(key, store),
    save: (key, snapshot) => set(key, snapshot, store),
    remove: (key) => del(key, store),
  };
}
