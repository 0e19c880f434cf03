/** Sessions that version 0.1 has stored: their steps have no digests, questions have the ids `<call>:<key>`, and errors are mere texts. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { toUIMessages } from '../../../src/server/sessions/to-ui-messages.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { RecordV1 } from '../../../src/server/store/record-v1.ts';
import type { SessionRecord } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { createListAgent, hello, run } from '../support.ts';
import { answerEach, done, questionsIn, REFUND, resultIn } from './support.ts';

const NOTE = z.object({ note: z.string() });
const ASKED_WHY = {
  toolCallId: 'call-1:why',
  toolName: 'refund',
  args: { ...REFUND.args, message: 'Why?' },
};

/** The tool has had a failed step and the answer to `why`, and waits for that to its second question. */
function toRecord(steps: NonNullable<NonNullable<RecordV1['execution']>['steps']>[string] = {}): RecordV1 {
  const { toolCallId, toolName, args } = REFUND;
  const { $schema, ...schema } = z.toJSONSchema(NOTE);
  const question = {
    ui: 'form' as const,
    description: 'Anything else?',
    outputSchema: { $schema, type: schema.type, properties: schema.properties, required: schema.required },
  };
  const open = [{ toolCallId: 'call-1:2', toolName, args: { ...args, message: 'Anything else?' }, question }];
  return {
    revision: 9,
    messages: [
      { role: 'user', id: 'm-1', content: 'hello', trigger: 'user-message', input: hello.input },
      { role: 'assistant', content: '', toolCalls: [REFUND] },
    ],
    execution: {
      id: 'id-1',
      messageId: 'id-2',
      trigger: { name: 'user-message', input: hello.input },
      idempotencyKey: 'm-1',
      state: 'waiting',
      historyStart: 1,
      open,
      ran: [],
      lastAnswers: [{ toolCallId: 'call-1:why', result: { answer: 'broken' } }],
      answered: ['call-1:why'],
      rounds: 1,
      usage: null,
      partial: null,
      answeredAt: 3,
      requestStart: 4,
      lastSeq: 7,
      ending: { type: 'finish', finishReason: 'client-tool-calls', executionId: 'id-1' },
      steps: {
        [toolCallId]: {
          'once check': { type: 'failed', error: 'no such order' },
          'ask why': {
            type: 'answered',
            answer: { outcome: 'submitted', result: { answer: 'broken' } },
            attempt: 1,
          },
          'ask 2': { type: 'asked', toolCallId: 'call-1:2', attempt: 1 },
          ...steps,
        },
      },
      askedAt: 1767225600000,
      given: [],
    },
    receivedKeys: ['m-1'],
    answers: [
      {
        ...{ executionId: 'id-1', ...ASKED_WHY },
        ...{ outcome: 'submitted', result: { answer: 'broken' } },
        ...{ askedAt: 1767225600000, answeredAt: 1767225600000 },
      },
    ],
    turns: [{ at: 1, messageId: 'id-2', executionId: 'id-1', startedAt: 1767225600000 }],
  };
}

/** The tool that stored the record, or its next version, which asks something else in the place of the second question. */
const refundThatAsks = (message: string) =>
  defineServerTool({
    input: z.object({ orderId: z.string(), amount: z.number() }),
    async execute(_args, { ask, once }) {
      const failure = await once('check', () => 'a second check').catch(String);
      const why = await ask({ key: 'why', message: 'Why?' });
      const { note } = await ask({ message, output: NOTE });
      return { failure, why, note };
    },
  });

async function restore(record: RecordV1, tool = refundThatAsks('Anything else?')) {
  const memory = createMemorySessionStore();
  const load = async (id: string) => (await memory.load(id)) ?? (record as never as SessionRecord);
  const store = { ...memory, load };
  const agent = createListAgent(done);
  const session = createAgentSession({ id: 's', agent, store, tools: { refund: tool } });
  const send = (toolCallId: string, result: unknown): Promise<AgentEvent[]> =>
    run(session, { type: 'continue', executionId: 'id-1', toolResults: [{ toolCallId, result }] });
  return { store, agent, session, send };
}

describe('a session of version 0.1', () => {
  it('goes on with the answer to its open question, and with the steps it has stored', async () => {
    const { agent, send } = await restore(toRecord());
    await send('call-1:2', { note: 'none' });
    expect(resultIn(agent)).toEqual({ failure: 'Error: no such order', why: 'broken', note: 'none' });
  });

  it('asks again where the tool asks something else in the place of the question that was read', async () => {
    const { agent, send } = await restore(toRecord(), refundThatAsks('Shall all orders be deleted?'));
    const again = await send('call-1:2', { note: 'yes' });
    expect(questionsIn(again)).toEqual(['Shall all orders be deleted?']);
    expect(agent.contexts).toEqual([]);
  });

  it('does not repeat a step of which nobody knows under which key it began', async () => {
    const { agent, send } = await restore(toRecord({ 'once check': { type: 'started' } }));
    await send('call-1:2', { note: 'none' });
    expect(resultIn(agent)).toMatchObject({ failure: expect.stringContaining('StepInterrupted') });
  });

  it('shows each of its questions after the call that asked it', async () => {
    const record = toRecord();
    const { toolCalls = [] } = record.messages[1] as { toolCalls?: (typeof REFUND)[] };
    const messages = [
      ...record.messages.slice(0, 1),
      {
        role: 'assistant' as const,
        content: '',
        toolCalls: [...toolCalls, { ...REFUND, toolCallId: 'call' }],
      },
    ];
    const { parts = [] } = toUIMessages({ ...record, messages } as never as SessionRecord).at(-1) ?? {};
    expect(parts.map((part) => part.type === 'tool-call' && part.toolCallId)).toEqual([
      'call-1',
      'call-1:why',
      'call-1:2',
      'call',
    ]);
  });
});

it('the conversation of a session shows the questions of a tool after its call, open ones and those of earlier turns', async () => {
  const store = createMemorySessionStore();
  const tool = refundThatAsks('Anything else?');
  const call = (toolCallId: string) => [
    { type: 'tool-request' as const, toolCalls: [{ ...REFUND, toolCallId }] },
  ];
  const session = createAgentSession({
    id: 's',
    store,
    agent: createListAgent(call('call-1'), done, call('call-2')),
    tools: { refund: tool },
  });
  const toResult = (question: string) => (question === 'Why?' ? { answer: 'broken' } : { note: 'none' });
  const asked = await run(session, hello);
  await run(session, answerEach(await run(session, answerEach(asked, toResult)), toResult));
  await run(session, hello);
  const record = await store.load('s');
  if (record === null) throw new Error('nothing was stored');
  const shown = toUIMessages(record).map(({ parts }) =>
    parts.map((part) =>
      part.type === 'tool-call' ? `${part.status} ${part.toolCallId.slice(0, 4)}` : part.type,
    ),
  );
  expect(shown).toEqual([
    ['text'],
    ['done call', 'done ask_', 'done ask_', 'text'],
    ['text'],
    ['running call', 'running ask_'],
  ]);
});
