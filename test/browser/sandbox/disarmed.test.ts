import { expect, test } from 'vitest';
import script from '../../../src/sandbox/worker/worker.ts?script';

/** The names by which a worker could reach the network or stored data. */
const REACHING = [
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'WebTransport',
  'EventSource',
  'BroadcastChannel',
  'importScripts',
  'indexedDB',
  'caches',
  'navigator',
  'FontFace',
  'fonts',
  'Worker',
  'webkitRequestFileSystem',
  'webkitRequestFileSystemSync',
];

/** Returns the names that have a value on the global object or on its prototypes. */
async function namesLeft(before: string): Promise<string[]> {
  const probe = `;{
    const left = new Set();
    for (let scope = globalThis; scope !== null; scope = Object.getPrototypeOf(scope))
      for (const name of ${JSON.stringify(REACHING)}) {
        const found = Object.getOwnPropertyDescriptor(scope, name);
        if (found?.get !== undefined || found?.value !== undefined) left.add(name);
      }
    postMessage([...left]);
  }`;
  const url = URL.createObjectURL(new Blob([before, probe], { type: 'text/javascript' }));
  const worker = new Worker(url);
  const left = await new Promise<string[]>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
  worker.terminate();
  URL.revokeObjectURL(url);
  return left;
}

test('the worker has no names that lead to the network or to stored data', async () => {
  expect(await namesLeft('')).toContain('fetch');
  expect(await namesLeft(script)).toEqual([]);
});
