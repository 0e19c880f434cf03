import { describe, expect, it } from 'vitest';
import type { AgentEvent, ToolResult } from '../../../src/core/protocol/events.ts';
import type { ModelEvent } from '../../../src/server/agent.ts';
import { verifyReceipt } from '../../../src/server/receipts/answer-receipt.ts';
import { readAnswers } from '../../../src/server/receipts/answer-record.ts';
import { createHmacReceipts } from '../../../src/server/receipts/create-hmac-receipts.ts';
import {
  type AgentSessionOptions,
  createAgentSession,
} from '../../../src/server/sessions/create-agent-session.ts';
import type { CallRecord } from '../../../src/server/store/call-record.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionRecord, SessionStore } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { digestArguments } from '../../../src/shared/digest-json.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { collect, createListAgent, hello, requestIn, stop, text } from '../support.ts';
import { createSecret } from './support.ts';

const receipts = createHmacReceipts(createSecret('a'));
const KIM = { id: 'kim', name: 'Kim' };

const request = (...toolCalls: { toolCallId: string; toolName: string; args: object }[]): ModelEvent[] => [
  { type: 'tool-request', toolCalls: toolCalls as never },
  { type: 'finish', finishReason: 'tool-calls' },
];
const REFUND = { toolCallId: 'call-1', toolName: 'refund', args: { orderId: 'ord_1', amount: 80 } };

const refund = defineServerTool({
  approval: 'always',
  editable: true,
  execute: async (_args, { ask }) => ({
    paid: true,
    why: await ask({ message: 'Why?', expiresInMs: 60_000 }),
  }),
});

function open(more: Partial<AgentSessionOptions> = {}, calls = [REFUND]) {
  const agent = createListAgent(request(...calls), [...text('Done'), stop], request(...calls), [stop]);
  const store = more.store ?? createMemorySessionStore();
  const tools = { refund };
  const session = createAgentSession({ id: 's', agent, tools, receipts, ...more, store });
  const send = (payload: unknown): Promise<AgentEvent[]> =>
    collect(session.execute(payload, { principal: KIM }));
  const load = async () => (await store.load('s')) as SessionRecord;
  /** Changes the stored call, as somebody could who writes to the database. */
  async function tamper(change: (call: CallRecord) => CallRecord | Promise<CallRecord>): Promise<void> {
    const record = await load();
    const call = await change(record.calls['call-1'] as CallRecord);
    const calls = { ...record.calls, 'call-1': call };
    await store.save('s', { ...record, revision: record.revision + 1, calls });
  }
  return { agent, session, send, load, tamper };
}

/** The answer of a client to all calls that are open. */
function answer(events: readonly AgentEvent[], result: unknown, more: Partial<ToolResult> = {}) {
  const { executionId, toolCalls } = requestIn(events);
  const toolResults = toolCalls.map(({ toolCallId, receipt }) => ({ toolCallId, result, receipt, ...more }));
  return { type: 'continue', executionId, toolResults };
}

const yes = { confirmed: true };
const outcomesOf = async (record: SessionRecord) => {
  const answers = readAnswers('s', record);
  const proofs = await Promise.all(answers.map((record) => verifyReceipt(record, receipts)));
  return proofs.map((proof) => (proof.valid ? proof.answer.outcome : proof.reason));
};

