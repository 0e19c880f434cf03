import { expect, test } from 'vitest';
import { Mailbox } from '../../src/shared/mailbox.ts';
import fc from '../support/fast-check.ts';

test('a reader gets each item once, in the order in which they were put in, and undefined after the end', async () => {
  const box = new Mailbox<number>();
  const first = box.next();
  box.push(1);
  box.push(2);
  expect(await first).toBe(1);
  box.push(3);
  box.close();
  box.push(4);
  expect(await box.next()).toBe(2);
  expect(await box.next()).toBe(3);
  expect(await box.next()).toBeUndefined();
});

test('nextAll waits for an item and takes those that were put in with it', async () => {
  const box = new Mailbox<string>();
  const read = box.nextAll();
  box.push('a');
  box.push('b');
  expect(await read).toEqual(['a', 'b']);
  const later = box.nextAll();
  box.close();
  expect(await later).toBeUndefined();
});

test('takeAll returns what is in the box, and nothing where it is empty', () => {
  const box = new Mailbox<string>();
  expect(box.takeAll()).toEqual([]);
  box.push('a');
  expect([box.takeAll(), box.takeAll()]).toEqual([['a'], []]);
});

test('pushOnce leaves one item, however often it is called before a reader takes it', async () => {
  const box = new Mailbox<'changed'>();
  box.pushOnce('changed');
  box.pushOnce('changed');
  expect(await box.nextAll()).toEqual(['changed']);
  box.pushOnce('changed');
  expect(box.takeAll()).toEqual(['changed']);
});

test('a failure comes after the items that were put in before it, and again for each further reader', async () => {
  const box = new Mailbox<string>();
  box.push('a');
  box.fail(new Error('cut'));
  box.push('too late');
  expect(await box.next()).toBe('a');
  await expect(box.next()).rejects.toThrow('cut');
  await expect(box.nextAll()).rejects.toThrow('cut');
});

test('the first end of a box counts', async () => {
  const closed = new Mailbox<string>();
  closed.close();
  closed.fail(new Error('cut'));
  expect(await closed.next()).toBeUndefined();
  const failed = new Mailbox<string>();
  failed.fail(undefined);
  failed.close();
  await expect(failed.next()).rejects.toBeUndefined();
});

test('a reader whose signal aborts gets undefined at once, and the item stays for the next reader', async () => {
  const box = new Mailbox<string>();
  const { signal, abort } = createAbort();
  const read = box.next(signal);
  abort();
  expect(await read).toBeUndefined();
  box.push('a');
  expect(await box.next(signal)).toBeUndefined();
  expect(await box.next()).toBe('a');
});

test('an item that comes in the moment of the abort stays for the next reader', async () => {
  const box = new Mailbox<string>();
  const { signal, abort } = createAbort();
  const read = box.next(signal);
  box.push('a');
  abort();
  expect(await read).toBeUndefined();
  expect(box.takeAll()).toEqual(['a']);
});

test('a reader that waits leaves no listener on its signal', async () => {
  const box = new Mailbox<string>();
  const { signal } = createAbort();
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: EventListener) => {
    listeners.add(listener);
    add(type, listener);
  };
  signal.removeEventListener = (type: string, listener: EventListener) => {
    listeners.delete(listener);
    remove(type, listener);
  };
  const read = box.next(signal);
  expect(listeners.size).toBe(1);
  box.push('a');
  await read;
  expect(listeners.size).toBe(0);
});

test('every item reaches one of several readers once, however writes and reads interleave', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('push', 'next', 'all', 'turn')), async (steps) => {
      const box = new Mailbox<number>();
      const reads: Promise<unknown>[] = [];
      let pushed = 0;
      for (const step of steps) {
        if (step === 'push') box.push(pushed++);
        else if (step === 'next') reads.push(box.next());
        else if (step === 'all') reads.push(box.nextAll());
        else await Promise.resolve();
      }
      box.close();
      const read = (await Promise.all(reads)).flat().filter((item) => item !== undefined);
      expect([...read, ...box.takeAll()].sort()).toEqual(Array.from({ length: pushed }, (_, n) => n).sort());
    }),
  );
});

function createAbort() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
