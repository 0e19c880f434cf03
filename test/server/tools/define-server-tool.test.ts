import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import type { ServerToolDefinition } from '../../../src/server/tools/server-tool.ts';
import { QuestionNotAnswered } from '../../../src/server/tools/step-errors.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { hello, requestIn, run, settle } from '../support.ts';
import { answer, answerEach, open, questionsIn, resultIn } from './support.ts';

describe('a server tool that asks', () => {
  const input = z.object({ orderId: z.string(), amount: z.number() });
  const asking = (log: string[] = []) =>
    defineServerTool({
      input,
      async execute({ orderId, amount }, { ask, once }) {
        log.push('begins');
        const { reason } = await ask({
          message: 'Why?',
          output: z.object({ reason: z.string().min(3) }),
        });
        const receipt = await once('pay', ({ idempotencyKey }) => {
          log.push(`pays ${amount} for ${orderId}`);
          return { paid: true, key: idempotencyKey };
        });
        return { reason, paid: receipt.paid };
      },
    });

  it('its question goes out as a call of the tool, with a form for the answer', async () => {
    const { session } = open(asking());
    const { toolCalls } = requestIn(await run(session, hello));
    expect(toolCalls).toMatchObject([
      {
        toolCallId: expect.stringMatching(/^ask_[0-9a-f]{32}$/),
        toolName: 'refund',
        args: { orderId: 'o-1', amount: 80 },
        question: { ui: 'form', description: 'Why?', outputSchema: { required: ['reason'] } },
      },
    ]);
  });

  it('the tool runs again with the answer, and its result goes to the agent', async () => {
    const log: string[] = [];
    const { session, agent } = open(asking(log));
    const events = await run(session, answer(await run(session, hello), { reason: 'broken' }));
    expect(log).toEqual(['begins', 'begins', 'pays 80 for o-1']);
    expect(resultIn(agent)).toEqual({ reason: 'broken', paid: true });
    expect(events.map(({ type }) => type)).toContain('tool-output-available');
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  it('another process goes on with the answer', async () => {
    const log: string[] = [];
    const { session, agent, restart } = open(asking(log));
    const asked = await run(session, hello);
    await run(restart(), answer(asked, { reason: 'broken' }));
    expect(resultIn(agent)).toEqual({ reason: 'broken', paid: true });
  });

  it('an answer that does not match is refused, and the question stays open', async () => {
    const { session, agent } = open(asking());
    const asked = await run(session, hello);
    const [refused] = await run(session, answer(asked, { reason: 'x' }));
    expect(refused).toMatchObject({ type: 'error', code: 'invalid_result' });
    expect(agent.contexts).toHaveLength(1);
    await run(session, answer(asked, { reason: 'broken' }));
    expect(resultIn(agent)).toMatchObject({ reason: 'broken' });
  });

  it('an answer that only the schema of the tool refuses is asked for again, with the reason', async () => {
    const even = z.object({ count: z.number().refine((count) => count % 2 === 0, 'must be even') });
    const tool = defineServerTool({
      execute: async (_args, { ask }) => (await ask({ message: 'How many?', output: even })).count,
    });
    const { session, agent } = open(tool);
    const asked = await run(session, hello);
    const again = await run(session, answer(asked, { count: 3 }));
    expect(questionsIn(again)).toEqual(['How many? (count: must be even)']);
    expect(requestIn(again).toolCalls[0]?.toolCallId).not.toBe(requestIn(asked).toolCalls[0]?.toolCallId);
    await run(session, answer(again, { count: 4 }));
    expect(resultIn(agent)).toBe(4);
  });

  it.each([
    ['declined', { result: { outcome: 'declined', confirmed: false, reason: 'too much' } }, 'too much'],
    ['cancelled', { result: undefined, error: 'User cancelled' }, 'User cancelled'],
  ])('a question that is %s throws inside the tool', async (outcome, given, reason) => {
    const thrown: unknown[] = [];
    const tool = defineServerTool({
      execute: (_args, { ask }) =>
        ask({ message: 'Why?' }).catch((error: unknown) => {
          thrown.push(error);
          throw error;
        }),
    });
    const { session, agent } = open(tool);
    await run(session, answer(await run(session, hello), null, given));
    expect(thrown).toEqual([expect.any(QuestionNotAnswered)]);
    expect(thrown[0]).toMatchObject({ outcome, reason });
    expect(resultIn(agent)).toContain(`The question was ${outcome}`);
  });

  it('several questions at once go out together, and one after the other each with its answer', async () => {
    const tool = defineServerTool({
      async execute(_args, { ask }) {
        const both = await Promise.all([ask({ message: 'A?', key: 'a' }), ask({ message: 'B?', key: 'b' })]);
        return [...both, await ask({ message: 'C?' })];
      },
    });
    const { session, agent } = open(tool);
    const asked = await run(session, hello);
    expect(questionsIn(asked)).toEqual(['A?', 'B?']);
    const toAnswer = (question: string) => ({ answer: `to ${question}` });
    const third = await run(session, answerEach(asked, toAnswer));
    await run(session, answerEach(third, toAnswer));
    expect(resultIn(agent)).toEqual(['to A?', 'to B?', 'to C?']);
  });

  it('a question that nobody answers expires a week later, after a restart of everything', async () => {
    const clock = createManualClock();
    const week = 7 * 24 * 3_600_000;
    const tool = defineServerTool({
      execute: (_args, { ask }) => ask({ message: 'Why?', expiresInMs: week }),
    });
    const { session, agent, restart } = open(tool, { clock });
    const asked = await run(session, hello);
    const deadline = requestIn(asked).toolCalls[0]?.deadline ?? 0;
    expect(deadline).toBe(clock.now() + week);
    await clock.advance(week - 1);
    await settle();
    expect(agent.contexts).toHaveLength(1);
    const other = restart();
    await clock.advance(1);
    const { executionId } = requestIn(asked);
    await run(session, { type: 'resume', executionId, cursor: 0 });
    expect(resultIn(agent)).toContain('not answered in time');
    const [late] = await run(other, answer(asked, { answer: 'late' }));
    expect(late).toMatchObject({ type: 'error', code: 'call_expired' });
  });

  it('a question is answered a week later, after a restart of everything', async () => {
    const clock = createManualClock();
    const { session, agent, restart } = open(asking(), { clock });
    const asked = await run(session, hello);
    await clock.advance(7 * 24 * 3_600_000);
    await run(restart(), answer(asked, { reason: 'broken' }));
    expect(resultIn(agent)).toEqual({ reason: 'broken', paid: true });
  });
});

describe('a step of a server tool', () => {
  it('is not done again when the tool runs again', async () => {
    let paid = 0;
    const tool = defineServerTool({
      async execute(_args, { ask, once }) {
        const first = await once('pay', () => {
          paid += 1;
          return paid;
        });
        await ask({ message: 'Sure?' });
        return first;
      },
    });
    const { session, agent } = open(tool);
    await run(session, answer(await run(session, hello), { answer: 'yes' }));
    expect([paid, resultIn(agent)]).toEqual([1, 1]);
  });

  it('that threw throws the same again, and is not done again', async () => {
    let tries = 0;
    const tool = defineServerTool({
      async execute(_args, { ask, once }) {
        const failure = await once('pay', () => {
          tries += 1;
          throw new Error(`card refused ${tries}`);
        }).catch((error: Error) => error.message);
        await ask({ message: 'Sure?' });
        return failure;
      },
    });
    const { session, agent } = open(tool);
    await run(session, answer(await run(session, hello), { answer: 'yes' }));
    expect([tries, resultIn(agent)]).toEqual([1, 'card refused 1']);
  });

  it.each([
    ['takes the idempotency key is tried again with it', 2, 1],
    ['takes no parameter is not tried again', 1, 1],
  ])('that a crash interrupts and that %s', async (_name, attempts, payments) => {
    const keys: string[] = [];
    let crash: (() => void) | undefined;
    const work = (key: string) => {
      keys.push(key);
      // The process dies between the work and the storing of its value.
      return keys.length === 1 ? new Promise(() => crash?.()) : 'paid';
    };
    const tool = defineServerTool({
      execute: (_args, { once }) =>
        once('pay', attempts === 2 ? ({ idempotencyKey }) => work(idempotencyKey) : () => work('same')),
    });
    const crashed = new Promise<void>((resolve) => {
      crash = resolve;
    });
    const { session, agent, store } = open(tool);
    const dead = session.execute({ ...hello, idempotencyKey: 'k' });
    void (async () => {
      for await (const _ of dead);
    })();
    await crashed;
    // Another process has what the store had at that moment, and nothing of what the first one does from now on.
    const record = await store.load('s');
    if (record === null) throw new Error('nothing was stored');
    const after = createMemorySessionStore();
    await after.save('s', record);
    const restarted = createAgentSession({ id: 's', agent, tools: { refund: tool }, store: after });
    await run(restarted, { ...hello, idempotencyKey: 'k' });
    expect(keys).toHaveLength(attempts);
    expect(new Set(keys).size).toBe(payments);
    if (attempts === 2) expect(resultIn(agent)).toBe('paid');
    else expect(resultIn(agent)).toContain('It is not known whether it was done');
  });
});

describe('the approval of a server tool', () => {
  const input = z.object({ orderId: z.string(), amount: z.number() });
  const paying = (more: Partial<ServerToolDefinition> = {}) => ({
    ...defineServerTool({
      input,
      description: 'Pay money back',
      severity: 'destructive',
      approval: ({ amount }) => amount > 50,
      execute: ({ amount }) => `paid ${amount}`,
    }),
    ...more,
  });

  it('asks about the call itself, then runs it', async () => {
    const { session, agent } = open(paying());
    const asked = await run(session, hello);
    expect(requestIn(asked).toolCalls).toMatchObject([
      {
        toolCallId: 'call-1',
        executedBy: 'server',
        question: { ui: 'confirm', description: 'Pay money back', severity: 'destructive' },
      },
    ]);
    await run(session, answer(asked, { confirmed: true }));
    expect(resultIn(agent)).toBe('paid 80');
  });

  it('is not asked where the function says no', async () => {
    const { session, agent } = open(paying({ approval: ({ amount }) => amount > 100 }));
    await run(session, hello);
    expect(resultIn(agent)).toBe('paid 80');
  });

  it('a person who says no is what the agent gets, and the tool never runs', async () => {
    const { session, agent } = open(paying());
    const no = { outcome: 'declined', confirmed: false, reason: 'too much' };
    await run(session, answer(await run(session, hello), no));
    expect(resultIn(agent)).toEqual(no);
  });

  it('runs with the arguments that the person corrected, and the agent learns of them', async () => {
    const { session, agent } = open(paying({ editable: true }));
    const edited = { orderId: 'o-1', amount: 40 };
    const asked = await run(session, hello);
    const result = { confirmed: true, editedArgs: edited, changedArgs: ['amount'] };
    const [refused] = await run(session, answer(asked, { ...result, editedArgs: { amount: 'x' } }));
    expect(refused).toMatchObject({ type: 'error', code: 'invalid_result' });
    await run(session, answer(asked, result));
    expect(resultIn(agent)).toEqual({ result: 'paid 40', editedArgs: edited, changedArgs: ['amount'] });
  });

  it('refuses corrections where the tool does not allow them', async () => {
    const { session } = open(paying());
    const result = { confirmed: true, editedArgs: { orderId: 'o-1', amount: 1 } };
    const [refused] = await run(session, answer(await run(session, hello), result));
    expect(refused).toMatchObject({ type: 'error', code: 'invalid_result' });
  });
});
