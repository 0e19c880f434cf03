import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import script from '../../src/sandbox/worker/worker.ts?script';

/** Returns the names by which a worker thread can reach files, processes or the network. */
async function namesLeft(before: string): Promise<string[]> {
  const names = ['process', 'require', 'module', 'fetch', 'WebSocket', 'navigator'];
  const probe = `port.postMessage(${JSON.stringify(names)}.filter((name) => globalThis[name] !== undefined))`;
  const port = "const port = require('node:worker_threads').parentPort";
  const worker = new Worker(`${port};${before};${probe}`, { eval: true });
  const left = await new Promise<string[]>((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
  });
  await worker.terminate();
  return left;
}

test('the worker thread has no names that lead to files, processes or the network', async () => {
  expect(await namesLeft('')).toContain('process');
  expect(await namesLeft(script)).toEqual([]);
});
