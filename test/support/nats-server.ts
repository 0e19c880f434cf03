import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findNatsServer } from '../../.scripts/find-servers.mjs';
import { startServerProcess } from './server-process.ts';

/** A real nats-server with JetStream, on a port of its own. Its data are in a temporary folder. */
export interface NatsServer {
  /** `nats://127.0.0.1:<port>` */
  readonly url: string;
  /** Kills the process, as a crash would. The data stay for `restart`. */
  crash(): Promise<void>;
  /** Starts the server again after a crash, on the same port and with the same data. */
  restart(): Promise<void>;
  /** Ends the server and deletes its data. */
  stop(): Promise<void>;
}

/** Starts a server and resolves when it accepts connections. A test file starts one in `beforeAll`, which returns the function that stops it. */
export async function startNatsServer(): Promise<NatsServer> {
  const program = requireNatsServer();
  const storeDir = await mkdtemp(path.join(tmpdir(), 'handrail-nats-'));
  const start = (port: string) =>
    startServerProcess(
      program,
      ['--addr', '127.0.0.1', '--port', port, '--jetstream', '--store_dir', storeDir],
      'Server is ready',
    );

  // The server itself chooses the port, so that no other process can take it in between.
  let server = await start('-1');
  const port = readPort(server.lines);
  return {
    url: `nats://127.0.0.1:${port}`,
    crash: () => server.end('SIGKILL'),
    async restart() {
      server = await start(port);
    },
    async stop() {
      await server.end('SIGKILL');
      await rm(storeDir, { recursive: true });
    },
  };
}

/**
 * Returns the path of nats-server.
 *
 * @throws Error that says how to install it, if this machine has none
 */
export function requireNatsServer(): string {
  const program = findNatsServer();
  if (program !== undefined) return program;
  throw new Error(
    'These tests need nats-server: install it (Debian: "apt-get install nats-server") and put it on PATH.',
  );
}

function readPort(lines: readonly string[]): string {
  const [, port] = /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(lines.join('\n')) ?? [];
  if (port === undefined) throw new Error(`nats-server does not say its port:\n${lines.join('\n')}`);
  return port;
}
