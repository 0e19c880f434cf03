import { afterEach, expect, test } from 'vitest';
import type { FromWorker, ToWorker } from '../../src/sandbox/messages.ts';
import { adaptWebWorker, openWorker, type SandboxWorker } from '../../src/sandbox/open-worker.ts';

let worker: SandboxWorker | undefined;
afterEach(() => worker?.terminate());

const firstMessageOf = (opened: SandboxWorker) =>
  new Promise<FromWorker | string>((resolve) => {
    worker = opened;
    opened.listen(resolve, resolve);
  });

test('a message of a worker thread reaches its listener', async () => {
  const script = "require('node:worker_threads').parentPort.postMessage({ type: 'ready' })";
  expect(await firstMessageOf(openWorker(script))).toEqual({ type: 'ready' });
});

test('a worker thread that fails reports its error', async () => {
  expect(await firstMessageOf(openWorker("throw new Error('out of order')"))).toBe('out of order');
});

test('a worker thread gets neither the environment nor the arguments of its process', async () => {
  const script = "const { parentPort } = require('node:worker_threads');";
  const told = 'parentPort.postMessage([Object.keys(process.env), process.argv.slice(2), process.execArgv])';
  expect(await firstMessageOf(openWorker(`${script} ${told}`))).toEqual([[], [], []]);
});

/** A worker of the app, with the members that the sandbox uses. */
class FakeWorker extends EventTarget {
  readonly sent: unknown[] = [];
  ended = false;
  postMessage(message: unknown) {
    this.sent.push(message);
  }
  terminate() {
    this.ended = true;
  }
}

test('a worker of the app sends and receives the same messages', async () => {
  const own = new FakeWorker();
  const adapted = adaptWebWorker(own as unknown as Worker);
  const received = firstMessageOf(adapted);
  const message = { type: 'settle' } as ToWorker;
  adapted.send(message);
  own.dispatchEvent(new MessageEvent('message', { data: { type: 'ready' } }));
  expect([own.sent, await received]).toEqual([[message], { type: 'ready' }]);
  adapted.terminate();
  expect(own.ended).toBe(true);
});

test.each([
  ['with a message reports the message', 'out of order', /^out of order$/],
  ['without a message reports that the policy of the page may forbid it', '', /worker-src blob:/],
])('a worker of the app that fails %s', async (_, message, told) => {
  const own = new FakeWorker();
  const received = firstMessageOf(adaptWebWorker(own as unknown as Worker));
  const event = Object.assign(new Event('error', { cancelable: true }), { message });
  own.dispatchEvent(event);
  expect(await received).toMatch(told);
  // Without preventDefault the page would report the error a second time.
  expect(event.defaultPrevented).toBe(true);
});
