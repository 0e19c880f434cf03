/** A process that lacks a rule, or a tool, with which a question was asked. */
import { expect, it } from 'vitest';
import { readHistory } from '../../../src/server/runs/history.ts';
import {
  type AgentSessionOptions,
  createAgentSession,
} from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionRecord } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { collect, createListAgent, hello, requestIn, stop, text } from '../support.ts';

const ADA = { id: 'ada' };
const paid: unknown[] = [];
const refund = defineServerTool({
  approval: 'always',
  mayAnswer: ({ id }) => id === 'ada',
  execute: (args) => void paid.push(args),
});
const { mayAnswer: _, ...unguarded } = refund;

/** A deployment: its processes share the store, and not always the tools and rules. */
function deploy(more: Partial<AgentSessionOptions>, store = createMemorySessionStore()) {
  const call = { toolCallId: 'call-1', toolName: 'refund', args: { amount: 80 } };
  const agent = createListAgent([{ type: 'tool-request', toolCalls: [call] }], [...text('Done'), stop]);
  const session = createAgentSession({ id: 's', agent, store, ...more });
  const send = (payload: unknown) => collect(session.execute(payload, { principal: ADA }));
  return { agent, session, store, send };
}

const yesTo = (executionId: string) => ({
  type: 'continue',
  executionId,
  toolResults: [{ toolCallId: 'call-1', outcome: 'submitted', result: { confirmed: true } }],
});

it.each<[string, Partial<AgentSessionOptions>, Partial<AgentSessionOptions>, string, boolean]>([
  ['the tool', { tools: { refund } }, {}, 'tool_unknown', true],
  ['the rule of the tool', { tools: { refund } }, { tools: { refund: unguarded } }, 'not_allowed', false],
  [
    'the rule of the session',
    { tools: { refund: unguarded }, mayAnswer: () => true },
    { tools: { refund: unguarded } },
    'not_allowed',
    false,
  ],
])(
  'a process without %s refuses the answer, and the process that has it takes it',
  async (_, before, after, code, retryable) => {
    paid.length = 0;
    const first = deploy(before);
    const { executionId } = requestIn(await first.send(hello));
    const stored = await first.store.load('s');
    const second = deploy(after, first.store);
    expect(await second.send(yesTo(executionId))).toMatchObject([{ code, retryable }]);
    expect(await first.store.load('s')).toEqual(stored);
    await first.send(yesTo(executionId));
    expect(paid).toEqual([{ amount: 80 }]);
  },
);

it('a call whose tool is gone in the next deployment ends with an error, and the agent goes on', async () => {
  paid.length = 0;
  const first = deploy({ tools: { refund } });
  const { executionId } = requestIn(await first.send(hello));
  const memory = createMemorySessionStore();
  const saved: SessionRecord[] = [];
  const watched = {
    ...first.store,
    save: (id: string, record: SessionRecord) => {
      saved.push(record);
      return first.store.save(id, record);
    },
  };
  await deploy({ tools: { refund } }, watched).send(yesTo(executionId));
  const answered = saved.find(({ execution }) => execution?.state === 'running') as SessionRecord;
  await memory.save('s', answered);
  paid.length = 0;
  const next = deploy({ agent: createListAgent([...text('Sorry'), stop]) }, memory);
  await next.session.recover();
  expect((await next.send({ type: 'open' })).map(({ type }) => type)).not.toContain('client-tool-request');
  const record = (await memory.load('s')) as SessionRecord;
  expect(readHistory(record)).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    { role: 'tool', error: expect.stringContaining('does not know the tool refund') },
    { role: 'assistant', content: 'Sorry' },
  ]);
  expect(paid).toEqual([]);
});
