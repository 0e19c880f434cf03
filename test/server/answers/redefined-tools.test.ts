/** Tools of which a later deployment says something else while their question is open: the old yes never runs the new tool. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { createAgentChat, createHttpTransport } from '../../../src/core.ts';
import { createSessionSource } from '../../../src/server/inbox/create-session-source.ts';
import { verifyReceipt } from '../../../src/server/receipts/answer-receipt.ts';
import { readAnswers } from '../../../src/server/receipts/answer-record.ts';
import { createHmacReceipts } from '../../../src/server/receipts/create-hmac-receipts.ts';
import type { AgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import type { SessionRecord } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import type { ServerToolDefinition } from '../../../src/server/tools/server-tool.ts';
import { settled } from '../../support/scripted-chat.ts';
import { collect, hello, requestIn, run, types } from '../support.ts';
import { answer, open, resultIn } from '../tools/support.ts';

const receipts = createHmacReceipts('redefined'.padEnd(32, '.'));
const YES = { confirmed: true };

const first = defineServerTool({
  description: 'Pay money back',
  input: z.object({ orderId: z.string(), amount: z.number() }),
  approval: 'always',
  editable: true,
  execute: ({ amount }) => `paid ${amount}`,
});
const later: ServerToolDefinition = {
  ...first,
  description: 'Pay money back twice',
  execute: () => 'paid twice',
};

const questionIn = (events: readonly AgentEvent[]) => requestIn(events).toolCalls[0];
const definitionIn = (events: readonly AgentEvent[]) => ({ definition: questionIn(events)?.definition });

/** The first deployment has asked; the next one has the changed tool. */
async function redeploy(tool = later, more: Parameters<typeof open>[1] = {}) {
  const opened = open(first, more);
  const asked = await run(opened.session, hello);
  return { ...opened, asked, next: opened.restart(tool) };
}

describe('a yes to a question whose tool was changed', () => {
  it.each([
    ['description', { description: 'Pay money back twice' }],
    ['title', { title: 'Refunds' }],
    ['severity', { severity: 'destructive' as const }],
    [
      'input',
      { input: z.object({ orderId: z.string(), amount: z.number(), note: z.string().default('-') }) },
    ],
  ])('does not run the tool, and asks the new question: another %s', async (_, change) => {
    const { asked, next, agent, store } = await redeploy({ ...first, ...change });
    const again = await run(next, answer(asked, YES));
    expect(types(again)).toEqual(['notice', 'start', 'client-tool-request', 'finish']);
    expect(again[0]).toMatchObject({ code: 'question_changed', toolCallId: 'call-1' });
    const { input, ...texts } = change as Partial<typeof first>;
    expect(questionIn(again)?.question).toMatchObject(texts);
    expect(agent.contexts).toHaveLength(1);
    expect(await store.load('s')).toMatchObject({ calls: { 'call-1': { stage: 'asked' } } });
    await run(next, answer(again, YES, definitionIn(again)));
    expect(resultIn(agent)).toBe('paid 80');
  });

  it('runs a tool of which only the function is another one', async () => {
    const { asked, next, agent } = await redeploy({ ...first, execute: () => 'paid by the new function' });
    await run(next, answer(asked, YES, definitionIn(asked)));
    expect(resultIn(agent)).toBe('paid by the new function');
  });

  it('does not run the tool with corrected arguments either', async () => {
    const { asked, next, agent } = await redeploy();
    const edited = { ...YES, editedArgs: { orderId: 'o-1', amount: 1 } };
    expect(questionIn(await run(next, answer(asked, edited)))).toMatchObject({ args: { amount: 80 } });
    expect(agent.contexts).toHaveLength(1);
  });

  it('is asked anew with a receipt of its own, and the record can be verified', async () => {
    const { asked, next, agent, store } = await redeploy(later, { receipts });
    const again = await run(next, answer(asked, YES));
    expect(questionIn(again)?.receipt).not.toBe(questionIn(asked)?.receipt);
    expect(await run(next, answer(asked, YES))).toMatchObject([{ code: 'invalid_receipt' }]);
    await run(next, answer(again, YES));
    expect(resultIn(agent)).toBe('paid twice');
    const [record] = readAnswers('s', (await store.load('s')) as SessionRecord);
    if (record === undefined) throw new Error('the record has no answer');
    expect(await verifyReceipt(record, receipts)).toMatchObject({ valid: true });
  });

  it('shows the arguments as the schema of now reads them', async () => {
    const input = z.object({ orderId: z.string(), amount: z.number(), currency: z.string().default('EUR') });
    const execute = ({ currency }: { currency: string }) => `paid in ${currency}`;
    const { asked, next, agent } = await redeploy({ ...later, input, execute });
    const again = await run(next, answer(asked, YES));
    expect(questionIn(again)?.args).toEqual({ orderId: 'o-1', amount: 80, currency: 'EUR' });
    await run(next, answer(again, YES));
    expect(resultIn(agent)).toBe('paid in EUR');
  });

  it('is an error for the agent where the tool takes the arguments no more', async () => {
    const input = z.object({ invoice: z.string() });
    const { asked, next, agent } = await redeploy({ ...later, input });
    await run(next, answer(asked, YES));
    expect(resultIn(agent)).toContain('was changed after a person allowed the call');
  });
});

