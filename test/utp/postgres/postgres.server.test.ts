import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { createUtpTables } from '../../../src/utp/postgres/create-utp-tables.ts';
import { type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { testStores } from './store-tests.ts';

describe('the stores on PostgreSQL', () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgresServer();
    pool = new pg.Pool(server.connection);
    // Two services that start at the same time both create the tables.
    await Promise.all([createUtpTables(pool), createUtpTables(pool)]);
  });
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  testStores(() => pool);
});
