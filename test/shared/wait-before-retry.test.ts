import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AgentChatError } from '../../src/shared/errors.ts';
import { tryNow } from '../../src/shared/network.ts';
import { countFailure, hasAttemptLeft, waitBeforeRetry } from '../../src/shared/wait-before-retry.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { type FakeNetwork, stubNetwork } from '../support/fake-network.ts';

const POLICY = { initialDelayMs: 500, maxDelayMs: 30_000 };

/** A failure after which the server wants no request for so many seconds. */
const busyFor = (retryAfter: number) =>
  new AgentChatError({ code: 'http_error', message: 'busy', retryable: true, status: 503, retryAfter });

function begin(failedAttempts: number, { failure = undefined as unknown, random = 1, policy = POLICY } = {}) {
  const clock = createManualClock();
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = { clock, isOver: false, abort: () => controller.abort() };
  void waitBeforeRetry(failedAttempts, failure, { policy, clock, signal, random: () => random }).then(() => {
    waiting.isOver = true;
  });
  return waiting;
}

/** Checks that the wait ends after exactly so many milliseconds. */
async function expectWait(waiting: ReturnType<typeof begin>, ms: number): Promise<void> {
  if (ms > 0) {
    await waiting.clock.advance(ms - 1);
    expect(waiting.isOver).toBe(false);
  }
  await waiting.clock.advance(ms > 0 ? 1 : 0);
  expect([waiting.isOver, waiting.clock.waiting]).toEqual([true, 0]);
}

test.each([
  [0, 500, 250],
  [1, 1_000, 500],
  [2, 2_000, 1_000],
  [5, 16_000, 8_000],
  [6, 30_000, 15_000],
  [2_000, 30_000, 15_000],
])(
  'after %i failed attempts the wait is %i ms, and jitter takes up to half of it',
  async (failed, most, least) => {
    await expectWait(begin(failed, { random: 1 }), most);
    await expectWait(begin(failed, { random: 0 }), least);
  },
);

test.each([
  [0, 0],
  [1, 2],
  [2, 4],
  [10, 1_024],
  [20, 30_000],
])('with an initial delay of 0 the wait after %i failed attempts is %i ms', async (failed, ms) => {
  await expectWait(begin(failed, { policy: { initialDelayMs: 0, maxDelayMs: 30_000 } }), ms);
});

test('the wait lasts as long as the server asks for, beyond the cap, too', async () => {
  await expectWait(begin(0, { failure: busyFor(60) }), 60_000);
  await expectWait(begin(2, { failure: busyFor(1) }), 2_000);
  await expectWait(begin(0, { failure: new Error('no response') }), 500);
});

test('the wait ends with the signal, and leaves no timer', async () => {
  const waiting = begin(0);
  waiting.abort();
  await waiting.clock.advance(0);
  expect([waiting.isOver, waiting.clock.waiting]).toEqual([true, 0]);
  const clock = createManualClock();
  const signal = AbortSignal.abort();
  await waitBeforeRetry(0, undefined, { policy: POLICY, clock, signal, random: () => 1 });
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

  test('a wait ends early when the network is back', async () => {
    const waiting = begin(6);
    network.dispatchEvent(new Event('online'));
    await waiting.clock.advance(0);
    expect([waiting.isOver, waiting.clock.waiting]).toEqual([true, 0]);
  });

  test('a wait ends early when the page is visible again, not when it is hidden', async () => {
    const waiting = begin(6);
    show('hidden');
    await waiting.clock.advance(0);
    expect(waiting.isOver).toBe(false);
    show('visible');
    await waiting.clock.advance(0);
    expect([waiting.isOver, waiting.clock.waiting]).toEqual([true, 0]);
  });

  test('a wait does not end before the time that the server asked for', async () => {
    const waiting = begin(6, { failure: busyFor(10) });
    await waiting.clock.advance(4_000);
    network.dispatchEvent(new Event('online'));
    show('visible');
    await waiting.clock.advance(5_999);
    expect(waiting.isOver).toBe(false);
    await waiting.clock.advance(1);
    expect([waiting.isOver, waiting.clock.waiting]).toEqual([true, 0]);
  });

  test('a wait leaves no listener', async () => {
    const added = vi.spyOn(page, 'addEventListener');
    const removed = vi.spyOn(page, 'removeEventListener');
    await expectWait(begin(0), 500);
    expect(removed.mock.calls.map(([type]) => type)).toEqual(added.mock.calls.map(([type]) => type));
    expect(added).toHaveBeenCalledOnce();
  });
});

describe('without a network', () => {
  let network: FakeNetwork;
  beforeEach(() => {
    network = stubNetwork();
  });
  afterEach(() => vi.unstubAllGlobals());

  test('no attempt is due until the network is back', async () => {
    const waiting = begin(0);
    network.goOffline();
    await waiting.clock.advance(3_600_000);
    expect(waiting.isOver).toBe(false);
    network.goOnline();
    await waiting.clock.advance(0);
    expect([waiting.isOver, waiting.clock.waiting]).toEqual([true, 0]);
  });

  test('the page that is looked at again makes no attempt', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    vi.stubGlobal('document', page);
    const waiting = begin(0);
    network.goOffline();
    page.dispatchEvent(new Event('visibilitychange'));
    await waiting.clock.advance(0);
    expect(waiting.isOver).toBe(false);
  });

  test('an attempt that fails is not counted, and there is always another one', () => {
    expect([countFailure(2), hasAttemptLeft(5, 5)]).toEqual([3, false]);
    network.goOffline();
    expect([countFailure(2), hasAttemptLeft(5, 5)]).toEqual([2, true]);
  });

  test('a person who does not want to wait ends the wait', async () => {
    const waiting = begin(6);
    tryNow();
    await waiting.clock.advance(0);
    expect([waiting.isOver, waiting.clock.waiting]).toEqual([true, 0]);
  });
});
