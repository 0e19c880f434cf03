import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { backoffDelay, wait } from '../../../src/core/transport/backoff.ts';
import { toReconnectPolicy } from '../../../src/core/transport/reconnect-policy.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';

test('backoffDelay doubles up to the cap, and jitter takes up to half of it', () => {
  const policy = { initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts: 5 };
  const delays = (random: number) =>
    [0, 1, 2, 5, 6, 7, 2_000].map((n) => backoffDelay(policy, n, () => random));
  expect(delays(1)).toEqual([500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000]);
  expect(delays(0)).toEqual([250, 500, 1_000, 8_000, 15_000, 15_000, 15_000]);
});

test('backoffDelay is 0 only for the first attempt when initialDelayMs is 0', () => {
  const policy = { initialDelayMs: 0, maxDelayMs: 30_000, maxAttempts: Infinity };
  const delays = [0, 1, 2, 10, 20].map((n) => backoffDelay(policy, n, () => 1));
  expect(delays).toEqual([0, 2, 4, 1_024, 30_000]);
});

test('toReconnectPolicy uses the default of a setting that is undefined', () => {
  const unset = { initialDelayMs: undefined, maxDelayMs: undefined, maxAttempts: undefined } as never;
  expect(toReconnectPolicy(unset, 5)).toEqual({ initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts: 5 });
});

test('wait ends with time or with the signal, and leaves no timer', async () => {
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

describe('what ends a wait early', () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  let network: EventTarget;

  beforeEach(() => {
    network = new EventTarget();
    vi.stubGlobal('document', page);
    vi.stubGlobal('addEventListener', network.addEventListener.bind(network));
    vi.stubGlobal('removeEventListener', network.removeEventListener.bind(network));
  });
  afterEach(() => vi.unstubAllGlobals());

  const show = (visibilityState: string) => {
    page.visibilityState = visibilityState;
    page.dispatchEvent(new Event('visibilitychange'));
  };

  function begin(delayMs: number, minDelayMs?: number) {
    const clock = createManualClock();
    const waiting = { clock, isOver: false };
    void wait(clock, delayMs, new AbortController().signal, minDelayMs).then(() => {
      waiting.isOver = true;
    });
    return waiting;
  }

  test('wait ends early when the network is back', async () => {
    const waiting = begin(30_000);
    network.dispatchEvent(new Event('online'));
    await waiting.clock.advance(0);
    expect([waiting.isOver, waiting.clock.waiting]).toEqual([true, 0]);
  });

  test('wait ends early when the page is visible again, not when it is hidden', async () => {
    const waiting = begin(30_000);
    show('hidden');
    await waiting.clock.advance(0);
    expect(waiting.isOver).toBe(false);
    show('visible');
    await waiting.clock.advance(0);
    expect([waiting.isOver, waiting.clock.waiting]).toEqual([true, 0]);
  });

  test('wait does not end before the time that the server asked for', async () => {
    const waiting = begin(30_000, 10_000);
    await waiting.clock.advance(4_000);
    network.dispatchEvent(new Event('online'));
    show('visible');
    await waiting.clock.advance(5_999);
    expect(waiting.isOver).toBe(false);
    await waiting.clock.advance(1);
    expect([waiting.isOver, waiting.clock.waiting]).toEqual([true, 0]);
  });

  test('wait leaves no listener', async () => {
    const added = vi.spyOn(page, 'addEventListener');
    const removed = vi.spyOn(page, 'removeEventListener');
    const waiting = begin(10);
    await waiting.clock.advance(10);
    expect(removed.mock.calls.map(([type]) => type)).toEqual(added.mock.calls.map(([type]) => type));
    expect(added).toHaveBeenCalledOnce();
  });
});
