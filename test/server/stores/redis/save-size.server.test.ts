/** What a save costs: the bytes of the commands that a store sends. */
import { beforeAll, expect, test } from 'vitest';
import { createAgentSession } from '../../../../src/server/sessions/create-agent-session.ts';
import { createRedisSessionStore } from '../../../../src/server/stores/redis/create-redis-session-store.ts';
import type { RedisConnection } from '../../../../src/server/stores/redis/redis-connection.ts';
import { defineServerTool } from '../../../../src/server/tools/define-server-tool.ts';
import { createManualClock } from '../../../../src/testing/manual-clock.ts';
import { createSampleRecord } from '../../../../src/testing/session-store/sample-record.ts';
import { type RedisServer, startRedisServer } from '../../../support/redis-server.ts';
import { calls, createListAgent, hello, run, stop, text } from '../../support.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer();
  return () => server.stop();
});

/** A store whose client counts the bytes that it is given to send. The clock stands still, so that no lease is renewed. */
async function openCounted(prefix: string) {
  const client = await server.connect();
  let bytes = 0;
  const counted: RedisConnection = {
    sendCommand(args) {
      bytes += args.reduce((sum, argument) => sum + Buffer.byteLength(argument), 0);
      return client.sendCommand([...args]);
    },
    duplicate: () => client.duplicate() as unknown as RedisConnection,
    connect: () => client.connect(),
    subscribe: (channel, listener) => client.subscribe(channel, listener),
    on: (event, listener) => client.on(event, listener),
    destroy: () => client.destroy(),
  };
  const store = createRedisSessionStore({ client: counted, prefix, clock: createManualClock() });
  return { store, getBytes: () => bytes };
}

test('fifty steps of two bytes beside 200 kB of history cost Redis a fraction of the history', async ({
  onTestFinished,
}) => {
  const { store, getBytes } = await openCounted('steps:');
  onTestFinished(() => store.close());
  const count = defineServerTool({
    async execute(_, { once }) {
      for (let step = 10; step < 60; step += 1) await once(`step ${step}`, () => step);
      return 'counted';
    },
  });
  const agent = createListAgent([...text('x'.repeat(200_000)), stop], calls('count'), [
    ...text('Counted'),
    stop,
  ]);
  const session = createAgentSession({ id: 's', agent, store, tools: { count } });
  await run(session, hello);
  const before = getBytes();
  expect(before).toBeGreaterThan(200_000);
  await run(session, hello);
  expect(getBytes() - before).toBeLessThan(200_000);
  expect((await store.load('s'))?.messages.at(-1)).toMatchObject({ content: 'Counted' });
});

test('a process that took over a session sends what has changed since it loaded the record', async ({
  onTestFinished,
}) => {
  const [one, other] = [await openCounted('taken:'), await openCounted('taken:')];
  onTestFinished(() => {
    one.store.close();
    other.store.close();
  });
  const record = createSampleRecord(1, 'x'.repeat(100_000), { state: 'done', open: [] });
  await one.store.save('s', record);
  const loaded = await other.store.load('s');
  if (loaded === null) throw new Error('The record is gone');
  const before = other.getBytes();
  const next = { ...loaded, revision: 2, receivedKeys: ['a', 'b'] };
  expect(await other.store.save('s', next)).toBe(true);
  expect(other.getBytes() - before).toBeLessThan(5_000);
  // The first process has not seen that save: it sends the whole record, once.
  expect(await one.store.save('s', { ...record, revision: 3, receivedKeys: [] })).toBe(true);
  expect(await other.store.load('s')).toEqual({ ...record, revision: 3, receivedKeys: [] });
});
