/** What everybody sees of a call whose arguments a person has changed before allowing it, whatever the store. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { verifyReceipt } from '../../../src/server/receipts/answer-receipt.ts';
import { readAnswers } from '../../../src/server/receipts/answer-record.ts';
import { createHmacReceipts } from '../../../src/server/receipts/create-hmac-receipts.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { toUIMessages } from '../../../src/server/sessions/to-ui-messages.ts';
import type { SessionRecord, SessionStore } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import type { Principal } from '../../../src/shared/principal.ts';
import { collect, createListAgent, hello, requestIn, stop, text } from '../support.ts';

const ADA: Principal = { id: 'ada', name: 'Ada' };
const GRACE: Principal = { id: 'grace', name: 'Grace' };
const SENT = { order: '4711', amount: 89 };
const EDITED = { order: '4711', amount: 45 };
const receipts = createHmacReceipts('edited'.padEnd(32, '.'));

const refund = defineServerTool({
  title: 'Refund',
  input: z.object({
    order: z.string().meta({ title: 'Order number' }),
    amount: z.number().meta({ title: 'Amount', format: 'currency', currency: 'EUR' }),
  }),
  approval: 'always',
  editable: true,
  mayAnswer: ({ id }) => id === GRACE.id,
  async execute({ amount }, { ask }) {
    const { why } = await ask({ message: 'Why?', output: z.object({ why: z.string() }) });
    return `paid ${amount}: ${why}`;
  },
});

/** @param openStore opens the store of another process each time */
export function testEditedArguments(openStore: () => SessionStore | Promise<SessionStore>): void {
  /** Ada asks for a refund of 89, Grace makes it 45, and the tool asks why. Each request reaches another process. */
  async function ask(id: string) {
    const agent = createListAgent(
      [
        { type: 'tool-request', toolCalls: [{ toolCallId: 'call-1', toolName: 'refund', args: SENT }] },
        { type: 'finish', finishReason: 'tool-calls' },
      ],
      [...text('Done'), stop],
    );
    const open = async () => {
      const store = await openStore();
      const mayOpen = () => true;
      return {
        store,
        session: createAgentSession({ id, agent, store, receipts, mayOpen, tools: { refund } }),
      };
    };
    const send = async (principal: Principal, payload: unknown) =>
      collect((await open()).session.execute(payload, { principal }));
    const answer = (events: readonly AgentEvent[], result: unknown) => {
      const { executionId, toolCalls } = requestIn(events);
      const toolResults = toolCalls.map(({ toolCallId, receipt }) => ({ toolCallId, receipt, result }));
      return send(GRACE, { type: 'continue', executionId, toolResults });
    };
    const load = async () => (await (await openStore()).load(id)) as SessionRecord;
    const first = await send(ADA, hello);
    const asked = await answer(first, { confirmed: true, editedArgs: EDITED, changedArgs: ['amount'] });
    return { agent, open, send, answer, load, asked };
  }

  const shownPart = {
    type: 'tool-call',
    toolName: 'refund',
    displayName: 'Refund',
    args: EDITED,
    originalArgs: SENT,
    inputSchema: { properties: { amount: { title: 'Amount', currency: 'EUR' } } },
  };

  test('a later question of the tool has the arguments that a person has allowed beside those of the agent', async () => {
    const { asked } = await ask('edited-question');
    expect(requestIn(asked).toolCalls).toMatchObject([
      { args: EDITED, originalArgs: SENT, question: { description: 'Why?', title: 'Refund' } },
    ]);
  });

  test('a second device gets the changed arguments of the call and of the question that its tool asks', async () => {
    const { send, load } = await ask('edited-device');
    const [snapshot] = await send(ADA, { type: 'open' });
    expect(snapshot).toMatchObject({
      type: 'snapshot',
      messages: [{}, { parts: [shownPart, { ...shownPart, status: 'running' }] }],
      openCalls: [{ args: EDITED, originalArgs: SENT, mayAnswer: false }],
    });
    expect(toUIMessages(await load())).toMatchObject([{}, { parts: [shownPart, shownPart] }]);
  });

  test('the list of open calls has the changed arguments beside those of the agent', async () => {
    const { open } = await ask('edited-list');
    const { store, session } = await open();
    const listed = await store.listOpenCalls?.({ principal: GRACE, openSession: () => session });
    const own = listed?.calls.filter(({ sessionId }) => sessionId === 'edited-list');
    expect(own).toMatchObject([{ call: { args: EDITED, originalArgs: SENT } }]);
  });

  test('the receipt of the later question is over the changed arguments, and every answer can be verified', async () => {
    const { asked, answer, load, agent } = await ask('edited-receipt');
    await answer(asked, { why: 'broken' });
    const records = readAnswers('edited-receipt', await load());
    expect(records).toMatchObject([
      { args: SENT, isApproval: true, result: { editedArgs: EDITED } },
      { args: EDITED, result: { why: 'broken' } },
    ]);
    for (const record of records) {
      expect(await verifyReceipt(record, receipts)).toMatchObject({ valid: true });
      const forged = { ...record, args: { ...record.args, amount: 1 } };
      expect(await verifyReceipt(forged, receipts)).toMatchObject({ valid: false });
    }
    expect(agent.contexts.at(-1)?.messages.at(-1)).toMatchObject({
      result: { result: 'paid 45: broken', editedArgs: EDITED, changedArgs: ['amount'] },
    });
  });

  test('an answer to the question of a changed call with the receipt of the approval is refused', async () => {
    const { asked, send, load } = await ask('edited-foreign');
    const { executionId, toolCalls } = requestIn(asked);
    const { receipt } = (await load()).calls['call-1'] ?? {};
    const toolResults = toolCalls.map(({ toolCallId }) => ({ toolCallId, receipt, result: { why: 'x' } }));
    expect(await send(GRACE, { type: 'continue', executionId, toolResults })).toMatchObject([
      { code: 'invalid_receipt' },
    ]);
  });
}
