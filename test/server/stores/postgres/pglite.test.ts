import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAgentSession } from '../../../../src/server/sessions/create-agent-session.ts';
import { createPostgresSessionStore } from '../../../../src/server/stores/postgres/create-postgres-session-store.ts';
import { createSampleRecord } from '../../../../src/testing/session-store/sample-record.ts';
import { calls, continueWith, createListAgent, hello, requestIn, run, stop, text } from '../../support.ts';
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
      grant select, insert, update, delete on
        handrail_sessions, handrail_session_parts, handrail_session_events, handrail_choices to app;
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

test('an open question is answered once after the database in a folder was closed and opened again', async ({
  onTestFinished,
}) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'handrail-pglite-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const agent = createListAgent([...text('Hm'), ...calls('ask')], [...text('Done'), stop]);
  const inNewProcess = async (payload: unknown) => {
    const database = new PGlite(folder);
    const store = createPostgresSessionStore(database);
    const events = await run(createAgentSession({ id: 's', agent, store }), payload);
    await database.close();
    return events;
  };
  const asked = await inNewProcess(hello);
  const { executionId } = requestIn(asked);
  const resume = { type: 'resume', executionId, cursor: asked[0]?.cursor };
  expect(await inNewProcess(resume)).toEqual(asked.slice(1));
  expect((await inNewProcess(continueWith(asked))).at(-1)).toMatchObject({ finishReason: 'stop' });
  expect(await inNewProcess(continueWith(asked))).toMatchObject([{ code: 'already_answered' }]);
  expect(agent.contexts).toHaveLength(2);
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
