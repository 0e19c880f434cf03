/** Approvals of server tools that a person wanted to have remembered. */

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type { ModelEvent } from '../../../src/server/agent.ts';
import { verifyReceipt } from '../../../src/server/receipts/answer-receipt.ts';
import { readAnswers } from '../../../src/server/receipts/answer-record.ts';
import { createHmacReceipts } from '../../../src/server/receipts/create-hmac-receipts.ts';
import {
  type AgentSessionOptions,
  createAgentSession,
} from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionRecord, SessionStore } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import type { ServerToolDefinition } from '../../../src/server/tools/server-tool.ts';
import type { Principal } from '../../../src/shared/principal.ts';
import { createDeferred } from '../../support/deferred.ts';
import { collect, createListAgent, hello, requestIn, stop, text } from '../support.ts';

const ADA: Principal = { id: 'ada', name: 'Ada' };
const BOB: Principal = { id: 'bob', name: 'Bob' };
const CALL = { toolCallId: 'call-1', toolName: 'refund', args: { orderId: 'o-1', amount: 80 } };
const YES = { confirmed: true, remember: true };
const NO = { outcome: 'declined', confirmed: false, remember: true };

const refund = defineServerTool({
  description: 'Pay money back',
  input: z.object({ orderId: z.string(), amount: z.number() }),
  approval: ({ amount }) => amount > 50,
  remember: true,
  execute: ({ amount }) => `paid ${amount}`,
});

interface Talk extends Partial<AgentSessionOptions> {
  readonly tool?: Partial<ServerToolDefinition>;
  readonly args?: object;
}

/** A conversation of its own, in the store that all conversations of a test share. */
function createTalks(store: SessionStore = createMemorySessionStore()) {
  let count = 0;
  return {
    store,
    open({ tool, args = CALL.args, id: given, ...more }: Talk = {}) {
      count += 1;
      const id = given ?? `talk-${count}`;
      const asks: ModelEvent[] = [
        { type: 'tool-request', toolCalls: [{ ...CALL, args: { ...args } }] },
        { type: 'finish', finishReason: 'tool-calls' },
      ];
      const agent = createListAgent(asks, [...text('Done'), stop]);
      const tools = { refund: { ...refund, ...tool } };
      const session = createAgentSession({ id, agent, store, tools, ...more });
      const send = (payload: unknown, principal?: Principal) =>
        collect(session.execute(payload, { principal }));
      const answer = (events: readonly AgentEvent[], result: unknown, principal = ADA) => {
        const { executionId, toolCalls } = requestIn(events);
        const toolResults = toolCalls.map(({ toolCallId, receipt }) => ({ toolCallId, result, receipt }));
        return send({ type: 'continue', executionId, toolResults }, principal);
      };
      const readAll = async () => readAnswers(id, (await store.load(id)) as SessionRecord);
      /** The result that the agent got, or undefined if the call waits. */
      const readResult = () => {
        const message = agent.contexts[1]?.messages.at(-1);
        return message?.role === 'tool' ? (message.error ?? message.result) : undefined;
      };
      return { id, send, answer, readAnswers: readAll, readResult };
    },
  };
}

type Talks = ReturnType<typeof createTalks>;

/** A conversation in which Ada answers the call, and wants that to be remembered. */
async function remember({ open }: Talks, result: unknown, more: Talk = {}): Promise<AgentEvent[]> {
  const talk = open(more);
  const asked = await talk.send(hello, ADA);
  await talk.answer(asked, result);
  return asked;
}

const isAsked = (events: readonly AgentEvent[]) => events.some(({ type }) => type === 'client-tool-request');

describe('a remembered yes', () => {
  it('a remembered yes lets later calls of the same person run unasked, in another conversation too', async () => {
    const talks = createTalks();
    expect(requestIn(await remember(talks, YES)).toolCalls[0]?.question).toMatchObject({ remember: true });
    const later = talks.open({ args: { orderId: 'o-2', amount: 90 } });
    expect(isAsked(await later.send(hello, ADA))).toBe(false);
    expect(later.readResult()).toBe('paid 90');
  });

  it('a remembered yes is recorded with each call that it decides, and names the answer that was remembered', async () => {
    const talks = createTalks();
    const { executionId } = requestIn(await remember(talks, YES));
    const later = talks.open();
    await later.send(hello, ADA);
    expect(await later.readAnswers()).toMatchObject([
      {
        ...CALL,
        isApproval: true,
        outcome: 'submitted',
        answeredBy: { id: 'ada', name: 'Ada' },
        remembered: { sessionId: 'talk-1', executionId, toolCallId: 'call-1' },
      },
    ]);
  });

  it('a remembered yes is signed with each call that it decides, together with what it names', async () => {
    const receipts = createHmacReceipts('a'.repeat(32));
    const talks = createTalks();
    await remember(talks, YES, { receipts });
    const later = talks.open({ receipts });
    await later.send(hello, ADA);
    const [record] = await later.readAnswers();
    if (record?.remembered === undefined) throw new Error('nothing was recorded');
    expect(await verifyReceipt(record, receipts)).toMatchObject({
      valid: true,
      question: { isApproval: true },
    });
    const { remembered: _, ...asked } = record;
    for (const forged of [asked, { ...record, remembered: { ...record.remembered, sessionId: 'other' } }]) {
      expect(await verifyReceipt(forged, receipts)).toMatchObject({ valid: false });
    }
  });

  it('a remembered yes is not recorded where the policy of the tool asks nobody', async () => {
    const talks = createTalks();
    await remember(talks, YES);
    const small = talks.open({ args: { orderId: 'o-2', amount: 10 } });
    await small.send(hello, ADA);
    expect([small.readResult(), await small.readAnswers()]).toEqual(['paid 10', []]);
  });

  it('a yes to corrected arguments is not remembered: the agent sends others next time', async () => {
    const talks = createTalks();
    await remember(
      talks,
      { ...YES, editedArgs: { orderId: 'o-1', amount: 60 } },
      { tool: { editable: true } },
    );
    const later = talks.open({ tool: { editable: true } });
    expect(requestIn(await later.send(hello, ADA)).toolCalls).toHaveLength(1);
    expect(later.readResult()).toBeUndefined();
  });
});

