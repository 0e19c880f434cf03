/** A process that cannot judge an answer refuses it: it lacks the tool or its rule, or the person may not answer at all. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import type { MayAnswer, ServerTools } from '../../../src/server/tools/server-tool.ts';
import type { Principal } from '../../../src/shared/principal.ts';
import { collect, createListAgent, hello } from '../support.ts';
import { answer, callRefund, done, resultIn } from '../tools/support.ts';

const ADA: Principal = { id: 'ada', name: 'Ada' };
const BOB: Principal = { id: 'bob', name: 'Bob' };
const onlyAda: MayAnswer = ({ id }) => id === 'ada';
const yes = { confirmed: true };

/** A conversation that Ada and Bob may open. `process` is one that has these tools. */
function createDeployments(agent = createListAgent(callRefund, done)) {
  const store = createMemorySessionStore();
  const paid: number[] = [];
  const input = z.object({ orderId: z.string(), amount: z.number() });
  const refund = (mayAnswer?: MayAnswer) =>
    defineServerTool({
      input,
      approval: 'always',
      execute: ({ amount }) => paid.push(amount),
      ...(mayAnswer && { mayAnswer }),
    });
  const process = (tools: ServerTools) => {
    const session = createAgentSession({ id: 's', agent, store, tools, mayOpen: () => true });
    const send = (payload: unknown, principal: Principal) => collect(session.execute(payload, { principal }));
    return { send, session };
  };
  return { store, paid, refund, process, agent };
}

describe('a process without the tool of a call', () => {
  it.each([
    ['no', BOB],
    ['a', ADA],
  ])(
    'refuses the yes of a person who may answer it with %s right, as one that may pass',
    async (_, person) => {
      const { store, paid, refund, process } = createDeployments();
      const asked = await process({ refund: refund(onlyAda) }).send(hello, ADA);
      const before = await store.load('s');
      expect(await process({}).send(answer(asked, yes), person)).toMatchObject([
        { type: 'error', code: 'tool_unknown', retryable: true },
      ]);
      expect(await store.load('s')).toEqual(before);
      // The next process judges the person.
      const next = process({ refund: refund(onlyAda) });
      expect(await next.send(answer(asked, yes), BOB)).toMatchObject([{ code: 'not_allowed' }]);
      expect(paid).toEqual([]);
      await next.send(answer(asked, yes), ADA);
      expect(paid).toEqual([80]);
    },
  );

  it('tells the agent of the error when the answer was taken before, and hands nothing to a page', async () => {
    const { store, paid, refund, process, agent } = createDeployments();
    const first = process({ refund: refund() });
    const asked = await first.send({ ...hello, idempotencyKey: 'k' }, ADA);
    // The process dies with the answer in the store.
    const { save } = store;
    store.save = async (id, record) => {
      await save(id, record);
      store.save = () => Promise.reject(new Error('the process is dead'));
      throw new Error('the process is dead');
    };
    await first.send(answer(asked, yes), ADA);
    store.save = save;
    const after = createMemorySessionStore();
    await after.save('s', (await store.load('s')) as never);
    const session = createAgentSession({ id: 's', agent, store: after, tools: {}, mayOpen: () => true });
    expect(await session.recover()).toBe(true);
    const events = await collect(session.execute({ type: 'open' }, { principal: ADA }));
    expect(JSON.stringify(events)).not.toContain('client-tool-request');
    expect(resultIn(agent)).toBe('The server does not know the tool refund any more.');
    expect(paid).toEqual([]);
  });
});

describe('a process whose tool has lost its mayAnswer', () => {
  it('refuses every answer to a call that was asked with it, and a process that has it takes that of the right person', async () => {
    const { store, paid, refund, process } = createDeployments();
    const asked = await process({ refund: refund(onlyAda) }).send(hello, ADA);
    const before = await store.load('s');
    for (const person of [BOB, ADA])
      expect(await process({ refund: refund() }).send(answer(asked, yes), person)).toMatchObject([
        { code: 'not_allowed', message: expect.stringContaining('lacks a rule') },
      ]);
    expect([await store.load('s'), paid]).toEqual([before, []]);
    await process({ refund: refund(onlyAda) }).send(answer(asked, yes), ADA);
    expect(paid).toEqual([80]);
  });
});

describe('a person who may not answer', () => {
  it.each([
    ['another answer', { confirmed: false }],
    ['the same answer', yes],
    ['no answer at all', 'nonsense'],
  ])('is refused with %s, and restarts nothing, after the model failed', async (_, result) => {
    const busy = createListAgent(callRefund, [{ type: 'finish', finishReason: 'error' }], done);
    const { store, paid, refund, process } = createDeployments(busy);
    const { send } = process({ refund: refund(onlyAda) });
    const asked = await send(hello, ADA);
    await send(answer(asked, yes), ADA);
    const before = await store.load('s');
    expect(before?.execution?.state).toBe('failed');
    expect(await send(answer(asked, result), BOB)).toMatchObject([{ code: 'not_allowed' }]);
    expect(await store.load('s')).toEqual(before);
    expect(busy.contexts).toHaveLength(2);
    await send(answer(asked, yes), ADA);
    expect([busy.contexts.length, paid]).toEqual([3, [80]]);
    expect((await store.load('s'))?.calls['call-1']?.answer).toMatchObject({ answeredBy: ADA, result: yes });
  });
});
