/** An approval runs a tool: only an exact yes is one. Whatever else a client sends is refused, and the call waits. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AgentEvent, PendingToolCall } from '../../../src/core/protocol/events.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { type createAgentSession, handleAgentRequest } from '../../../src/server.ts';
import { parseJson } from '../../../src/shared/json.ts';
import { hello, requestIn, run } from '../support.ts';
import { open, resultIn } from '../tools/support.ts';

const NOT_A_YES: readonly unknown[] = [
  ...[false, 'no', 0, null, '', [], {}],
  ...[{ confirmed: 'false' }, { approved: false }, { ok: false }, { error: '' }],
];

type Session = ReturnType<typeof createAgentSession>;
type Send = (session: Session, payload: object) => Promise<readonly AgentEvent[]>;

const CARRIERS: readonly (readonly [string, Send])[] = [
  ['session.execute', run],
  ['HTTP', overHttp],
];

async function overHttp(session: Session, payload: object): Promise<readonly AgentEvent[]> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify({ sessionId: 's', ...payload }) };
  const response = await handleAgentRequest(new Request('https://agent.example/', init), () => session);
  return (await response.text()).split('\n').flatMap((line) => {
    const event = line.startsWith('data:') ? (parseJson(line.slice(5)) as AgentEvent | undefined) : undefined;
    return event === undefined ? [] : [event];
  });
}

function createPayments() {
  const paid: number[] = [];
  const refund = defineServerTool({
    input: z.object({ orderId: z.string(), amount: z.number() }),
    approval: 'always',
    execute: ({ amount }) => paid.push(amount),
  });
  return { paid, ...open(refund) };
}

function answerTo(asked: readonly AgentEvent[], answer: object) {
  const { executionId, toolCalls } = requestIn(asked);
  const { toolCallId } = toolCalls[0] as PendingToolCall;
  return { type: 'continue', executionId, toolResults: [{ toolCallId, ...answer }] };
}

async function checkRefused(send: Send, answer: object): Promise<void> {
  const { session, store, paid, agent } = createPayments();
  const asked = await send(session, hello);
  const before = await store.load('s');
  // A yes without a word needs the exact form; `null` is one with the word alone.
  expect(await send(session, answerTo(asked, answer))).toMatchObject([
    { type: 'error', code: 'invalid_result', tool: { callId: 'call-1' } },
  ]);
  expect(await store.load('s')).toEqual(before);
  expect([paid, agent.contexts.length]).toEqual([[], 1]);
  await send(session, answerTo(asked, { result: { confirmed: true } }));
  expect(paid).toEqual([80]);
}

describe.each(CARRIERS)('an answer to an approval over %s', (_, send) => {
  it.each(NOT_A_YES.map((value) => [value]))(
    'is refused when it is %j without a word, and a real yes runs the tool then',
    (result) => checkRefused(send, { result }),
  );

  it.each(NOT_A_YES.filter((value) => value !== null).map((value) => [value]))(
    'is refused when it is %j and says submitted, and a real yes runs the tool then',
    (result) => checkRefused(send, { result, outcome: 'submitted' }),
  );

  it.each([
    [{ error: '' }],
    [{ outcome: 'failed', error: 'The dialog broke' }],
    [{ outcome: 'submitted', error: 'no' }],
    [{}],
  ])('is refused when it is %j, and a real yes runs the tool then', (answer) => checkRefused(send, answer));

  it.each([
    [{ result: { confirmed: true } }],
    [{ outcome: 'submitted' }],
    [{ outcome: 'submitted', result: null }],
    [{ outcome: 'submitted', result: { confirmed: true } }],
  ])('runs the tool when it is %j', async (answer) => {
    const { session, paid } = createPayments();
    await send(session, answerTo(await send(session, hello), answer));
    expect(paid).toEqual([80]);
  });

  it.each([
    [{ result: { confirmed: false } }],
    [{ outcome: 'declined', result: { confirmed: true } }],
    [{ outcome: 'declined', result: 'yes' }],
    [{ outcome: 'submitted', result: { confirmed: false } }],
  ])('is a no to the agent, too, when it is %j', async (answer) => {
    const { session, paid, agent } = createPayments();
    await send(session, answerTo(await send(session, hello), answer));
    expect(paid).toEqual([]);
    expect(resultIn(agent)).toMatchObject({ outcome: 'declined', confirmed: false });
  });
});
