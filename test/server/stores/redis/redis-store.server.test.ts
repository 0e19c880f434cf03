import { beforeAll, describe, expect, test } from 'vitest';
import type { EventLog } from '../../../../src/server/store/event-log.ts';
import { createRedisSessionStore } from '../../../../src/server/stores/redis/create-redis-session-store.ts';
import { createSampleRecord } from '../../../../src/testing/session-store/sample-record.ts';
import { type RedisClient, type RedisServer, startRedisServer } from '../../../support/redis-server.ts';
import { runStoreChecks } from '../../../testing/run-store-checks.ts';
import { testEditedArguments } from '../edited-arguments.ts';

let server: RedisServer;
let client: RedisClient;
beforeAll(async () => {
  server = await startRedisServer();
  client = await server.connect();
  return () => server.stop();
});

describe('the session store on Redis', () => {
  runStoreChecks(() => openStore(), { durable: true, dump });
});

describe('arguments that a person has changed, in Redis', () => {
  testEditedArguments(() => openStore());
});

describe('the session store on Redis with a log of ten events', () => {
  runStoreChecks(() => openStore({ maxEvents: 10 }), { durable: true });
});

/** The commands that read all of a key, by its type. */
const READ: Readonly<Record<string, (key: string) => string[]>> = {
  hash: (key) => ['HGETALL', key],
  list: (key) => ['LRANGE', key, '0', '-1'],
  set: (key) => ['SMEMBERS', key],
  stream: (key) => ['XRANGE', key, '-', '+'],
  string: (key) => ['GET', key],
  zset: (key) => ['ZRANGE', key, '0', '-1'],
};

async function dump(): Promise<string> {
  const all: unknown[] = [];
  for (const key of await client.keys('handrail:*')) {
    const read = READ[await client.type(key)];
    if (read === undefined) throw new Error(`The key ${key} has a type that is not read here`);
    all.push(key, await client.sendCommand(read(key)));
  }
  return JSON.stringify(all);
}

const stores: ReturnType<typeof createRedisSessionStore>[] = [];
function openStore(options: { readonly maxEvents?: number; readonly prefix?: string } = {}) {
  const store = createRedisSessionStore({ client, ...options });
  stores.push(store);
  return store;
}
beforeAll(() => () => {
  for (const store of stores) store.close();
});

async function append(log: EventLog, from: number, to: number): Promise<void> {
  for (let seq = from; seq <= to; seq += 1)
    await log.append({ seq, event: { type: 'text-start', id: `${seq}` } });
}

describe('the events of a session in Redis', () => {
  test('a full log has the last maxEvents events, and at most some hundred more', async () => {
    const store = openStore({ maxEvents: 10 });
    await store.save('full', createSampleRecord(1, 'Hi', { id: 'x' }));
    const log = store.openLog('full', 'x', 0);
    await append(log, 1, 500);
    expect(await log.read(490)).toHaveLength(10);
    expect(await log.read(0)).toBeNull();
    expect(await client.xLen('handrail:events:full')).toBeLessThan(250);
  });

  test('a save that wins deletes the events of earlier executions, a save that loses deletes none', async () => {
    const store = openStore();
    await store.save('s', createSampleRecord(1, 'Hi', { id: 'first' }));
    await append(store.openLog('s', 'first', 0), 1, 2);
    expect(await store.save('s', createSampleRecord(1, 'late', { id: 'second' }))).toBe(false);
    expect(await client.xLen('handrail:events:s')).toBe(2);
    await store.save('s', createSampleRecord(2, 'next', { id: 'second' }));
    expect(await client.exists('handrail:events:s')).toBe(0);
  });

  test('an event that two processes append is there once', async () => {
    const store = openStore();
    await store.save('twice', createSampleRecord(1, 'Hi', { id: 'x' }));
    await Promise.all([
      append(store.openLog('twice', 'x', 0), 1, 2),
      append(openStore().openLog('twice', 'x', 0), 1, 2),
    ]);
    expect(await client.xLen('handrail:events:twice')).toBe(2);
  });
});