it('a no to a question whose tool was changed is taken', async () => {
  const { asked, next, agent } = await redeploy();
  await run(next, answer(asked, null, { outcome: 'declined', reason: 'no' }));
  expect(resultIn(agent)).toMatchObject({ outcome: 'declined', reason: 'no' });
});

describe('a conversation that is opened after its tool was changed', () => {
  it('shows the new text, and a page with the old one cannot say yes to it', async () => {
    const { asked, next, agent } = await redeploy();
    const [snapshot] = await run(next, { type: 'open' });
    expect(snapshot).toMatchObject({
      type: 'snapshot',
      openCalls: [{ question: { description: 'Pay money back twice' } }],
    });
    const refused = await run(next, answer(asked, YES, definitionIn(asked)));
    expect(refused[0]).toMatchObject({ type: 'notice', code: 'question_changed' });
    expect(questionIn(refused)?.question).toMatchObject({ description: 'Pay money back twice' });
    expect(agent.contexts).toHaveLength(1);
    await run(next, answer(refused, YES, definitionIn(refused)));
    expect(resultIn(agent)).toBe('paid twice');
  });

  it('is the same question where the tool is the same', async () => {
    const { asked, next, store } = await redeploy({ ...first });
    const before = await store.load('s');
    const [snapshot] = await run(next, { type: 'open' });
    expect(snapshot).toMatchObject({ openCalls: [definitionIn(asked)] });
    expect((await store.load('s'))?.revision).toBe(before?.revision);
  });

  it('is left as it is by followers, so that two versions of an app do not answer each other', async () => {
    const { asked, session, next, store } = await redeploy();
    const { revision } = (await store.load('s')) ?? {};
    const position = { executionId: requestIn(asked).executionId, cursor: asked.at(-1)?.cursor };
    const leave = new AbortController();
    const follow = (one: AgentSession) =>
      collect(one.execute({ type: 'open', follow: true, ...position }, { signal: leave.signal }));
    const pages = [follow(session), follow(next)];
    await settled();
    expect((await store.load('s'))?.revision).toBe(revision);
    // A new device brings the new text to all that follow.
    await run(next, { type: 'open' });
    await settled();
    leave.abort();
    for (const events of await Promise.all(pages)) {
      expect(types(events)).toEqual(['client-tool-request', 'finish']);
      expect(questionIn(events)?.question).toMatchObject({ description: 'Pay money back twice' });
    }
    expect((await store.load('s'))?.revision).toBe((revision ?? 0) + 1);
  });
});

it('a page that gave the old yes shows the new question, and the yes to that alone runs the new tool', async () => {
  const { session, restart, agent } = open(first);
  let current = session;
  const transport = createHttpTransport({
    request: async (payload) => {
      const events = await collect(current.execute(JSON.parse(JSON.stringify(payload))));
      const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
      return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  const chat = createAgentChat({ transport });
  const waiting = async (description: string) => {
    for (let turn = 0; turn < 20; turn += 1) {
      await settled();
      const [call] = chat.getState().pendingCalls;
      if (call?.definition?.description === description) return call;
    }
    throw new Error(`nobody is asked: ${description}`);
  };
  void chat.sendMessage('Hi');
  const old = await waiting('Pay money back');
  current = restart(later);
  old.submit(YES);
  const anew = await waiting('Pay money back twice');
  expect(old.submit(YES)).toMatchObject({ settled: false, reason: 'invalid-result' });
  expect(agent.contexts).toHaveLength(1);
  expect(anew.submit(YES)).toMatchObject({ settled: true });
  for (let turn = 0; agent.contexts.length < 2 && turn < 20; turn += 1) await settled();
  expect(resultIn(agent)).toBe('paid twice');
  chat.destroy();
});

it('an inbox refuses the old yes, lists the new question, and takes the answer to that', async () => {
  const mayAnswer = () => true;
  const { asked, next, store, agent } = await redeploy(later, { mayAnswer });
  const source = createSessionSource({ store, openSession: () => next, onError: () => {} });
  const grace = { id: 'grace' };
  const list = async () => (await source.list({ principal: grace })).calls;
  const give = async (definition: string | undefined) => {
    const { executionId } = requestIn(asked);
    const toolResults = [{ toolCallId: 'call-1', result: YES, ...(definition && { definition }) }];
    return source.answer({ sessionId: 's', executionId, toolResults }, grace);
  };
  const [before] = await list();
  expect(await give(before?.call.definition)).toMatchObject({ status: 'refused', code: 'question_changed' });
  const [after] = await list();
  expect(after?.call.question).toMatchObject({ description: 'Pay money back twice' });
  expect(await give(before?.call.definition)).toMatchObject({ status: 'refused', code: 'question_changed' });
  expect(await give(after?.call.definition)).toEqual({ status: 'accepted' });
  await settled();
  expect(resultIn(agent)).toBe('paid twice');
});
