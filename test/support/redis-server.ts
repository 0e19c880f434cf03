import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from 'redis';
import { findRedisServer } from '../../.scripts/find-servers.mjs';
import { startServerProcess } from './server-process.ts';

/** A real redis-server on a port of its own. Its data are in a temporary folder, and each write is on the disk before it is confirmed. */
export interface RedisServer {
  /** `redis://127.0.0.1:<port>` */
  readonly url: string;
  /** Returns a connected client. `stop` closes it. */
  connect(): Promise<RedisClient>;
  /** Kills the process, as a crash would. The data stay for `restart`. */
  crash(): Promise<void>;
  /** Starts the server again after a crash, on the same port and with the same data. */
  restart(): Promise<void>;
  /** Ends the server and deletes its data. */
  stop(): Promise<void>;
}

export type RedisClient = ReturnType<typeof openClient>;

/** Starts a server and resolves when it accepts connections. A test file starts one in `beforeAll`, which returns the function that stops it. */
export async function startRedisServer(): Promise<RedisServer> {
  const program = findRedisServer();
  if (program === undefined) {
    throw new Error(
      'These tests need redis-server: install it (Debian: "apt-get install redis-server") and put it on PATH.',
    );
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'handrail-redis-'));
  const port = String(await findFreePort());
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
  const start = () =>
    startServerProcess(
      program,
      ['--bind', '127.0.0.1', '--port', port, '--dir', folder, ...durable],
      'Ready to accept connections',
    );
  let server = await start();
  const url = `redis://127.0.0.1:${port}`;
  const clients: RedisClient[] = [];
  return {
    url,
    async connect() {
      const client = openClient(url);
      await client.connect();
      clients.push(client);
      return client;
    },
    crash: () => server.end('SIGKILL'),
    async restart() {
      server = await start();
    },
    async stop() {
      for (const client of clients) client.destroy();
      await server.end('SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
}

function openClient(url: string) {
  const client = createClient({ url, socket: { reconnectStrategy: () => 10 } });
  return client.on('error', () => {
    // A test that crashes the server sees the errors of its commands.
  });
}

/** Unlike other servers, redis-server cannot choose a port by itself. */
async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The probe has no port.');
  return address.port;
}
