import { expect, test } from 'vitest';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { backoffDelay, toReconnectPolicy, wait } from '../../src/transport/backoff.ts';

test('delays double from the first to the cap; jitter takes up to half away', () => {
  const policy = toReconnectPolicy({}, 5);
  const delays = (random: number) =>
    [0, 1, 2, 5, 6, 7, 2_000].map((n) => backoffDelay(policy, n, () => random));
  expect(delays(1)).toEqual([500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000]);
  expect(delays(0)).toEqual([250, 500, 1_000, 8_000, 15_000, 15_000, 15_000]);
});

test('a wait ends with time or with the signal, and leaves no timer', async () => {
  const clock = createManualClock();
  const controller = new AbortController();
  const ends: string[] = [];
  const first = wait(clock, 100, controller.signal).then(() => ends.push('by time'));
  await clock.advance(99);
  expect(ends).toEqual([]);
  await clock.advance(1);
  await first;
  const second = wait(clock, 100, controller.signal).then(() => ends.push('by signal'));
  controller.abort();
  await second;
  await wait(clock, 100, controller.signal);
  expect(ends).toEqual(['by time', 'by signal']);
  expect(clock.waiting).toBe(0);
});
