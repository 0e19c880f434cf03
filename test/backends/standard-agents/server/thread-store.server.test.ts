/** Threads in real PostgreSQL and Redis: a thread with an open question goes on in another process. */
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SessionStore } from '../../../../src/server/store/session-store.ts';
import { createPostgresSessionStore } from '../../../../src/server/stores/postgres/create-postgres-session-store.ts';
import { createRedisSessionStore } from '../../../../src/server/stores/redis/create-redis-session-store.ts';
import { startPostgresServer } from '../../../support/postgres-server.ts';
import { startRedisServer } from '../../../support/redis-server.ts';
import { openKit } from './kit/open-kit.ts';
import { call, outline, readThread, say } from './open-runtime.ts';

const stores: Record<string, () => SessionStore> = {};

beforeAll(async () => {
  const server = await startPostgresServer();
  const pool = new pg.Pool(server.connection);
  stores.PostgreSQL = () => createPostgresSessionStore({ query: (text, values) => pool.query(text, values) });
  return async () => {
    await pool.end();
    await server.stop();
  };
});

beforeAll(async () => {
  const server = await startRedisServer();
  const client = await server.connect();
  const opened: { close(): void }[] = [];
  stores.Redis = () => {
    const store = createRedisSessionStore({ client });
    opened.push(store);
    return store;
  };
  return async () => {
    for (const store of opened) store.close();
    await server.stop();
  };
});

describe.each(['PostgreSQL', 'Redis'])('in %s', (name) => {
  const open = () => stores[name]?.() as SessionStore;
  const ask = call('confirm', { text: 'Sure?' });

  test('a question that one process asked is answered in another one, which has all of the thread', async () => {
    const before = openKit([ask], { runtime: { store: open() } });
    const id = await before.createThread();
    await before.ask('PUT', `/${id}/env/KEY`, { value: 'NUL \0 and lone \ud800' });
    await before.send(id, 'Delete it');
    const after = openKit([[say('Done')]], { runtime: { store: open() } });
    const { calls } = await after.kit.inbox.list({ principal: { id: 'ann' } });
    expect(calls).toMatchObject([{ sessionId: `standard-agents/${id}`, call: { toolCallId: 'confirm-1' } }]);
    expect(await after.pending(id)).toEqual(await before.pending(id));
    expect(await after.answer(id, 'confirm-1', { outcome: 'submitted', result: true })).toMatchObject([
      200,
      {},
    ]);
    await after.rest(id);
    const rows = outline(await after.messages(id));
    expect(rows.slice(-2)).toEqual(['tool: true', 'assistant: Done']);
    expect(await after.kit.inbox.list({ principal: { id: 'ann' } })).toEqual({ calls: [] });
    const stored = await readThread(open(), id);
    expect(outline(stored.messages)).toEqual(rows);
    expect(stored.env).toEqual({ KEY: { value: 'NUL \0 and lone \ud800', type: 'secret' } });
    expect(stored.user_id).toBe('ann');
  });

  test('of two processes that save one thread, the later one is refused', async () => {
    const [one, other] = [
      openKit([], { runtime: { store: open() } }),
      openKit([], { runtime: { store: open() } }),
    ];
    const id = await one.createThread();
    await Promise.all([one.ask('GET', `/${id}`), other.ask('GET', `/${id}`)]);
    const put = (kit: typeof one, value: string) =>
      kit.json('PUT', `/${id}/env/CITY`, { value, type: 'text' }).then(([status]) => status);
    expect([await put(one, 'Oslo'), await put(other, 'Rome'), await put(other, 'Rome')]).toEqual([
      204, 503, 204,
    ]);
    expect((await readThread(open(), id)).env).toEqual({ CITY: { value: 'Rome', type: 'text' } });
  });
});
