import { afterEach, expect, test } from 'vitest';
import type { FromWorker, ToWorker } from '../../src/sandbox/messages.ts';
import { adaptWebWorker, openWorker, type SandboxWorker } from '../../src/sandbox/open-worker.ts';

let worker: SandboxWorker | undefined;
afterEach(() => worker?.terminate());

const nextMessageFrom = (opened: SandboxWorker) =>
  new Promise<FromWorker | string>((resolve) => {
    worker = opened;
    opened.listen(resolve, resolve);
  });

test('openWorker passes on the messages of a thread', async () => {
  const script = "require('node:worker_threads').parentPort.postMessage({ type: 'ready' })";
  expect(await nextMessageFrom(openWorker(script))).toEqual({ type: 'ready' });
});

test('openWorker reports the error of a thread that breaks', async () => {
  expect(await nextMessageFrom(openWorker("throw new Error('out of order')"))).toBe('out of order');
});

test('a thread gets neither the environment nor the arguments of its process', async () => {
  const script = "const { parentPort } = require('node:worker_threads');";
  const probe = 'parentPort.postMessage([Object.keys(process.env), process.argv.slice(2), process.execArgv])';
  expect(await nextMessageFrom(openWorker(`${script} ${probe}`))).toEqual([[], [], []]);
});

/** The methods of a web worker that the sandbox uses. */
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

test('adaptWebWorker exchanges messages with a worker of the app and ends it', async () => {
  const own = new FakeWorker();
  const adapted = adaptWebWorker(own as unknown as Worker);
  const received = nextMessageFrom(adapted);
  const message = { type: 'settle' } as ToWorker;
  adapted.send(message);
  own.dispatchEvent(new MessageEvent('message', { data: { type: 'ready' } }));
  expect([own.sent, await received]).toEqual([[message], { type: 'ready' }]);
  adapted.terminate();
  expect(own.ended).toBe(true);
});

test.each([
  ['its message', 'out of order', /^out of order$/],
  ['a hint at Content-Security-Policy when it has no message', '', /worker-src blob:/],
])('adaptWebWorker reports an error event by %s', async (_, message, expected) => {
  const own = new FakeWorker();
  const received = nextMessageFrom(adaptWebWorker(own as unknown as Worker));
  const event = Object.assign(new Event('error', { cancelable: true }), { message });
  own.dispatchEvent(event);
  expect(await received).toMatch(expected);
  // Without this, the browser would report the error a second time as an error of the page.
  expect(event.defaultPrevented).toBe(true);
});
