/** The rule that says whether a person has to allow a call, and how long the person has. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import type { ServerToolApproval } from '../../../src/server/tools/server-tool.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { collect, hello, requestIn, run, settle } from '../support.ts';
import { answer, open, resultIn } from './support.ts';

const paying = (approval: ServerToolApproval<Readonly<Record<string, unknown>>>) =>
  defineServerTool({ approval, execute: ({ amount }) => `paid ${amount}` });

describe('an approval rule', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('no database');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no database'))],
  ])('that %s asks the person, and onError is told which tool it was', async (_name, rule) => {
    const failures: unknown[] = [];
    const { session } = open(paying(rule), {
      onError: (thrown, failure) => failures.push({ thrown, ...failure }),
    });
    expect(requestIn(await run(session, hello)).toolCalls).toMatchObject([
      { toolCallId: 'call-1', question: { ui: 'confirm' } },
    ]);
    expect(failures).toMatchObject([
      { thrown: new Error('no database'), source: 'tool', toolName: 'refund', toolCallId: 'call-1' },
    ]);
  });

  it('that takes ten seconds asks the person then, and onError is told', async () => {
    const clock = createManualClock();
    const failures: unknown[] = [];
    const onError = (thrown: unknown, { source }: { source: string }) =>
      failures.push([source, String(thrown)]);
    const { session } = open(
      paying(() => new Promise<boolean>(() => {})),
      { clock, onError },
    );
    const events = collect(session.execute(hello));
    while (clock.waiting === 0) await new Promise((next) => setImmediate(next));
    await clock.advance(9_999);
    expect(failures).toEqual([]);
    await clock.advance(1);
    expect(requestIn(await events).toolCalls).toMatchObject([{ toolCallId: 'call-1', executedBy: 'server' }]);
    expect(failures).toEqual([['tool', expect.stringContaining("approval of the tool 'refund'")]]);
  });

  it('that allows a call after the run was stopped does not run it, and onError is told nothing', async () => {
    const clock = createManualClock();
    const log: unknown[] = [];
    let decide = (_isNeeded: boolean) => {};
    const tool = defineServerTool({
      approval: () =>
        new Promise<boolean>((resolve) => {
          decide = resolve;
        }),
      execute: () => log.push('paid'),
    });
    const { session } = open(tool, { clock, onError: (thrown) => log.push(thrown) });
    const reader = new AbortController();
    const events = collect(session.execute(hello, { signal: reader.signal }));
    while (clock.waiting === 0) await new Promise((next) => setImmediate(next));
    reader.abort();
    await events;
    decide(false);
    await settle();
    expect(log).toEqual([]);
  });

  it.each([[undefined], [null], [0], [''], ['false'], [true]])(
    'that yields %j asks the person: only false lets the call run',
    async (value) => {
      const { session } = open(paying(() => value as boolean));
      expect(requestIn(await run(session, hello)).toolCalls).toHaveLength(1);
    },
  );

  it.each([[false], [Promise.resolve(false)]])('that yields false lets the call run', async (value) => {
    const { session, agent } = open(paying(() => value));
    await run(session, hello);
    expect(resultIn(agent)).toBe('paid 80');
  });

  it('that is a mistyped word in a tool that defineServerTool has not checked asks the person', async () => {
    const { session } = open({ ...paying('always'), approval: 'allways' as 'always' });
    expect(requestIn(await run(session, hello)).toolCalls).toHaveLength(1);
  });
});

describe('an approval with a time', () => {
  const MINUTE = 60_000;

  it('goes by its rule, which gets the parsed arguments', async () => {
    const small = open(
      defineServerTool({
        input: z.object({ orderId: z.string(), amount: z.number() }),
        approval: { when: ({ amount }) => amount > 100, expiresInMs: MINUTE },
        execute: ({ amount }) => `paid ${amount}`,
      }),
    );
    await run(small.session, hello);
    expect(resultIn(small.agent)).toBe('paid 80');
    const large = open(paying({ when: 'always' }));
    expect(requestIn(await run(large.session, hello)).toolCalls[0]).not.toHaveProperty('deadline');
  });

  it('has a deadline, after which the call does not run and the agent is told', async () => {
    const clock = createManualClock();
    const tool = paying({ when: 'always', expiresInMs: MINUTE });
    const { session, agent, store } = open(tool, { clock });
    const asked = await run(session, hello);
    const { executionId, toolCalls } = requestIn(asked);
    expect(toolCalls[0]?.deadline).toBe(clock.now() + MINUTE);
    await clock.advance(MINUTE);
    const other = createAgentSession({ id: 's', agent, store, clock, tools: { refund: tool } });
    await run(other, { type: 'resume', executionId, cursor: 0 });
    expect(resultIn(agent)).toBe('Nobody answered in time');
    const [late] = await run(other, answer(asked, { confirmed: true }));
    expect(late).toMatchObject({ type: 'error' });
    expect(agent.contexts).toHaveLength(2);
  });

  it('runs when it is allowed before the deadline', async () => {
    const clock = createManualClock();
    const { session, agent } = open(paying({ when: 'always', expiresInMs: MINUTE }), { clock });
    const asked = await run(session, hello);
    await clock.advance(MINUTE - 1);
    await run(session, answer(asked, { confirmed: true }));
    expect(resultIn(agent)).toBe('paid 80');
  });
});
