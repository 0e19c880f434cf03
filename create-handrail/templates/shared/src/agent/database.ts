import { PGlite } from '@electric-sql/pglite';
import { createPostgresSessionStore } from 'handrail/postgres';
import type { SessionStore } from 'handrail/server';

/** PGlite is PostgreSQL inside this process. For a real one, replace it by a `Pool` of the package `pg`, which has the same `query`. */
const FOLDER = '.data';

/** One of each for the process: Next.js gives every route its own copy of this module, and a folder has one PGlite at a time. */
const kept = globalThis as typeof globalThis & { appDatabase?: PGlite; appStore?: SessionStore };

export function getDatabase(): PGlite {
  kept.appDatabase ??= new PGlite(FOLDER);
  return kept.appDatabase;
}

/** Conversations with their open questions. They outlive a restart. */
export function getStore(): SessionStore {
  kept.appStore ??= createPostgresSessionStore({
    query: (text, values) => getDatabase().query<object>(text, values),
  });
  return kept.appStore;
}
