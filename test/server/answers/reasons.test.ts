/** The words of a person about an answer: a comment with a yes, and the reason of a no, which a tool may require. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { toModelMessages } from '../../../src/server/ai-sdk/to-model-messages.ts';
import { verifyReceipt } from '../../../src/server/receipts/answer-receipt.ts';
import { readAnswers } from '../../../src/server/receipts/answer-record.ts';
import { createHmacReceipts } from '../../../src/server/receipts/create-hmac-receipts.ts';
import type { SessionRecord } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { hello, requestIn, run } from '../support.ts';
import { answer, open, resultIn } from '../tools/support.ts';

const receipts = createHmacReceipts('reasons'.padEnd(32, '.'));
const refund = defineServerTool({ approval: 'always', execute: ({ amount }) => `paid ${amount}` });
const careful = { ...refund, reason: 'required' } as const;

describe('a comment with a yes', () => {
  async function allow(more: object, tool = refund) {
    const opened = open(tool, { receipts });
    const { session, store, agent } = opened;
    const asked = await run(session, hello);
    await run(session, answer(asked, { confirmed: true }, { reason: 'this once', ...more }));
    const record = (await store.load('s')) as SessionRecord;
    return { ...opened, asked, record, message: agent.contexts.at(-1)?.messages.at(-1) };
  }

  it.each([{}, { outcome: 'submitted' }, { outcome: 'submitted', result: null }])(
    'is kept, signed and told to the agent and to the other pages, with %j',
    async (more) => {
      const { session, asked, record, message } = await allow(more);
      const { executionId } = requestIn(asked);
      const known = { executionId, cursor: asked.at(-1)?.cursor };
      expect(await run(session, { type: 'open', ...known })).toContainEqual(
        expect.objectContaining({
          type: 'tool-result-acknowledged',
          outcome: 'submitted',
          reason: 'this once',
        }),
      );
      const [given] = readAnswers('s', record);
      if (given === undefined) throw new Error('the record has no answer');
      expect(given).toMatchObject({ outcome: 'submitted', reason: 'this once' });
      expect(await verifyReceipt(given, receipts)).toMatchObject({ valid: true });
      expect(await verifyReceipt({ ...given, reason: 'always' }, receipts)).toMatchObject({ valid: false });
      expect(message).toMatchObject({ role: 'tool', result: 'paid 80', reason: 'this once' });
      const [snapshot] = await run(session, { type: 'open' });
      expect(snapshot).toMatchObject({
        messages: [{}, { parts: [{ outcome: 'submitted', reason: 'this once', result: 'paid 80' }, {}] }],
      });
    },
  );

  it('is told to the model beside the result of the tool', async () => {
    const { agent } = await allow({});
    expect(toModelMessages(agent.contexts.at(-1)?.messages ?? []).at(-1)).toMatchObject({
      role: 'tool',
      content: [{ output: { type: 'json', value: { result: 'paid 80', reason: 'this once' } } }],
    });
  });

  it('leaves the result as it is where there is no comment', async () => {
    const { agent, message } = await allow({ reason: undefined });
    expect(message).not.toHaveProperty('reason');
    expect(toModelMessages(agent.contexts.at(-1)?.messages ?? []).at(-1)).toMatchObject({
      content: [{ output: { value: 'paid 80' } }],
    });
  });

  it('is told to the agent beside the error of a tool that was allowed and failed', async () => {
    const fail = () => {
      throw new Error('no money');
    };
    const { message } = await allow({}, { ...refund, execute: fail });
    expect(message).toMatchObject({ error: expect.stringContaining('no money'), reason: 'this once' });
  });
});

describe('the reason of a no', () => {
  it('is in the result that the agent gets, once', async () => {
    const { session, agent } = open(refund);
    const asked = await run(session, hello);
    await run(session, answer(asked, null, { outcome: 'declined', reason: 'too dear' }));
    const declined = { outcome: 'declined', confirmed: false, reason: 'too dear' };
    expect(resultIn(agent)).toEqual(declined);
    expect(toModelMessages(agent.contexts.at(-1)?.messages ?? []).at(-1)).toMatchObject({
      content: [{ output: { type: 'json', value: declined } }],
    });
  });
});

describe('a tool whose no needs a reason', () => {
  const isAsked = (events: readonly AgentEvent[]) => requestIn(events).toolCalls[0]?.question;

  it('says so in its question', async () => {
    expect(isAsked(await run(open(careful).session, hello))).toMatchObject({ reason: 'required' });
    expect(isAsked(await run(open(refund).session, hello))).not.toHaveProperty('reason');
  });

  it.each<[string, unknown, object]>([
    ['the word declined', null, { outcome: 'declined' }],
    ['confirmed: false', { confirmed: false }, {}],
    ['a value with the word declined', { outcome: 'declined' }, {}],
    ['a declined yes', { confirmed: false }, { outcome: 'submitted' }],
    ['a blank reason', null, { outcome: 'declined', reason: ' \n\t' }],
    ['a blank reason in its value', { confirmed: false, reason: ' ' }, {}],
    ['a reason of characters that nobody sees', null, { outcome: 'declined', reason: '\u200b\u2800\u3164' }],
    ['a reason that is no text', { confirmed: false, reason: 7 }, {}],
  ])('refuses a no without a reason, and waits: %s', async (_, result, more) => {
    const { session, store, agent } = open(careful);
    const asked = await run(session, hello);
    expect(await run(session, answer(asked, result, more))).toMatchObject([
      { type: 'error', code: 'invalid_result', tool: { callId: 'call-1' } },
    ]);
    expect(await store.load('s')).toMatchObject({
      execution: { state: 'waiting' },
      calls: { 'call-1': { stage: 'asked' } },
    });
    expect(agent.contexts).toHaveLength(1);
  });

  it.each<[string, unknown, object]>([
    ['the word declined', null, { outcome: 'declined', reason: 'too dear' }],
    ['the word cancelled', undefined, { outcome: 'cancelled', error: 'too dear', reason: 'too dear' }],
    ['confirmed: false', { confirmed: false, reason: 'too dear' }, {}],
  ])('takes a no with a reason: %s', async (_, result, more) => {
    const { session, store } = open(careful);
    const asked = await run(session, hello);
    await run(session, answer(asked, result, more));
    expect(readAnswers('s', (await store.load('s')) as SessionRecord)).toMatchObject([
      { reason: 'too dear' },
    ]);
  });

  it.each<[string, unknown, object]>([
    ['the word cancelled', undefined, { outcome: 'cancelled', error: 'User cancelled' }],
    ['the word alone', undefined, { outcome: 'cancelled' }],
    ['an error alone, as clients of before 0.2 cancel', undefined, { error: 'User cancelled' }],
  ])('lets a person leave the question without a reason, and does not run: %s', async (_, result, more) => {
    const { session, store, agent } = open(careful);
    const asked = await run(session, hello);
    const ended = await run(session, answer(asked, result, more));
    expect(ended.map(({ type }) => type)).not.toContain('error');
    expect(await store.load('s')).toMatchObject({
      calls: { 'call-1': { answer: { outcome: 'cancelled' } } },
    });
    expect(agent.contexts).toHaveLength(2);
    expect(JSON.stringify(agent.contexts.at(-1)?.messages)).not.toContain('paid');
  });

  it('takes a yes without a reason, after a no that was refused too', async () => {
    const { session, agent } = open(careful);
    const asked = await run(session, hello);
    await run(session, answer(asked, null, { outcome: 'declined' }));
    await run(session, answer(asked, { confirmed: true }));
    expect(resultIn(agent)).toBe('paid 80');
  });

  it('requires none of the questions that the tool asks in its work', async () => {
    const asking = defineServerTool({
      reason: 'required',
      execute: (_args, { ask }) => ask({ message: 'Why?' }).catch(() => 'not said'),
    });
    const { session, agent } = open(asking);
    const asked = await run(session, hello);
    await run(session, answer(asked, null, { outcome: 'declined' }));
    expect(resultIn(agent)).toBe('not said');
  });
});
