import { PGlite } from '@electric-sql/pglite';
import { beforeAll, describe } from 'vitest';
import { createUtpTables } from '../../../../src/backends/utp/postgres/create-utp-tables.ts';
import { testStores } from './store-tests.ts';

describe('the stores on PGlite', () => {
  let database: PGlite;
  beforeAll(async () => {
    database = new PGlite();
    await createUtpTables(database);
    return () => database.close();
  });

  testStores(() => database);
});
