/** A message that is sent again after a failure: what its tools did counts, and what its agent calls now is new. */
import { expect, it } from 'vitest';
import type { ModelEvent } from '../../../src/server/agent.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { createListAgent, hello, requestIn, run, stop, text } from '../support.ts';

const callRefund = (amount: number): ModelEvent[] => [
  { type: 'tool-request', toolCalls: [{ toolCallId: 'call-1', toolName: 'refund', args: { amount } }] },
  { type: 'finish', finishReason: 'tool-calls' },
];
const failure: ModelEvent = {
  ...{ type: 'error', errorType: 'rate_limit_error', message: 'Too many requests' },
  ...{ retryable: true, source: 'provider' },
};

it('a new call with the id of an allowed one asks again, and does its steps', async () => {
  const paid: unknown[] = [];
  const refund = defineServerTool({
    approval: 'always',
    execute: ({ amount }, { once }) => once('pay', () => paid.push(amount)),
  });
  const agent = createListAgent(callRefund(80), [failure], callRefund(800), [...text('Done'), stop]);
  const session = createAgentSession({
    id: 's',
    agent,
    store: createMemorySessionStore(),
    tools: { refund },
  });
  const allow = (events: Parameters<typeof requestIn>[0]) => {
    const { executionId, toolCalls } = requestIn(events);
    const toolResults = toolCalls.map(({ toolCallId }) => ({ toolCallId, result: { confirmed: true } }));
    return run(session, { type: 'continue', executionId, toolResults });
  };
  const message = { ...hello, idempotencyKey: 'k' };
  expect((await allow(await run(session, message))).at(-1)).toMatchObject({ type: 'error' });
  const again = await run(session, message);
  expect(requestIn(again).toolCalls).toMatchObject([{ args: { amount: 800 } }]);
  expect(paid).toEqual([80]);
  await allow(again);
  expect(paid).toEqual([80, 800]);
});
