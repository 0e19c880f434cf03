import { expect, test } from 'vitest';
import { createDoorbell } from '../../../../src/server/stores/redis/doorbell.ts';
import type { RedisConnection } from '../../../../src/server/stores/redis/redis-connection.ts';
import { createRedisKeys } from '../../../../src/server/stores/redis/redis-keys.ts';

/** A connection that does what the test says. */
function createConnection() {
  const channels = new Map<string, (message: string, channel: string) => void>();
  const listeners: { readonly event: string; readonly listener: () => void }[] = [];
  const failures: Error[] = [];
  let connected = 0;
  const connection: RedisConnection = {
    sendCommand: async () => null,
    duplicate: () => connection,
    async connect() {
      connected += 1;
      const failure = failures.shift();
      if (failure) throw failure;
    },
    async subscribe(channel, listener) {
      channels.set(channel, listener);
    },
    on: (event, listener) => listeners.push({ event, listener }),
    destroy() {},
  };
  return {
    connection,
    failures,
    getConnected: () => connected,
    publish: (channel: string, message: string) => channels.get(channel)?.(message, channel),
    emit: (event: string) => {
      for (const listening of listeners) if (listening.event === event) listening.listener();
    },
  };
}

test('a watcher is called without an id when the connection is there again after a cut', async () => {
  const { connection, publish, emit } = createConnection();
  const doorbell = createDoorbell(connection, createRedisKeys('p:'), 'me', () => {});
  const saved: unknown[] = [];
  doorbell.onSave((sessionId) => saved.push(sessionId));
  await doorbell.listen();
  publish('p:saved', 'a \\ud83d');
  emit('ready');
  expect(saved).toEqual(['a \ud83d', undefined]);
});

test('a connection that failed is tried again by the next request', async () => {
  const { connection, failures, getConnected } = createConnection();
  const doorbell = createDoorbell(connection, createRedisKeys('p:'), 'me', () => {});
  failures.push(new Error('connection refused'));
  await expect(doorbell.listen()).rejects.toThrow('connection refused');
  await Promise.all([doorbell.listen(), doorbell.listen()]);
  expect(getConnected()).toBe(2);
});
