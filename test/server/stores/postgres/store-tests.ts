/** The tests of the session store. They run on PGlite, and on a real server where statements really run at the same time. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { EventLog } from '../../../../src/server/store/event-log.ts';
import { toKeyText } from '../../../../src/server/store/key-text.ts';
import type { SessionStore } from '../../../../src/server/store/session-store.ts';
import {
  createPostgresSessionStore,
  type PostgresSessionStoreOptions,
} from '../../../../src/server/stores/postgres/create-postgres-session-store.ts';
import { createSampleRecord } from '../../../../src/testing/session-store/sample-record.ts';
import { runStoreChecks } from '../../../testing/run-store-checks.ts';
import { testEditedArguments } from '../edited-arguments.ts';

/** @param getDatabase returns a database, with or without the tables */
export function testPostgresStore(getDatabase: () => PostgresSessionStoreOptions): void {
  describe('a store with the default options', () => {
    const tables = ['sessions', 'session_parts', 'session_events', 'choices'];
    const dump = async () => {
      const rows = tables.map((table) =>
        getDatabase().query(
          `select string_agg(stored::text, ' ') as all from handrail_${table} as stored`,
          [],
        ),
      );
      return JSON.stringify((await Promise.all(rows)).map((result) => result.rows));
    };
    runStoreChecks(() => createPostgresSessionStore(getDatabase()), { durable: true, dump });
  });

  describe('arguments that a person has changed', () => {
    testEditedArguments(() => createPostgresSessionStore(getDatabase()));
  });

  let database: PostgresSessionStoreOptions;
  const query = (text: string, values: unknown[]) => database.query(text, values);
  const select = async (text: string, ...values: unknown[]) => (await query(text, values)).rows;
  beforeEach(() => {
    database = getDatabase();
  });

  describe('the events of a session', () => {
    const openLog = (store: SessionStore, id: string, executionId: string) =>
      (store.openLog as NonNullable<SessionStore['openLog']>)(id, executionId, 0);
    const append = async (log: EventLog, from: number, to: number) => {
      for (let seq = from; seq <= to; seq += 1)
        await log.append({ seq, event: { type: 'text-start', id: `${seq}` } });
    };
    const storedEvents = async (id: string) =>
      (
        await select(
          `select execution_id || '-' || seq as name from handrail_session_events where session_id = $1 order by 1`,
          id,
        )
      ).map((row) => (row as { name: string }).name);

    test('a full log has the last maxEvents events, and at most twice as many', async () => {
      const store = createPostgresSessionStore({ query, maxEvents: 3 });
      await store.save('full', createSampleRecord(1, 'Hi', { id: 'x' }));
      const log = openLog(store, 'full', 'x');
      for (let seq = 1; seq <= 30; seq += 1) {
        await append(log, seq, seq);
        expect((await log.read(Math.max(0, seq - 3)))?.length).toBe(Math.min(seq, 3));
        expect((await storedEvents('full')).length).toBeLessThanOrEqual(6);
      }
      expect(await log.read(0)).toBeNull();
    });

    test('a log is trimmed although each request of its execution opens it anew', async () => {
      const store = createPostgresSessionStore({ query, maxEvents: 3 });
      await store.save('many-requests', createSampleRecord(1, 'Hi', { id: 'x' }));
      for (let seq = 1; seq <= 30; seq += 2) await append(openLog(store, 'many-requests', 'x'), seq, seq + 1);
      expect((await storedEvents('many-requests')).length).toBeLessThanOrEqual(6);
    });

    test('a full log of an earlier execution, which a late process still writes, leaves the current log alone', async () => {
      const store = createPostgresSessionStore({ query, maxEvents: 3 });
      await store.save('late', createSampleRecord(1, 'Hi', { id: 'first' }));
      const late = openLog(store, 'late', 'first');
      await store.save('late', createSampleRecord(2, 'Hi', { id: 'second' }));
      await append(openLog(store, 'late', 'second'), 1, 2);
      await append(late, 1, 10);
      expect(await openLog(store, 'late', 'second').read(0)).toHaveLength(2);
    });

    test('a save that wins deletes the events of earlier executions, a save that loses deletes none', async () => {
      const store = createPostgresSessionStore({ query });
      await store.save('s', createSampleRecord(1, 'Hi', { id: 'first' }));
      await append(openLog(store, 's', 'first'), 1, 2);
      expect(await store.save('s', createSampleRecord(1, 'late', { id: 'second' }))).toBe(false);
      expect(await storedEvents('s')).toEqual(['first-1', 'first-2']);
      await store.save('s', createSampleRecord(2, 'next', { id: 'second' }));
      expect(await storedEvents('s')).toEqual([]);
    });

    test('an event that two processes append has one row', async () => {
      const store = createPostgresSessionStore({ query });
      await store.save('twice', createSampleRecord(1, 'Hi', { id: 'x' }));
      await Promise.all([
        append(openLog(store, 'twice', 'x'), 1, 2),
        append(openLog(store, 'twice', 'x'), 1, 2),
      ]);
      expect(await storedEvents('twice')).toEqual(['x-1', 'x-2']);
    });

    test('the events of a session are deleted with its row', async () => {
      const store = createPostgresSessionStore({ query });
      await store.save('old', createSampleRecord(1, 'Hi', { id: 'x' }));
      await append(openLog(store, 'old', 'x'), 1, 2);
      await select("delete from handrail_sessions where session_id = 'old' and updated_at <= now()");
      expect(await storedEvents('old')).toEqual([]);
    });
  });

  test('the time of the store is that of the database', async () => {
    const read = async () =>
      Number((await select('select extract(epoch from now()) * 1000 as ms'))[0]?.['ms' as never]);
    const before = await read();
    const now = await createPostgresSessionStore({ query }).now?.();
    expect(now).toBeGreaterThanOrEqual(Math.floor(before));
    expect(now).toBeLessThanOrEqual(await read());
  });

  test('a save sets the time at which the session changed last', async () => {
    const store = createPostgresSessionStore({ query });
    await store.save('dated', createSampleRecord(1, 'Hi'));
    await select("update handrail_sessions set updated_at = 'epoch' where session_id = 'dated'");
    await store.save('dated', createSampleRecord(2, 'Hi'));
    const recent = await select(
      "select from handrail_sessions where session_id = 'dated' and updated_at > now() - interval '1 hour'",
    );
    expect(recent).toHaveLength(1);
  });

  test('a save beside 200 kB of history sends what has changed since this process loaded or saved the record', async () => {
    let characters = 0;
    const openCounted = () =>
      createPostgresSessionStore({
        query(text, values) {
          characters += text.length + JSON.stringify(values).length;
          return query(text, values);
        },
      });
    const [store, other] = [openCounted(), openCounted()];
    await store.save('large', createSampleRecord(1, 'x'.repeat(100_000), { state: 'done', open: [] }));
    const loaded = await other.load('large');
    if (loaded === null) throw new Error('The record is gone');
    const before = characters;
    let record = loaded;
    for (let revision = 2; revision <= 51; revision += 1) {
      record = { ...record, revision, receivedKeys: [`key ${revision}`] };
      expect(await other.save('large', record)).toBe(true);
    }
    expect(characters - before).toBeLessThan(200_000);
    expect(await store.load('large')).toEqual(record);
  });

  test('a save sends the whole record when the session was deleted and made anew since the last one', async () => {
    const [store, other] = [createPostgresSessionStore({ query }), createPostgresSessionStore({ query })];
    const record = createSampleRecord(1, 'mine');
    await store.save('anew', record);
    await select("delete from handrail_sessions where session_id = 'anew'");
    await other.save('anew', createSampleRecord(1, 'of another process'));
    expect(await store.save('anew', { ...record, revision: 2 })).toBe(true);
    expect(await other.load('anew')).toEqual({ ...record, revision: 2 });
  });

  describe('the tables of an earlier version', () => {
    const open = [{ toolCallId: 'a', toolName: 'ask', args: {} }];
    const waitingId = 'waiting \u0000';

    beforeEach(async () => {
      await select('drop table if exists handrail_session_events, handrail_session_parts, handrail_sessions');
      await select(`create table handrail_sessions (
        session_id text primary key, revision bigint not null, record text not null,
        updated_at timestamptz not null default now()
      )`);
      const insert =
        'insert into handrail_sessions (session_id, revision, record, updated_at) values ($1, $2, $3, $4)';
      const [waiting, misleading] = [
        createSampleRecord(1, 'Hi \u0000', { open }),
        createSampleRecord(1, 'Hi', { state: 'done', trigger: { name: 'x', input: { state: 'waiting' } } }),
      ];
      await select(insert, toKeyText(waitingId), 1, JSON.stringify(waiting), '2026-01-05T10:00:00Z');
      await select(insert, 'done', 1, JSON.stringify(misleading), '2026-01-05T10:00:00Z');
    });

    test('a store lists the calls of a session that an earlier version stored, as asked when it was saved', async () => {
      const store = createPostgresSessionStore({ query });
      const executionId = 'execution-1';
      const askedAt = Date.parse('2026-01-05T10:00:00Z');
      expect(await store.listOpenCalls?.()).toEqual({
        calls: [{ sessionId: waitingId, executionId, askedAt, call: open[0] }],
      });
    });

    test('a store lists the calls of a record of version 0.1 that is stored whole, which has the calls in its execution', async () => {
      const { messages, execution } = createSampleRecord(1, 'Hi', { open });
      const record = {
        ...{ revision: 1, receivedKeys: ['key-1'] },
        messages: [messages[0], { role: 'assistant', content: 'One moment', toolCalls: open }],
        execution: { ...execution, open, ran: [], lastAnswers: [], answered: [], given: [], answeredAt: 0 },
      };
      await select(
        'update handrail_sessions set record = $2 where session_id = $1',
        ...[toKeyText(waitingId), JSON.stringify(record)],
      );
      const store = createPostgresSessionStore({ query });
      const { calls = [] } = (await store.listOpenCalls?.()) ?? {};
      expect(calls).toMatchObject([{ sessionId: waitingId, executionId: 'execution-1', call: open[0] }]);
    });

    test('a record that an earlier version stored whole is read, and stored in parts at the next save', async () => {
      const store = createPostgresSessionStore({ query });
      const loaded = await store.load(waitingId);
      expect(loaded).toEqual(createSampleRecord(1, 'Hi \u0000', { open }));
      const next = createSampleRecord(2, 'Hi', { state: 'done' });
      expect(await store.save(waitingId, next)).toBe(true);
      expect(await createPostgresSessionStore({ query }).load(waitingId)).toEqual(next);
      expect(await select('select record from handrail_sessions where revision = 2')).toEqual([
        { record: '' },
      ]);
    });

    test('a session that an earlier version stored leaves the list when it is saved', async () => {
      const store = createPostgresSessionStore({ query });
      await store.save(waitingId, createSampleRecord(2, 'Hi', { state: 'done' }));
      expect(await store.listOpenCalls?.()).toEqual({ calls: [] });
    });
  });

  describe('the tables', () => {
    test('stores that are used for the first time together all find the tables', async () => {
      await select('drop table if exists handrail_session_events, handrail_session_parts, handrail_sessions');
      const stores = Array.from({ length: 5 }, () => createPostgresSessionStore({ query }));
      expect(await Promise.all(stores.map((store) => store.load('nobody')))).toEqual(Array(5).fill(null));
    });

    test('a store that could not make the tables makes them at its next use', async () => {
      await select('drop table if exists handrail_session_events, handrail_session_parts, handrail_sessions');
      let isDown = true;
      const store = createPostgresSessionStore({
        query: (text, values) =>
          isDown ? Promise.reject(new Error('connection refused')) : query(text, values),
      });
      await expect(store.load('s')).rejects.toThrow('connection refused');
      isDown = false;
      expect(await store.load('s')).toBeNull();
    });

    test('a store makes the tables once', async () => {
      const texts: string[] = [];
      const store = createPostgresSessionStore({
        query(text, values) {
          texts.push(text);
          return query(text, values);
        },
      });
      await Promise.all([store.load('a'), store.load('b')]);
      expect(texts.filter((text) => text.includes('create table'))).toHaveLength(1);
    });
  });
}
