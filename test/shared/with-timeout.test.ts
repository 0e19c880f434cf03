import { expect, test } from 'vitest';
import { untilAborted } from '../../src/shared/until-aborted.ts';
import { withTimeout } from '../../src/shared/with-timeout.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';

const never = new Promise<never>(() => {});
const refuse = () => {
  throw new Error('too late');
};

test.each([
  ['resolves', () => Promise.resolve(1)],
  ['rejects', () => Promise.reject(new Error('broken'))],
])(
  'withTimeout settles as the promise does and leaves no timer when the promise %s in time',
  async (_, start) => {
    const clock = createManualClock();
    const [expected] = await Promise.allSettled([start()]);
    const [settled] = await Promise.allSettled([
      withTimeout(start(), { clock, limitMs: 1_000, onTimeout: refuse }),
    ]);
    expect(settled).toEqual(expected);
    expect(clock.waiting).toBe(0);
  },
);

test('withTimeout resolves to the value of onTimeout when the limit passes', async () => {
  const clock = createManualClock();
  const late = withTimeout(never, { clock, limitMs: 1_000, onTimeout: () => 'silent' });
  await clock.advance(1_000);
  await expect(late).resolves.toBe('silent');
});

test('withTimeout rejects with the error of onTimeout, and ignores a later rejection of the promise', async () => {
  const clock = createManualClock();
  let fail = (_: Error) => {};
  const promise = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const late = withTimeout(promise, { clock, limitMs: 1_000, onTimeout: refuse });
  const outcome = expect(late).rejects.toThrow('too late');
  await clock.advance(1_000);
  await outcome;
  fail(new Error('after the limit'));
  await clock.advance(0);
});

test('withTimeout around untilAborted resolves to undefined and leaves no timer when the signal aborts', async () => {
  const clock = createManualClock();
  const abort = new AbortController();
  const ending = withTimeout(untilAborted(never, abort.signal), { clock, limitMs: 1_000, onTimeout: refuse });
  abort.abort();
  await expect(ending).resolves.toBeUndefined();
  expect(clock.waiting).toBe(0);
});
