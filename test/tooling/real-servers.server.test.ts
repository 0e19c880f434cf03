import { existsSync } from 'node:fs';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { type NatsServer, startNatsServer } from '../support/nats-server.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';

describe('startNatsServer', () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
    return () => server.stop();
  });

  test('gives a server that takes connections at once and has JetStream and KV', async () => {
    const connection = await connect({ servers: server.url });
    const bucket = await new Kvm(connection).create('claims');
    await bucket.create('call', 'running');
    await expect(bucket.create('call', 'running')).rejects.toThrow('wrong last sequence');
    await connection.close();
  });

  test('gives each caller a server of its own', async () => {
    const other = await startNatsServer();
    expect(other.url).not.toBe(server.url);
    await other.stop();
  });

  test('keeps the messages of a stream over a crash', async () => {
    const before = await connect({ servers: server.url, reconnect: false });
    await (await jetstreamManager(before)).streams.add({ name: 'kept', subjects: ['kept.>'] });
    await jetstream(before).publish('kept.one', 'text');
    await server.crash();
    await before.closed();
    await expect(connect({ servers: server.url, reconnect: false })).rejects.toThrow();

    await server.restart();
    const after = await connect({ servers: server.url });
    const stream = await (await jetstreamManager(after)).streams.info('kept');
    expect(stream.state.messages).toBe(1);
    await after.close();
  });
});

describe('startPostgresServer', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  });

  test('gives an empty database, and deletes its data when it is stopped', async () => {
    const pool = new pg.Pool(server.connection);
    const { rows } = await pool.query(
      "select count(*)::int as tables from pg_tables where schemaname = 'public'",
    );
    expect(rows).toEqual([{ tables: 0 }]);
    await pool.end();
    await server.stop();
    expect(existsSync(server.connection.host)).toBe(false);
  });
});
