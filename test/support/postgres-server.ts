import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findPostgres } from '../../.scripts/find-servers.mjs';
import { startServerProcess } from './server-process.ts';

/** The user "nobody" on Linux. PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

/** A real PostgreSQL with an empty database. It listens on a Unix socket alone, so it needs no port of the machine. */
export interface PostgresServer {
  /** Options for a `Pool` or `Client` of `pg`. */
  readonly connection: { readonly host: string; readonly user: string; readonly database: string };
  /** Ends the server and deletes its data. Close all connections before. */
  stop(): Promise<void>;
}

/** Starts a server and resolves when it accepts connections. A test file starts one in `beforeAll`, which returns the function that stops it. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const programs = findPostgres();
  if (programs === undefined) {
    throw new Error(
      'These tests need PostgreSQL: install it (Debian: "apt-get install postgresql") or put initdb and postgres on PATH.',
    );
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'handrail-pg-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, NOBODY, NOBODY);
  const options = { cwd: folder, ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}) };
  const data = path.join(folder, 'data');

  await promisify(execFile)(
    path.join(programs, 'initdb'),
    ['-D', data, '-U', 'handrail', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
    options,
  );
  const server = await startServerProcess(
    path.join(programs, 'postgres'),
    ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'],
    'ready to accept connections',
    options,
  );
  return {
    connection: { host: folder, user: 'handrail', database: 'postgres' },
    async stop() {
      // The server waits for its last connection to close. A faster shutdown would fail in the client, after `end` of a pool.
      await server.end('SIGTERM');
      await rm(folder, { recursive: true });
    },
  };
}
