/** A deploy between a question and its answer, or between a stop and the end of a tool. */
import { expect, it } from 'vitest';
import type { RecordV1 } from '../../../src/server/store/record-v1.ts';
import type { SessionRecord } from '../../../src/server/store/session-store.ts';
import { createAgentSession, createMemorySessionStore, defineServerTool } from '../../../src/server.ts';
import { createListAgent, hello, requestIn, settle } from '../support.ts';
import { answerAll, callTools, done, send } from './support.ts';

it('a call that a person declined does not run when its tool has become a mere function', async () => {
  const store = createMemorySessionStore();
  const agent = createListAgent(callTools(['pay', 'color']), done);
  const pay = defineServerTool({ approval: 'always', execute: () => 'paid' });
  const before = createAgentSession({ id: 's', agent, store, tools: { pay } });
  const { executionId } = requestIn(await send(before, hello));
  const answer = (toolCallId: string, given: object) => ({
    ...{ type: 'continue', executionId, partial: true },
    toolResults: [{ toolCallId, ...given }],
  });
  await send(before, answer('pay-id', { outcome: 'declined' }));
  const paid: unknown[] = [];
  const after = createAgentSession({ id: 's', agent, store, tools: { pay: (args) => paid.push(args) } });
  await send(after, answer('color-id', { result: 'red' }));
  expect(paid).toEqual([]);
  expect(agent.contexts.at(-1)?.messages).toContainEqual(
    expect.objectContaining({ toolCallId: 'pay-id', error: expect.stringContaining('Not run') }),
  );
});

it('a call whose step was done does not run again when its tool has become a mere function', async () => {
  const store = createMemorySessionStore();
  const agent = createListAgent(callTools(['pay', 'color']), done);
  const paid: unknown[] = [];
  const pay = defineServerTool({
    async execute(args, { once, ask }) {
      await once('pay', () => paid.push(args));
      await ask({ message: 'Send a mail?' });
    },
  });
  const asked = requestIn(await send(createAgentSession({ id: 's', agent, store, tools: { pay } }), hello));
  const toolResults = asked.toolCalls.map(({ toolCallId }) => ({ toolCallId, outcome: 'cancelled' }));
  const [question, color] = [0, 1].map((index) => toolResults.slice(index, index + 1));
  const give = (given: unknown, tools: object) =>
    send(createAgentSession({ id: 's', agent, store, tools: { ...tools } }), {
      ...{ type: 'continue', executionId: asked.executionId, partial: true },
      toolResults: given,
    });
  const isQuestionFirst = toolResults[0]?.toolCallId !== 'color-id';
  await give(isQuestionFirst ? question : color, { pay });
  await give(isQuestionFirst ? color : question, { pay: (args: unknown) => paid.push(args) });
  expect(paid).toHaveLength(1);
});

it('a tool that ignores its signal begins no step after a person has stopped the run', async () => {
  const paid: unknown[] = [];
  let wake = () => {};
  const slept = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const pay = defineServerTool({
    async execute(args, { once }) {
      await slept;
      await once('pay', () => paid.push(args));
    },
  });
  const agent = createListAgent(callTools(['pay']), done);
  const session = createAgentSession({ id: 's', agent, tools: { pay } });
  const running = send(session, hello);
  await settle();
  await send(session, { type: 'stop' });
  wake();
  await running;
  await settle();
  expect(paid).toEqual([]);
});

/** Version 0.1 took whatever was no plain no for a yes, and stored it as one. */
function toRecordV1(result: unknown): RecordV1 {
  const call = { toolCallId: 'pay-id', toolName: 'pay', args: { amount: 80 } };
  const color = { toolCallId: 'color-id', toolName: 'color', args: {} };
  return {
    revision: 9,
    messages: [
      { role: 'user', content: 'hello', trigger: 'user-message', input: hello.input },
      { role: 'assistant', content: '', toolCalls: [call, color] },
    ],
    execution: {
      ...{ id: 'id-1', messageId: 'id-2', trigger: { name: 'user-message', input: hello.input } },
      ...{
        state: 'waiting',
        historyStart: 1,
        open: [{ ...call, executedBy: 'server', question: { ui: 'confirm' } }, color],
      },
      ...{ ran: [], lastAnswers: [], answered: [], rounds: 1, usage: null, partial: null },
      ...{ answeredAt: 0, requestStart: 1, lastSeq: 3, askedAt: 1_767_225_600_000 },
      ending: { type: 'finish', finishReason: 'client-tool-calls', executionId: 'id-1' },
      steps: {
        'pay-id': { approval: { type: 'answered', attempt: 1, answer: { outcome: 'submitted', result } } },
      },
      given: [{ toolCallId: 'pay-id', result }],
    },
    answers: [
      {
        ...{ executionId: 'id-1', ...call, isApproval: true, outcome: 'submitted', result },
        ...{ askedAt: 1_767_225_600_000, answeredAt: 1_767_225_600_000 },
      },
    ],
  };
}

it.each([[false], ['no'], [null], [{ confirmed: 'false' }], [{ approved: false }]])(
  'a call of which version 0.1 stored %j as a yes is asked again',
  async (result) => {
    const memory = createMemorySessionStore();
    const load = async (id: string) =>
      (await memory.load(id)) ?? (toRecordV1(result) as never as SessionRecord);
    const paid: unknown[] = [];
    const pay = defineServerTool({ approval: 'always', execute: (args) => paid.push(args) });
    const agent = createListAgent(done);
    const session = createAgentSession({ id: 's', agent, store: { ...memory, load }, tools: { pay } });
    const toolResults = [{ toolCallId: 'color-id', result: 'red' }];
    const events = await send(session, { type: 'continue', executionId: 'id-1', partial: true, toolResults });
    expect(paid).toEqual([]);
    expect(requestIn(events).toolCalls).toMatchObject([{ toolCallId: 'pay-id' }]);
    await send(session, answerAll(events));
    expect(paid).toEqual([{ amount: 80 }]);
  },
);
