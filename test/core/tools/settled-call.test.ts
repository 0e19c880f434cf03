/** The calls that `onCallSettled` gets: their answer, who gave it, when and how. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAuditTrail } from '../../../src/core/policies/create-audit-trail.ts';
import type { PendingToolCall } from '../../../src/core/protocol/events.ts';
import {
  type ClientTools,
  createPersistence,
  createRememberedChoices,
  defineClientTool,
  type SettledCall,
} from '../../../src/core.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { asked, definitionOf, payTool, settledIn } from '../../support/asked-calls.ts';
import { call } from '../../support/scripted-events.ts';

describe('onCallSettled', () => {
  async function settledCallsOf(
    clientTools: ClientTools,
    act: (page: Awaited<ReturnType<typeof asked>>) => void,
    options = {},
    more: Partial<PendingToolCall> = {},
  ) {
    const calls: SettledCall[] = [];
    const [toolName = ''] = Object.keys(clientTools);
    const page = await asked(clientTools, [{ ...call('1', toolName, { amount: 5 }), ...more }], {
      onCallSettled: (settledCall) => calls.push(settledCall),
      ...options,
    });
    await page.clock.advance(1_000);
    act(page);
    await settledIn();
    return calls;
  }

  it('onCallSettled and an audit trail get no arguments that the input schema marks as secret', async () => {
    const input = z.object({ user: z.string(), pin: z.string().meta({ format: 'password' }) });
    const handled: unknown[] = [];
    const login = defineClientTool({ input, execute: (args) => void handled.push(args) });
    const storage = createMemoryStorage();
    const trail = createAuditTrail({ storage });
    const args = { user: 'ada', pin: '4711' };
    const [settledCall] = await settledCallsOf({ login }, () => {}, {}, { args });
    if (settledCall === undefined) throw new Error('the call was not settled');
    await trail.record(settledCall);
    expect(handled).toEqual([args]);
    expect(settledCall.args).toEqual({ user: 'ada' });
    expect([...storage.entries.values()].join()).not.toContain('4711');
  });

  it('onCallSettled gets the answer, who gave it, when and how', async () => {
    const calls = await settledCallsOf(payTool('always').tools, ({ waiting }) =>
      waiting()[0]?.submit(undefined),
    );
    expect(calls).toEqual([
      {
        key: '["run-1","1"]',
        toolCallId: '1',
        toolName: 'pay',
        args: { amount: 5 },
        outcome: 'submitted',
        result: 'paid',
        requestedAt: expect.any(Date),
        settledAt: expect.any(Date),
        answeredBy: 'automatic',
        allowedBy: 'person',
      },
    ]);
    const [settledCall] = calls;
    expect(Number(settledCall?.settledAt) - Number(settledCall?.requestedAt)).toBe(1_000);
  });

  it.each<[string, ClientTools, (page: Awaited<ReturnType<typeof asked>>) => void, object]>([
    [
      'a person answers',
      { ask: 'interactive' },
      ({ waiting }) => waiting()[0]?.submit(1),
      { answeredBy: 'person', outcome: 'submitted', result: 1 },
    ],
    [
      'a person declines it',
      payTool('always').tools,
      ({ waiting }) => waiting()[0]?.decline(),
      { answeredBy: 'person', outcome: 'declined' },
    ],
    [
      'a handler returns',
      { now: () => 7 },
      () => {},
      { answeredBy: 'automatic', outcome: 'submitted', result: 7 },
    ],
    [
      'a handler fails',
      { now: () => Promise.reject('no') },
      () => {},
      { answeredBy: 'automatic', outcome: 'failed', error: 'no' },
    ],
    [
      'a handler runs without a question',
      payTool(() => false).tools,
      () => {},
      { answeredBy: 'automatic', outcome: 'submitted', result: 'paid' },
    ],
    [
      'a handler takes too long',
      { now: defineClientTool({ execute: () => new Promise(() => {}), timeoutMs: 500 }) },
      () => {},
      { answeredBy: 'automatic', outcome: 'timed-out' },
    ],
    [
      'time runs out',
      { ask: defineClientTool({ interactive: true, timeoutMs: 500 }) },
      () => {},
      { answeredBy: 'nobody', outcome: 'timed-out' },
    ],
    [
      'the turn is stopped',
      { ask: 'interactive' },
      ({ chat }) => chat.stop(),
      { answeredBy: 'nobody', outcome: 'aborted' },
    ],
  ])('onCallSettled gets the call when %s', async (_, tools, act, expected) => {
    const calls = await settledCallsOf(tools, act);
    expect(calls).toMatchObject([expected]);
    expect(calls[0]).not.toHaveProperty('allowedBy');
  });

  it('onCallSettled is called for a call that expired at the deadline of the agent', async () => {
    const deadline = createManualClock().now() + 500;
    const calls = await settledCallsOf({ ask: 'interactive' }, () => {}, {}, { deadline });
    expect(calls).toMatchObject([{ answeredBy: 'nobody', outcome: 'expired' }]);
  });

  it('onCallSettled is called once per call, also when the turn is stopped between two answers', async () => {
    const calls: unknown[] = [];
    const { waiting, chat } = await asked({ ask: 'interactive' }, [call('1', 'ask'), call('2', 'ask')], {
      onCallSettled: ({ toolCallId, outcome }) => calls.push([toolCallId, outcome]),
    });
    waiting()[0]?.submit(1);
    chat.stop();
    expect(calls).toEqual([
      ['1', 'submitted'],
      ['2', 'aborted'],
    ]);
  });

  it('onCallSettled gets results without the secrets that the schema declares', async () => {
    const output = z.object({ user: z.string(), word: z.string().meta({ writeOnly: true }) });
    const calls = await settledCallsOf(
      { login: defineClientTool({ interactive: true, output }) },
      ({ waiting }) => waiting()[0]?.submit({ user: 'ada', word: 'hunter2' }),
    );
    expect(calls).toMatchObject([{ outcome: 'submitted', result: { user: 'ada' } }]);
    expect(JSON.stringify(calls)).not.toContain('hunter2');
  });

  it('onCallSettled says that a remembered choice decided the call', async () => {
    const rememberedChoices = createRememberedChoices({ storage: createMemoryStorage() });
    const definition = definitionOf(payTool('always').tools, 'pay');
    const pay = { toolName: 'pay', args: {}, conversationId: 'c', definition };
    await rememberedChoices.remember(pay, { choice: 'allowed', scope: 'browser' });
    const allowed = await settledCallsOf(payTool('always', { remember: true }).tools, () => {}, {
      rememberedChoices,
    });
    expect(allowed).toMatchObject([{ answeredBy: 'automatic', allowedBy: 'remembered' }]);
    const unasked = payTool(() => false, { remember: true });
    const [free] = await settledCallsOf(unasked.tools, () => {}, { rememberedChoices });
    expect(free).not.toHaveProperty('allowedBy');
    await rememberedChoices.remember(pay, { choice: 'declined', scope: 'browser' });
    const declined = await settledCallsOf(payTool('always').tools, () => {}, { rememberedChoices });
    expect(declined).toMatchObject([{ answeredBy: 'remembered', outcome: 'declined' }]);
  });

  it('onCallSettled is not called for a persisted call when the page ends', async () => {
    const calls = await settledCallsOf({ ask: 'interactive' }, ({ chat }) => chat.destroy(), {
      persistence: createPersistence({ storage: createMemoryStorage(), tabs: false }),
    });
    expect(calls).toEqual([]);
    expect(await settledCallsOf({ ask: 'interactive' }, ({ chat }) => chat.destroy())).toMatchObject([
      { outcome: 'aborted' },
    ]);
  });
});
