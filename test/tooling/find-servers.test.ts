import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findNatsServer, findPostgres, findRedisServer } from '../../.scripts/find-servers.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'handrail-servers-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function place(name: string, mode = 0o755): string {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, mode);
  return file;
}

const folder = (name: string) => path.join(root, name);

describe('findNatsServer', () => {
  test('returns the first executable nats-server of the folders', () => {
    place('a/nats-server', 0o644);
    const second = place('b/nats-server');
    place('c/nats-server');
    expect(findNatsServer({ folders: ['gone', 'a', 'b', 'c'].map(folder) })).toBe(second);
  });

  test('returns undefined when no folder has nats-server', () => {
    expect(findNatsServer({ folders: [folder('a')] })).toBeUndefined();
  });
});

test('findRedisServer returns the first executable redis-server of the folders', () => {
  place('a/redis-server', 0o644);
  const second = place('b/redis-server');
  expect(findRedisServer({ folders: ['gone', 'a', 'b'].map(folder) })).toBe(second);
});

describe('findPostgres', () => {
  test('passes over a folder that has postgres without initdb', () => {
    place('bin/postgres');
    place('versions/15/bin/postgres');
    place('versions/15/bin/initdb');
    const found = findPostgres({ folders: [folder('bin')], postgresVersions: folder('versions') });
    expect(found).toBe(folder('versions/15/bin'));
  });

  test('prefers PATH to the folders of Debian, and of those the newest version', () => {
    for (const name of ['9', '16']) {
      place(`versions/${name}/bin/initdb`);
      place(`versions/${name}/bin/postgres`);
    }
    const places = { folders: [folder('bin')], postgresVersions: folder('versions') };
    expect(findPostgres(places)).toBe(folder('versions/16/bin'));
    place('bin/initdb');
    place('bin/postgres');
    expect(findPostgres(places)).toBe(folder('bin'));
  });

  test('returns undefined when PostgreSQL is not installed', () => {
    expect(findPostgres({ folders: [], postgresVersions: folder('versions') })).toBeUndefined();
  });
});
