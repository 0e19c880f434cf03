import pg from 'pg';
import { beforeAll, describe } from 'vitest';
import { createUtpTables } from '../../../../src/backends/utp/postgres/create-utp-tables.ts';
import { startPostgresServer } from '../../../support/postgres-server.ts';
import { testStores } from './store-tests.ts';

describe('the stores on PostgreSQL', () => {
  let pool: pg.Pool;
  beforeAll(async () => {
    const server = await startPostgresServer();
    pool = new pg.Pool(server.connection);
    // Two services that start at the same time both create the tables.
    await Promise.all([createUtpTables(pool), createUtpTables(pool)]);
    return async () => {
      await pool.end();
      await server.stop();
    };
  });

  testStores(() => pool);
});