describe('the record of a session with receipts', () => {
  it('proves who allowed a call of a server tool and who answered its question', async () => {
    const { send, load, agent } = open();
    const asked = await send(answer(await send(hello), yes));
    await send(answer(asked, { answer: 'broken' }));
    expect(agent.contexts.at(-1)?.messages.at(-1)).toMatchObject({ result: { paid: true, why: 'broken' } });
    const answers = readAnswers('s', await load());
    const proofs = await Promise.all(answers.map((record) => verifyReceipt(record, receipts)));
    const args = await digestArguments(REFUND.args);
    expect(proofs).toMatchObject([
      {
        valid: true,
        question: { toolCallId: 'call-1', isApproval: true, args },
        answer: { answeredBy: KIM },
      },
      {
        valid: true,
        question: { toolCallId: expect.stringMatching(/^ask_/), args },
        answer: { answeredBy: KIM },
      },
    ]);
  });

  it('proves the answer of a client tool, and the digest of what the page showed', async () => {
    const { send, load } = open({ tools: {} });
    const shown = await digestArguments(REFUND.args);
    await send(answer(await send(hello), 'fine', { shown }));
    const [record] = readAnswers('s', await load());
    expect(record).toMatchObject({ shown });
    expect(await outcomesOf(await load())).toEqual(['submitted']);
  });

  it('proves that a person declined', async () => {
    const { send, load } = open();
    await send(answer(await send(hello), { outcome: 'declined', confirmed: false }));
    expect(await outcomesOf(await load())).toEqual(['declined']);
  });

  it('proves that a question expired', async () => {
    const clock = createManualClock();
    const { send, load, session } = open({ clock });
    await send(answer(await send(hello), yes));
    await clock.advance(60_000);
    await session.recover();
    expect(await outcomesOf(await load())).toEqual(['submitted', 'expired']);
  });

  it('proves answers that were given one by one', async () => {
    const calls = ['a', 'b'].map((name) => ({ ...REFUND, toolCallId: name, toolName: 'ask' }));
    const { send, load } = open({}, calls);
    const { executionId, toolCalls } = requestIn(await send(hello));
    for (const { toolCallId, receipt } of toolCalls) {
      const toolResults = [{ toolCallId, result: toolCallId, receipt }];
      await send({ type: 'continue', executionId, toolResults, partial: true });
    }
    expect(await outcomesOf(await load())).toEqual(['submitted', 'submitted']);
  });

  it('proves a result whose secret was removed before it was stored', async () => {
    const { send, load } = open({ tools: {}, redactStored: () => '•••' });
    await send(answer(await send(hello), 'hunter2'));
    expect(JSON.stringify(await load())).not.toContain('hunter2');
    expect(await outcomesOf(await load())).toEqual(['submitted']);
  });

  it('does not prove an amount that somebody wrote into the database', async () => {
    const { send, load } = open();
    await send(answer(await send(hello), yes));
    const record = await load();
    const call = record.calls['call-1'] as CallRecord;
    const calls = { 'call-1': { ...call, args: { ...call.args, amount: 8_000 } } };
    expect(await outcomesOf({ ...record, calls })).toEqual([expect.stringContaining("'args'")]);
  });
});

describe('a session with receipts refuses', () => {
  const other = open();
  const ofOtherSession = async () => {
    const session = createAgentSession({ id: 'other', agent: createListAgent(request(REFUND)), receipts });
    return requestIn(await collect(session.execute(hello))).toolCalls[0]?.receipt;
  };
  const forged = async () => {
    const { agent: _, ...stranger } = open({ receipts: createHmacReceipts(createSecret('b')) });
    return requestIn(await stranger.send(hello)).toolCalls[0]?.receipt;
  };
  it.each<[string, () => Promise<string | undefined> | undefined]>([
    ['no receipt', () => undefined],
    ['an altered receipt', async () => `${requestIn(await other.send(hello)).toolCalls[0]?.receipt}x`],
    ['a forged receipt', forged],
    ['the receipt of another session', ofOtherSession],
  ])('an answer with %s, changes nothing, and takes the right one then', async (_, create) => {
    const { send, load, agent } = open();
    const asked = await send(hello);
    const before = await load();
    const events = await send(answer(asked, yes, { receipt: (await create()) as string }));
    expect(events).toMatchObject([{ type: 'error', code: 'invalid_receipt' }]);
    expect(await load()).toEqual(before);
    expect(requestIn(await send(answer(asked, yes))).toolCalls[0]).toMatchObject({
      question: { description: 'Why?' },
    });
    expect(agent.contexts).toHaveLength(1);
  });

  it('the answers to two calls in each other’s place', async () => {
    const { send } = open({ tools: {} }, [REFUND, { ...REFUND, toolCallId: 'call-2' }]);
    const asked = await send(hello);
    const [first, second] = requestIn(asked).toolCalls;
    const toolResults = [
      { toolCallId: 'call-1', result: yes, receipt: second?.receipt },
      { toolCallId: 'call-2', result: yes, receipt: first?.receipt },
    ];
    const { executionId } = requestIn(asked);
    expect(await send({ type: 'continue', executionId, toolResults })).toMatchObject([
      { code: 'invalid_receipt' },
    ]);
  });

  it('a second use of a receipt, for the same call and for the same call of a later turn', async () => {
    const { send, load } = open({ tools: {} });
    const first = await send(hello);
    await send(answer(first, 'one'));
    expect(await send(answer(first, 'two'))).toMatchObject([{ code: 'already_answered' }]);
    const second = await send(hello);
    const { receipt = '' } = requestIn(first).toolCalls[0] ?? {};
    expect(requestIn(second).toolCalls[0]?.receipt).not.toBe(receipt);
    expect(await send(answer(second, 'two', { receipt }))).toMatchObject([{ code: 'invalid_receipt' }]);
    expect(readAnswers('s', await load())).toHaveLength(1);
  });

  it('an answer to arguments that were changed in the store, whatever the page showed', async () => {
    const { send, tamper, agent } = open();
    const asked = await send(hello);
    const args = { amount: 8_000 };
    await tamper((call) => ({ ...call, args }));
    const shown = await digestArguments({ amount: 8_000 });
    for (const more of [{}, { shown }]) {
      expect(await send(answer(asked, yes, more))).toMatchObject([{ code: 'invalid_receipt' }]);
    }
    const digest = await digestArguments(args);
    await tamper((call) => ({ ...call, digest }));
    expect(await send(answer(asked, yes))).toMatchObject([{ code: 'invalid_receipt' }]);
    expect(agent.contexts).toHaveLength(1);
  });

  it('an answer to a call whose receipt was removed from the store', async () => {
    const { send, tamper } = open();
    const asked = await send(hello);
    await tamper(({ receipt: _, ...call }) => call);
    expect(await send(answer(asked, yes))).toMatchObject([
      { code: 'invalid_receipt', message: expect.stringContaining('before the session had `receipts`') },
    ]);
  });

  it('an answer of a page that showed other arguments', async () => {
    const { send } = open();
    const shown = await digestArguments({ orderId: 'ord_1', amount: 8 });
    expect(await send(answer(await send(hello), yes, { shown }))).toMatchObject([
      { code: 'invalid_receipt' },
    ]);
  });

  it('an answer after the time of a question', async () => {
    const clock = createManualClock();
    const { send } = open({ clock });
    const asked = await send(answer(await send(hello), yes));
    await clock.advance(60_000);
    expect(await send(answer(asked, { answer: 'late' }))).toMatchObject([{ code: 'call_expired' }]);
  });
});