describe('a remembered no', () => {
  it('a remembered no declines later calls of the same person, and tells the agent why', async () => {
    const talks = createTalks();
    await remember(talks, NO);
    const later = talks.open();
    expect(isAsked(await later.send(hello, ADA))).toBe(false);
    expect(later.readResult()).toEqual({
      outcome: 'declined',
      confirmed: false,
      reason: 'The person declined this earlier and wanted that to be remembered',
    });
    expect(await later.readAnswers()).toMatchObject([{ outcome: 'declined', answeredBy: { id: 'ada' } }]);
  });

  it('a remembered no counts before the policy of the tool', async () => {
    const talks = createTalks();
    await remember(talks, NO);
    const small = talks.open({ args: { orderId: 'o-2', amount: 10 } });
    await small.send(hello, ADA);
    expect(small.readResult()).toMatchObject({ outcome: 'declined' });
  });
});

describe('a choice about some calls of a tool', () => {
  const SAME = { ...YES, remember: { sameArguments: true } };
  const other = { orderId: 'o-2', amount: 90 };

  it.each<[string, Talk, boolean]>([
    ['the same arguments in another order', { args: { amount: 80, orderId: 'o-1' } }, false],
    ['another amount', { args: { orderId: 'o-1', amount: 81 } }, true],
    ['another order', { args: { orderId: 'o-2', amount: 80 } }, true],
    ['the same arguments of a tool that has changed', { tool: { description: 'Pay twice' } }, true],
    ['the same arguments of a tool that has become destructive', { tool: { severity: 'destructive' } }, true],
  ])('a yes to the same arguments alone is about %s', async (_, more, asks) => {
    const talks = createTalks();
    await remember(talks, SAME);
    expect(isAsked(await talks.open(more).send(hello, ADA))).toBe(asks);
  });

  it('a no to the same arguments alone declines these, and lets a yes to all others stand', async () => {
    const talks = createTalks();
    await remember(talks, { ...NO, remember: { sameArguments: true } });
    await remember(talks, YES, { args: other });
    const [declined, allowed] = [talks.open(), talks.open({ args: { ...other, amount: 95 } })];
    await declined.send(hello, ADA);
    await allowed.send(hello, ADA);
    expect(declined.readResult()).toMatchObject({ outcome: 'declined' });
    expect(allowed.readResult()).toBe('paid 95');
  });

  it('a choice for one conversation is about no call of another one', async () => {
    const talks = createTalks();
    const talk = talks.open();
    await talk.answer(await talk.send(hello, ADA), { ...YES, remember: { scope: 'conversation' } });
    expect(await talks.store.choices?.list('ada')).toMatchObject([
      { scope: 'conversation', sessionId: talk.id },
    ]);
    expect(isAsked(await talks.open().send(hello, ADA))).toBe(true);
    expect(isAsked(await talks.open({ id: talk.id }).send(hello, ADA))).toBe(false);
  });

  it.each(['yes', 1, { sameArguments: 'yes' }, { scope: 'everywhere' }, { sameArgs: true }, [true]])(
    'nothing is remembered where the page says %j',
    async (word) => {
      const talks = createTalks();
      await remember(talks, { ...YES, remember: word });
      expect(await talks.store.choices?.list('ada')).toEqual([]);
    },
  );

  it('nothing is remembered of corrected arguments, for the same arguments either', async () => {
    const talks = createTalks();
    const edited = { ...SAME, editedArgs: { orderId: 'o-1', amount: 60 } };
    await remember(talks, edited, { tool: { editable: true } });
    expect(await talks.store.choices?.list('ada')).toEqual([]);
  });

  it('a choice that is taken back takes those about some calls of the tool with it', async () => {
    const talks = createTalks();
    await remember(talks, SAME);
    await talks.store.choices?.remove('ada', 'refund');
    expect(isAsked(await talks.open().send(hello, ADA))).toBe(true);
  });
});

