/**
 * A connection to PostgreSQL: a `Pool` of `pg`, or PGlite (`@electric-sql/pglite`). Each call of `query` is one statement, and
 * therefore one transaction.
 */
export interface Database {
  query(text: string, parameters: unknown[]): Promise<{ readonly rows: readonly object[] }>;
}
