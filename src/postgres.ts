/** `handrail/postgres`: sessions of `handrail/server` in PostgreSQL. For Node. */

export {
  createPostgresSessionStore,
  type PostgresSessionStoreOptions,
} from './server/stores/postgres/create-postgres-session-store.ts';
