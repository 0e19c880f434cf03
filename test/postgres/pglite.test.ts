import { PGlite } from '@electric-sql/pglite';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPostgresSessionStore } from '../../src/postgres/create-postgres-session-store.ts';
import { createSampleRecord } from '../../src/testing/session-store/sample-record.ts';
import { testPostgresStore } from './store-tests.ts';

describe('the session store on PGlite', () => {
  let database: PGlite;
  beforeAll(async () => {
    database = new PGlite();
    await database.waitReady;
    return () => database.close();
  });

  testPostgresStore(() => database);

  test('a role that may not create tables uses the tables that exist', async ({ onTestFinished }) => {
    await createPostgresSessionStore(database).load('s');
    await database.exec(`
      create role app;
      grant select, insert, update, delete on handrail_sessions, handrail_session_events to app;
      set role app;
    `);
    onTestFinished(async () => {
      await database.exec('reset role');
    });
    await expect(database.query('create table other (id text)')).rejects.toThrow('permission denied');
    const store = createPostgresSessionStore(database);
    expect(await store.save('s', createSampleRecord(1, 'Hi'))).toBe(true);
    expect(await store.load('s')).toEqual(createSampleRecord(1, 'Hi'));
  });
});

test.each([
  [{}, 'query must be a function, such as (text, values) => pool.query(text, values)'],
  [
    { query: async () => ({ rows: [] }), maxEvents: 0 },
    'maxEvents must be a whole number of 1 or more, not 0',
  ],
  [
    { query: async () => ({ rows: [] }), maxEvents: 2.5 },
    'maxEvents must be a whole number of 1 or more, not 2.5',
  ],
])('createPostgresSessionStore refuses the options %j', (options, message) => {
  expect(() =>
    createPostgresSessionStore(options as Parameters<typeof createPostgresSessionStore>[0]),
  ).toThrow(message);
});
