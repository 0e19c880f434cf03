import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withLock } from '../../.scripts/with-lock.mjs';
import { createDeferred } from '../support/deferred.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-lock-'));
  file = path.join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('withLock', () => {
  test('gives back what the work gives and leaves nothing behind', async () => {
    expect(await withLock(file, () => existsSync(file))).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('the lock is free again after work that failed', async () => {
    await expect(withLock(file, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('the second waits until the first is done, and hears once for whom', async () => {
    const order: string[] = [];
    const first = createDeferred();
    const waiting = createDeferred<number>();
    const one = withLock(file, async () => {
      await first.promise;
      order.push('first');
    });
    const pauses: (() => void)[] = [];
    const two = withLock(file, () => order.push('second'), {
      onWait: waiting.resolve,
      pause: () => new Promise<void>((resume) => pauses.push(resume)),
    });
    expect(await waiting.promise).toBe(process.pid);
    pauses.shift()?.();
    expect(order).toEqual([]);
    first.resolve();
    await one;
    for (const resume of pauses) resume();
    await two;
    expect(order).toEqual(['first', 'second']);
  });

  test('a lock whose owner died is taken over', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(file, String(pid));
    expect(await withLock(file, () => 'mine')).toBe('mine');
  });
});
