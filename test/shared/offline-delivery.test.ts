import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AgentChatError } from '../../src/shared/errors.ts';
import { repeatUntilTaken } from '../../src/shared/repeat-until-taken.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { type FakeNetwork, stubNetwork } from '../support/fake-network.ts';

const lost = new AgentChatError({ code: 'connection_failed', message: 'lost', retryable: true });
let network: FakeNetwork;
beforeEach(() => {
  network = stubNetwork();
});
afterEach(() => vi.unstubAllGlobals());

function deliver(send: (mayHaveArrived: boolean) => Promise<string>, signal = new AbortController().signal) {
  const clock = createManualClock();
  const policy = { initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts: 1 };
  return { clock, taken: repeatUntilTaken(send, { policy, clock, random: () => 1, signal }) };
}

it('an answer that is given without a network is not sent before there is one, and cannot have arrived', async () => {
  network.goOffline();
  const send = vi.fn(async (mayHaveArrived: boolean) => String(mayHaveArrived));
  const { clock, taken } = deliver(send);
  await clock.advance(3_600_000);
  expect(send).not.toHaveBeenCalled();
  network.goOnline();
  expect(await taken).toBe('false');
});

it('requests that fail without a network do not use up the attempts of a delivery', async () => {
  let failures = 0;
  const { clock, taken } = deliver(async (mayHaveArrived) => {
    if (failures === 3) return String(mayHaveArrived);
    failures += 1;
    network.goOffline();
    throw lost;
  });
  for (let round = 0; round < 3; round += 1) {
    await clock.advance(60_000);
    network.goOnline();
  }
  expect([await taken, failures]).toEqual(['true', 3]);
});

it('a delivery that is aborted without a network sends nothing', async () => {
  network.goOffline();
  const abort = new AbortController();
  const send = vi.fn(async () => 'sent');
  const { taken } = deliver(send, abort.signal);
  abort.abort();
  expect(await taken).toBeUndefined();
  expect(send).not.toHaveBeenCalled();
});
