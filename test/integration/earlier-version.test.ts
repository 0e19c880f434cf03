/**
 * A page of version 0.1 at a server of this version, and the other way round. The fixture has what a page and a server of 0.1 said to each
 * other: a page that sends no outcome, and a server whose question is an argument of its call, and whose ids have another form.
 */
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { ToolResult } from '../../src/core/protocol/events.ts';
import {
  createAgentChat,
  createHttpTransport,
  type InteractiveTool,
  type SettledCall,
} from '../../src/core.ts';
import type { ScriptStep } from '../../src/server/scripted/script-steps.ts';
import type { SessionRecord } from '../../src/server/store/session-store.ts';
import {
  createAgentSession,
  createMemorySessionStore,
  createScriptedAgent,
  defineServerTool,
  handleAgentRequest,
  readAnswers,
} from '../../src/server.ts';
import { parseJson } from '../../src/shared/json.ts';
import recorded from '../fixtures/native/version-0.1.json' with { type: 'json' };

interface Payload {
  readonly type: string;
  readonly toolResults?: readonly ToolResult[];
}

const CALLS: readonly ScriptStep[] = [
  { call: 'order', args: { colour: 'blue' } },
  { call: 'pick', args: { message: 'Which colour?' } },
  { call: 'refund', args: { amount: 80 } },
];

it('a page of version 0.1 gets its answers to the agent of a server of this version, which records how each call ended', async () => {
  const paid: number[] = [];
  const refund = defineServerTool({
    input: z.object({ amount: z.number() }),
    approval: 'always',
    async execute({ amount }, { ask }) {
      const { reason } = await ask({ message: 'Why?', output: z.object({ reason: z.string() }) });
      paid.push(amount);
      return { paid: amount, reason };
    },
  });
  const store = createMemorySessionStore();
  let count = 0;
  const createId = () => {
    count += 1;
    return `id-${count}`;
  };
  const agent = createScriptedAgent([() => CALLS, () => ['Done']]);
  const session = createAgentSession({ id: 's', agent, store, tools: { refund }, createId });
  let questionId = '';
  let text = '';
  for (const { request } of recorded) {
    // A page answers under the id that the server has given to the question.
    const body = JSON.stringify(request).replace('call-3:1', questionId);
    const headers = { 'content-type': 'application/json' };
    const posted = new Request('https://agent.example/', { method: 'POST', headers, body });
    text = await (await handleAgentRequest(posted, () => session)).text();
    questionId = /ask_[0-9a-f]{32}/.exec(text)?.[0] ?? '';
  }
  expect(text).toContain('"finishReason":"stop"');
  expect(paid).toEqual([80]);
  const answers = readAnswers('s', (await store.load('s')) as SessionRecord);
  expect(answers).toMatchObject([
    { toolName: 'order', outcome: 'submitted', result: { outcome: 'declined', reason: 'too dear' } },
    { toolName: 'pick', outcome: 'failed', error: 'User cancelled' },
    { toolName: 'refund', isApproval: true, outcome: 'submitted', result: { confirmed: true } },
    { toolName: 'refund', outcome: 'submitted', result: { reason: 'broken' } },
  ]);
});

it('a page of this version shows the questions of a server of version 0.1, and sends answers that such a server reads', async () => {
  const sent: Payload[] = [];
  const settled: SettledCall[] = [];
  const chat = createAgentChat({
    clientTools: { order: 'interactive', pick: 'interactive' },
    onCallSettled: (call) => settled.push(call),
    transport: createHttpTransport({
      request: async (payload) => {
        sent.push(parseJson(JSON.stringify(payload)) as Payload);
        const { response } = recorded[sent.length - 1] ?? { response: '' };
        return new Response(response, { headers: { 'content-type': 'text/event-stream' } });
      },
    }),
  });
  chat.subscribe(() => {});
  onTestFinished(() => chat.destroy());
  await chat.sendMessage('Go');
  for (const act of [answerFirst, answerQuestion]) {
    for (const tool of chat.getState().pendingCalls) act(tool);
    for (let turn = 0; turn < 20_000 && chat.getState().status === 'streaming'; turn += 1)
      await new Promise((next) => setImmediate(next));
  }
  expect(chat.getState()).toMatchObject({ status: 'idle', error: null, pendingCalls: [] });
  expect(settled.map(({ outcome }) => outcome)).toEqual(['declined', 'cancelled', 'submitted', 'submitted']);
  // A server of 0.1 ignores the fields that it does not know, and reads the others as those of a page of its own version.
  const known = sent.map(({ toolResults }) =>
    toolResults?.map(({ outcome: _, reason: __, ...rest }) => rest),
  );
  expect(known).toEqual(recorded.map(({ request }) => request.toolResults));
  expect(sent.flatMap(({ toolResults = [] }) => toolResults.map(({ outcome }) => outcome))).toEqual([
    'declined',
    'cancelled',
    'submitted',
    'submitted',
  ]);
});

function answerFirst(tool: InteractiveTool): void {
  if (tool.toolName === 'order') tool.decline('too dear', { confirmed: false });
  else if (tool.toolName === 'pick') tool.cancel();
  else {
    expect(tool).toMatchObject({ args: { amount: 80 }, definition: { ui: 'confirm' } });
    tool.submit({ confirmed: true });
  }
}

function answerQuestion(tool: InteractiveTool): void {
  expect(tool).toMatchObject({ toolCallId: 'call-3:1', definition: { ui: 'form', description: 'Why?' } });
  tool.submit({ reason: 'broken' });
}
