import { createPostgresSessionStore } from 'handrail/postgres';
import type { SessionStore } from 'handrail/server';
import { getDatabase } from './database.ts';

/** One for the process, as the database: a route must see the runs that another one has started. */
const kept = globalThis as typeof globalThis & { appStore?: SessionStore };

/** Conversations with their open questions. They outlive a restart. */
export function getStore(): SessionStore {
  kept.appStore ??= createPostgresSessionStore({
    query: (text, values) => getDatabase().query<object>(text, values),
  });
  return kept.appStore;
}