describe('a person is asked', () => {
  it.each<[string, Talk, Principal | undefined]>([
    ['who is not the one that chose', {}, BOB],
    ['who is not known', {}, undefined],
    ['when the description of the tool has changed', { tool: { description: 'Pay twice' } }, ADA],
    ['when the title of the tool has changed', { tool: { title: 'Refunds' } }, ADA],
    ['when the input of the tool has changed', { tool: { input: z.object({ amount: z.number() }) } }, ADA],
    ['when the severity of the tool has changed', { tool: { severity: 'caution' } }, ADA],
    ['when the tool has become destructive', { tool: { severity: 'destructive' } }, ADA],
    ['when choices about the tool are remembered no more', { tool: { remember: false } }, ADA],
    ['who may not allow the call any more', { mayAnswer: (person) => person.id !== 'ada' }, ADA],
  ])('a tool asks a person %s', async (_, more, person) => {
    const talks = createTalks();
    await remember(talks, YES);
    expect(isAsked(await talks.open().send(hello, ADA))).toBe(false);
    expect(isAsked(await talks.open(more).send(hello, person))).toBe(true);
  });

  it('a tool asks again after the choice was removed from the store', async () => {
    const talks = createTalks();
    await remember(talks, YES);
    expect(await talks.store.choices?.list('ada')).toMatchObject([{ toolName: 'refund', choice: 'allowed' }]);
    await talks.store.choices?.remove('ada', 'refund');
    expect(isAsked(await talks.open().send(hello, ADA))).toBe(true);
  });

  it('a tool asks again after a yes that was not to be remembered', async () => {
    const talks = createTalks();
    await remember(talks, { confirmed: true });
    expect(isAsked(await talks.open().send(hello, ADA))).toBe(true);
  });
});

describe('nothing is remembered', () => {
  it.each<[string, Talk]>([
    ['about a destructive tool', { tool: { severity: 'destructive' } }],
    ['about a tool that does not offer it', { tool: { remember: false } }],
  ])('nothing is remembered %s, whatever the page sends', async (_, more) => {
    const talks = createTalks();
    const [call] = requestIn(await remember(talks, YES, more)).toolCalls;
    expect(call?.question).not.toHaveProperty('remember');
    expect(await talks.store.choices?.list('ada')).toEqual([]);
  });

  it('nothing is remembered of an answer that is refused', async () => {
    const talks = createTalks();
    const talk = talks.open({ mayAnswer: (person) => person.id === 'bob' });
    const asked = await talk.send(hello, ADA);
    expect(await talk.answer(asked, YES)).toMatchObject([{ code: 'not_allowed' }]);
    expect(await talks.store.choices?.list('ada')).toEqual([]);
  });

  it('nothing is remembered by a store without choices, which offers nothing', async () => {
    const { load, save } = createMemorySessionStore();
    const talks = createTalks({ load, save });
    const [call] = requestIn(await remember(talks, YES)).toolCalls;
    expect(call?.question).not.toHaveProperty('remember');
    expect(isAsked(await talks.open().send(hello, ADA))).toBe(true);
  });
});

it('the choice belongs to the person who answers, not to the one who started the run', async () => {
  const talks = createTalks();
  const talk = talks.open({ mayAnswer: () => true });
  await talk.answer(await talk.send(hello, ADA), YES, BOB);
  expect(isAsked(await talks.open().send(hello, ADA))).toBe(true);
  expect(isAsked(await talks.open().send(hello, BOB))).toBe(false);
});

it('a store that fails to remember or to recall is reported, and the person is asked', async () => {
  const memory = createMemorySessionStore();
  const fail = () => Promise.reject(new Error('no disk'));
  const talks = createTalks({ ...memory, choices: { list: fail, save: fail, remove: fail } });
  const reported: unknown[] = [];
  const talk = talks.open({ onError: (thrown, { source }) => reported.push([source, String(thrown)]) });
  const asked = await talk.send(hello, ADA);
  await talk.answer(asked, YES);
  expect(talk.readResult()).toBe('paid 80');
  expect(reported).toEqual(Array.from({ length: 2 }, () => ['store', 'Error: no disk']));
});

it('a call that a choice decided is recorded once, although the process dies before the tool is done', async () => {
  const talks = createTalks();
  await remember(talks, YES);
  const begun = createDeferred<void>();
  const hanging = talks.open({
    tool: { execute: () => new Promise(() => begun.resolve()) },
  });
  void hanging.send({ ...hello, idempotencyKey: 'k' }, ADA);
  await begun.promise;
  // Another process has what the store had at that moment.
  const record = await talks.store.load(hanging.id);
  if (record === null) throw new Error('nothing was stored');
  const store = createMemorySessionStore();
  await store.save(hanging.id, record);
  const agent = createListAgent([...text('Done'), stop]);
  const session = createAgentSession({ id: hanging.id, agent, store, tools: { refund } });
  await collect(session.execute({ ...hello, idempotencyKey: 'k' }, { principal: ADA }));
  expect(agent.contexts[0]?.messages.at(-1)).toMatchObject({ result: 'paid 80' });
  expect(readAnswers(hanging.id, (await store.load(hanging.id)) as SessionRecord)).toHaveLength(1);
});