describe('a session with receipts whose process dies between the answer and the tool', () => {
  const no = { outcome: 'declined', confirmed: false };
  it.each<[string, unknown, (call: CallRecord) => CallRecord | Promise<CallRecord>]>([
    ['other arguments', yes, (call) => ({ ...call, args: { ...call.args, amount: 8_000 } })],
    [
      'other arguments and their digest',
      yes,
      async (call) => {
        const args = { ...call.args, amount: 8_000 };
        return { ...call, args, digest: await digestArguments(args) };
      },
    ],
    [
      'a yes in place of a no',
      no,
      (call) => ({ ...call, answer: { ...call.answer, outcome: 'submitted', result: yes, at: 1 } }),
    ],
    [
      'edited arguments',
      yes,
      (call) => ({
        ...call,
        answer: {
          ...call.answer,
          outcome: 'submitted',
          result: { ...yes, editedArgs: { orderId: 'ord_1', amount: 8_000 } },
          at: 1,
        },
      }),
    ],
  ])('runs nothing when it finds %s in the store', async (_, given, change) => {
    const saved: SessionRecord[] = [];
    const memory = createMemorySessionStore();
    const save: SessionStore['save'] = (id, record) => {
      saved.push(record);
      return memory.save(id, record);
    };
    const before = open({ store: { ...memory, save } });
    await before.send(answer(await before.send(hello), given));
    const record = saved.find(({ calls }) => calls['call-1']?.stage === 'answered') as SessionRecord;
    const store = createMemorySessionStore();
    await store.save('s', {
      ...record,
      calls: { 'call-1': await change(record.calls['call-1'] as CallRecord) },
    });
    const { session, agent, send } = open({ store });
    await session.recover();
    await send({ type: 'open' });
    expect(agent.contexts[0]?.messages.at(-1)).toMatchObject({ error: expect.stringContaining('Not run') });
  });
});

it('a session without receipts sends none and asks for none', async () => {
  const { send, load } = open({ receipts: undefined as never });
  const asked = await send(hello);
  expect(requestIn(asked).toolCalls[0]).not.toHaveProperty('receipt');
  await send(answer(asked, yes));
  expect(readAnswers('s', await load())[0]).not.toHaveProperty('answerReceipt');
});
