/** Our client and our server with receipts: every answer of a page brings back the receipt of its call. */

import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  type AgentChat,
  createAgentChat,
  createHttpTransport,
  type InteractiveTool,
} from '../../src/core.ts';
import { readAnswers } from '../../src/server/receipts/answer-record.ts';
import type { SessionRecord } from '../../src/server/store/session-store.ts';
import {
  createAgentSession,
  createHmacReceipts,
  createMemorySessionStore,
  createScriptedAgent,
  defineServerTool,
  handleAgentRequest,
  verifyReceipt,
} from '../../src/server.ts';

const receipts = createHmacReceipts('a'.repeat(32));

const refund = defineServerTool({
  input: z.object({ amount: z.number() }),
  approval: 'always',
  async execute({ amount }, { ask }) {
    const { reason } = await ask({ message: 'Why?', output: z.object({ reason: z.string() }) });
    return { paid: amount, reason };
  },
});

/** A page, and its server without a network in between. */
function openPage() {
  const store = createMemorySessionStore();
  const agent = createScriptedAgent([
    { call: 'locate' },
    { call: 'ask', args: { message: 'Which colour?' } },
    { call: 'order', args: { colour: 'blue' } },
    { call: 'refund', args: { amount: 80 } },
    'Done',
  ]);
  const open = () => createAgentSession({ id: 's', agent, store, receipts, tools: { refund } });
  const chat = createAgentChat({
    transport: createHttpTransport({
      request(payload, { signal }) {
        const headers = { 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify(payload), signal };
        const principal = () => ({ id: 'kim', name: 'Kim' });
        return handleAgentRequest(new Request('http://localhost/agent', init), open, { principal });
      },
    }),
    clientTools: { locate: () => ({ lat: 1 }), ask: 'interactive', order: 'interactive' },
  });
  return { chat, store };
}

/** How the person answers each call: the approval of a refund, and the question of the tool. */
function answer(tool: InteractiveTool): void {
  const isApproval = tool.toolName === 'refund' && tool.definition?.ui === 'confirm';
  if (isApproval) tool.submit({ confirmed: true });
  else if (tool.toolName === 'refund') tool.cancel();
  else if (tool.toolName === 'order') tool.decline('too dear', { confirmed: false });
  else tool.submit('blue');
}

/** Resolves when no request is under way. */
function untilRest(chat: AgentChat): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (chat.getState().status === 'streaming') return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = chat.subscribe(look);
    look();
  });
}

it('a session with receipts takes every kind of answer of a page, and its record proves each of them', async () => {
  const { chat, store } = openPage();
  await chat.sendMessage('Go');
  for (let round = 0; round < 3; round += 1) {
    for (const tool of chat.getState().pendingCalls) answer(tool);
    await untilRest(chat);
  }
  expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
  const records = readAnswers('s', (await store.load('s')) as SessionRecord);
  expect(records.map(({ toolName, outcome }) => `${toolName} ${outcome}`)).toEqual([
    'locate submitted',
    'ask submitted',
    'order declined',
    'refund submitted',
    'refund cancelled',
  ]);
  const proofs = await Promise.all(records.map((record) => verifyReceipt(record, receipts)));
  expect(proofs.map(({ valid }) => valid)).toEqual(records.map(() => true));
});
