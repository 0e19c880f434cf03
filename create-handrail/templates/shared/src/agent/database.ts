import { PGlite } from '@electric-sql/pglite';

/** PGlite is PostgreSQL inside this process. For a real one, replace it by a `Pool` of the package `pg`, which has the same `query`. */
const FOLDER = '.data';

/** One for the process: Next.js gives every route its own copy of this module, and a folder has one PGlite at a time. */
const kept = globalThis as typeof globalThis & { appDatabase?: PGlite };

export function getDatabase(): PGlite {
  kept.appDatabase ??= new PGlite(FOLDER);
  return kept.appDatabase;
}