describe('a store on Redis', () => {
  test('has the keys of its prefix alone', async () => {
    const store = openStore({ prefix: 'other:' });
    await store.save('mine', createSampleRecord(1, 'Hi'));
    expect(await openStore().load('mine')).toBeNull();
    expect(await client.keys('other:*')).toEqual(expect.arrayContaining(['other:session:mine']));
  });

  test('reads a record that version 0.1 stored whole, and stores its parts at the next save', async () => {
    const store = openStore({ prefix: 'whole:' });
    const record = createSampleRecord(4, 'Hi');
    await client.hSet('whole:session:s', {
      revision: '4',
      record: JSON.stringify(record),
      execution: 'execution-1',
      waiting: '',
    });
    expect(await store.load('s')).toEqual(record);
    expect(await store.save('s', { ...record, messages: [] })).toBe(false);
    const next = { ...createSampleRecord(5, 'again'), messages: [] };
    expect(await store.save('s', next)).toBe(true);
    expect(await openStore({ prefix: 'whole:' }).load('s')).toEqual(next);
    expect(await client.hExists('whole:session:s', 'record')).toBe(0);
  });

  test('sends the whole record when the session was deleted and made anew since its last save', async () => {
    const store = openStore({ prefix: 'anew:' });
    const other = openStore({ prefix: 'anew:' });
    const record = createSampleRecord(1, 'mine');
    await store.save('s', record);
    await client.del('anew:session:s');
    await other.save('s', createSampleRecord(1, 'of another process'));
    const next = { ...record, revision: 2 };
    expect(await store.save('s', next)).toBe(true);
    expect(await other.load('s')).toEqual(next);
  });

  test('lists no call of a session whose keys were deleted', async () => {
    const store = openStore({ prefix: 'deleted:' });
    for (const id of ['a', 'b', 'c']) await store.save(id, createSampleRecord(1, 'Hi', { askedAt: 1_000 }));
    await client.del('deleted:session:b');
    const list = async () =>
      (await store.listOpenCalls({ limit: 10 })).calls.map(({ sessionId }) => sessionId);
    expect(await list()).toEqual(['a', 'c']);
    expect(await client.zRange('deleted:waiting', 0, -1)).toEqual(['a', 'c']);
  });

  test('calls its watchers back after a save of another process', async () => {
    const saved = new Promise<unknown>((resolve) => openStore().watch(resolve));
    const other = openStore();
    // A watcher that is not connected yet misses a save.
    for (let revision = 1; ; revision += 1) {
      await other.save('watched', createSampleRecord(revision, 'Hi'));
      if ((await Promise.race([saved, client.ping()])) !== 'PONG') break;
    }
    expect(await saved).toBe('watched');
  });

  test('works on after a crash and a restart of the server, which knows no scripts then', async () => {
    const store = openStore();
    expect(await store.save('durable', createSampleRecord(1, 'Hi'))).toBe(true);
    await server.crash();
    await server.restart();
    expect(await store.load('durable')).toEqual(createSampleRecord(1, 'Hi'));
    expect(await store.save('durable', createSampleRecord(2, 'again'))).toBe(true);
  });
});

test.each([
  [{}, 'client must be a client of the package redis'],
  [
    { client: { sendCommand() {}, duplicate() {} }, leaseMs: 0 },
    'leaseMs must be a whole number of 1 or more, not 0',
  ],
  [
    { client: { sendCommand() {}, duplicate() {} }, maxEvents: 2.5 },
    'maxEvents must be a whole number of 1 or more, not 2.5',
  ],
])('createRedisSessionStore refuses the options %j', (options, message) => {
  expect(() => createRedisSessionStore(options as Parameters<typeof createRedisSessionStore>[0])).toThrow(
    message,
  );
});
