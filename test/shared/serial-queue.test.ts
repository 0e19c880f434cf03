import { expect, test } from 'vitest';
import { KeyedSerialQueue, SerialQueue } from '../../src/shared/serial-queue.ts';
import { createDeferred } from '../support/deferred.ts';

test('a task starts when the tasks before it have ended', async () => {
  const queue = new SerialQueue();
  const log: string[] = [];
  const gate = createDeferred();
  const first = queue.run(async () => {
    log.push('first starts');
    await gate.promise;
    log.push('first ends');
    return 1;
  });
  const second = queue.run(() => {
    log.push('second');
    return 2;
  });
  await Promise.resolve();
  expect(log).toEqual(['first starts']);
  gate.resolve();
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  expect(log).toEqual(['first starts', 'first ends', 'second']);
});

test('a task that fails rejects for its caller, and the next task runs', async () => {
  const queue = new SerialQueue();
  const failing = queue.run(() => Promise.reject(new Error('full')));
  const throwing = queue.run(() => {
    throw new Error('thrown');
  });
  const next = queue.run(() => 'done');
  await expect(failing).rejects.toThrow('full');
  await expect(throwing).rejects.toThrow('thrown');
  expect(await next).toBe('done');
});

test('tasks of one key run one after the other, and those of another key do not wait for them', async () => {
  const queue = new KeyedSerialQueue();
  const log: string[] = [];
  const gate = createDeferred();
  const first = queue.run('a', () => gate.promise.then(() => log.push('a1')));
  const second = queue.run('a', () => log.push('a2'));
  await queue.run('b', () => log.push('b1'));
  expect(log).toEqual(['b1']);
  gate.resolve();
  await Promise.all([first, second]);
  expect(log).toEqual(['b1', 'a1', 'a2']);
});

test('a task of a key waits for the tasks that came meanwhile, although an earlier one failed', async () => {
  const queue = new KeyedSerialQueue();
  const log: string[] = [];
  const gate = createDeferred();
  await expect(queue.run('a', () => Promise.reject(new Error('full')))).rejects.toThrow('full');
  const second = queue.run('a', () => gate.promise.then(() => log.push('second')));
  const third = queue.run('a', () => log.push('third'));
  await Promise.resolve();
  gate.resolve();
  await Promise.all([second, third]);
  expect(log).toEqual(['second', 'third']);
});
