import pg from 'pg';
import { beforeAll, describe } from 'vitest';
import { startPostgresServer } from '../../../support/postgres-server.ts';
import { testPostgresStore } from './store-tests.ts';

describe('the session store on PostgreSQL', () => {
  let pool: pg.Pool;
  beforeAll(async () => {
    const server = await startPostgresServer();
    pool = new pg.Pool(server.connection);
    return async () => {
      await pool.end();
      await server.stop();
    };
  });

  testPostgresStore(() => pool);
});
