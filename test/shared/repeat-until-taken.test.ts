import { expect, test } from 'vitest';
import { AgentChatError } from '../../src/shared/errors.ts';
import { type DeliveryContext, repeatUntilTaken, wasRefused } from '../../src/shared/repeat-until-taken.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';

const POLICY = { initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts: 2 };

const lost = new AgentChatError({ code: 'connection_failed', message: 'lost', retryable: true });
const answered = (status: number, retryable: boolean, retryAfter?: number) =>
  new AgentChatError({ code: 'http_error', message: `status ${status}`, status, retryable, retryAfter });

/** Delivers to a receiver that answers the requests in turn: an error is thrown. */
function deliver(replies: readonly unknown[], options: Partial<DeliveryContext> = {}) {
  const clock = createManualClock();
  const controller = new AbortController();
  const sent: boolean[] = [];
  const send = async (mayHaveArrived: boolean) => {
    const reply = replies[sent.push(mayHaveArrived) - 1];
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const { signal } = controller;
  const done = repeatUntilTaken(send, { policy: POLICY, clock, random: () => 1, signal, ...options });
  done.catch(() => {});
  return { clock, sent, done, abort: () => controller.abort() };
}

test('an answer is sent once where the receiver takes it', async () => {
  const { sent, done } = deliver(['taken']);
  expect(await done).toBe('taken');
  expect(sent).toEqual([false]);
});

test('an answer whose response was lost is sent again, and the request says that it may have arrived', async () => {
  const { clock, sent, done } = deliver([lost, 'taken']);
  await clock.advance(499);
  expect(sent).toEqual([false]);
  await clock.advance(1);
  expect(await done).toBe('taken');
  expect(sent).toEqual([false, true]);
});

test('an answer that was certainly refused so far cannot have arrived', async () => {
  const { clock, sent, done } = deliver([answered(429, true), answered(503, true), 'taken']);
  await clock.advance(1_500);
  expect(await done).toBe('taken');
  expect(sent).toEqual([false, false, false]);
});

test('an answer that was sent before the delivery may have arrived', async () => {
  const { done, sent } = deliver(['taken'], { mayHaveArrived: true });
  await done;
  expect(sent).toEqual([true]);
});

test('the wait before a repetition is at least as long as the receiver asks for', async () => {
  const { clock, sent } = deliver([answered(503, true, 7), 'taken']);
  await clock.advance(6_999);
  expect(sent).toHaveLength(1);
  await clock.advance(1);
  expect(sent).toHaveLength(2);
});

test('the last failure is thrown when there are no attempts left', async () => {
  const { clock, sent, done } = deliver([lost, lost, answered(502, true)]);
  await clock.advance(60_000);
  await expect(done).rejects.toThrow('status 502');
  expect(sent).toEqual([false, true, true]);
});

test.each([
  ['an error of the receiver that stays', answered(400, false), {}],
  ['an error that is none of the network', new TypeError('a fault'), {}],
  ['any error where requests are not repeated', lost, { policy: false as const }],
])('%s is thrown at once', async (_, failure, options) => {
  const { sent, done } = deliver([failure], options);
  await expect(done).rejects.toBe(failure);
  expect(sent).toHaveLength(1);
});

test('a delivery whose signal aborts resolves to undefined, and sends nothing more', async () => {
  const { clock, sent, done, abort } = deliver([lost, 'taken']);
  await clock.advance(0);
  abort();
  expect(await done).toBeUndefined();
  await clock.advance(60_000);
  expect(sent).toHaveLength(1);
  const late = deliver(['taken'], { signal: AbortSignal.abort() });
  expect(await late.done).toBeUndefined();
  expect(late.sent).toEqual([]);
});

test.each([
  [answered(404, false), true],
  [answered(429, true), true],
  [answered(503, true), true],
  [answered(500, true), false],
  [answered(504, true), false],
  [lost, false],
  [new TypeError('a fault'), false],
])('wasRefused of %s is %s', (failure, isRefusal) => {
  expect(wasRefused(failure)).toBe(isRefusal);
});
