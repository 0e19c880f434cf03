/** Streams of agents in Python, whole, byte by byte and cut at seeded places. */
import { describe, expect, it } from 'vitest';
import { createAgUiTransport } from '../../../src/backends/ag-ui/create-ag-ui-transport.ts';
import { type ClientTools, createAgentChat } from '../../../src/core.ts';
import { createRecordedAgent, WAYS, weatherParts } from '../../support/recorded-agent.ts';
import { untilAnswered, untilAsked } from '../../support/until-question.ts';
import type { RawInput } from './raw-agent.ts';

const clientTools = { pick_date: 'interactive', adk_request_confirmation: 'interactive' } as const;

/** The keys that `RunAgentInput` of the Python package requires, before and since 0.1.20. */
const REQUIRED = ['threadId', 'runId', 'state', 'messages', 'tools', 'context', 'forwardedProps'];

function open(conversation: string, way: string, tools: ClientTools = clientTools) {
  const { fetch, bodies } = createRecordedAgent<RawInput>(
    conversation,
    way,
    (input) => REQUIRED.map((key) => (key in input ? '' : `${key} is missing. `)).join('') || undefined,
  );
  const updates: unknown[] = [];
  const chat = createAgentChat({
    transport: createAgUiTransport({ url: '/agent', fetch }),
    clientTools: tools,
    onResourceUpdate: (...update) => updates.push(update),
  });
  const parts = () => chat.getState().messages.at(-1)?.parts;
  return { chat, inputs: bodies, updates, parts };
}

describe.each(WAYS)('a stream of Pydantic AI in pieces (%s)', (way) => {
  it('shows a thought, texts, and a call with its result', async () => {
    const { chat, parts } = open('pydantic-ai/ag-ui-tool', way);
    await chat.sendMessage('weather');
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    expect(parts()).toMatchObject(
      weatherParts(
        { city: 'Köln', degrees: 21, sky: 'sunny ☀' },
        "Results: {'city': 'Köln', 'degrees': 21, 'sky': 'sunny ☀'}",
      ),
    );
  });

  it('asks about two calls, and answers both in one resume: with edited arguments, and with a no', async () => {
    const { chat, inputs, parts } = open('pydantic-ai/ag-ui-approval', way);
    void chat.sendMessage('delete');
    const first = await untilAsked(chat, 'call-a');
    const second = await untilAsked(chat, 'call-b');
    expect(first).toMatchObject({
      toolName: 'delete_file',
      args: { path: 'a.txt' },
      definition: { ui: 'confirm', editable: true },
    });
    await first.submit({ confirmed: true, editedArgs: { path: 'c.txt' } });
    second.decline('keep it');
    await untilAnswered(chat);
    expect(inputs[1]?.resume).toEqual([
      {
        interruptId: 'int-call-a',
        status: 'resolved',
        payload: { approved: true, editedArgs: { path: 'c.txt' } },
      },
      { interruptId: 'int-call-b', status: 'resolved', payload: { approved: false, reason: 'keep it' } },
    ]);
    expect(parts()).toMatchObject([
      { text: 'I have to ask. ' },
      { toolCallId: 'call-a', status: 'done', result: 'deleted c.txt' },
      { toolCallId: 'call-b', status: 'done', outcome: 'declined' },
      { text: 'Results: deleted c.txt; keep it' },
    ]);
  });

  it('asks a tool of the page, and posts its result', async () => {
    const { chat, inputs } = open('pydantic-ai/ag-ui-client-tool', way);
    void chat.sendMessage('date');
    const question = await untilAsked(chat, 'call-date');
    expect(question.args).toEqual({ question: 'When?', options: ['today', 'tomorrow'] });
    await question.submit({ selected: 'tomorrow' });
    expect(await untilAnswered(chat)).toBe("Which date? Results: {'selected': 'tomorrow'}");
    expect(inputs[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: '{"selected":"tomorrow"}' });
  });
});

describe.each(WAYS)("a stream of Google's ADK in pieces (%s)", (way) => {
  it('shows a thought, texts, and a call with its result, and hands on the state', async () => {
    const { chat, parts, updates } = open('google-adk/tool', way);
    await chat.sendMessage('weather');
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    expect(parts()).toMatchObject(weatherParts({ degrees: 21, sky: 'sunny ☀' }, 'It is 21 degrees.'));
    expect(updates).toEqual([['state', { visits: 1 }]]);
  });

  it('asks for a confirmation, and the result that follows it replaces the one before it', async () => {
    const { chat, inputs, parts } = open('google-adk/confirmation', way);
    void chat.sendMessage('delete');
    const question = await untilAsked(chat, 'adk-confirm');
    expect(question.args).toMatchObject({
      originalFunctionCall: { name: 'delete_file', args: { path: 'a.txt' } },
      toolConfirmation: { hint: 'Delete a.txt?' },
    });
    await question.submit({ confirmed: true });
    await untilAnswered(chat);
    expect(inputs[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      toolCallId: 'adk-confirm',
      content: '{"confirmed":true}',
    });
    expect(parts()).toMatchObject([
      { text: 'I have to ask. ' },
      { toolCallId: 'adk-delete', status: 'done', result: { result: 'deleted a.txt' } },
      { toolCallId: 'adk-confirm', status: 'done' },
      { text: 'It is gone.' },
    ]);
  });

  it('asks a long-running tool of the page, and posts its result', async () => {
    const { chat, inputs } = open('google-adk/client-tool', way);
    void chat.sendMessage('date');
    await (await untilAsked(chat, 'adk-date')).submit({ selected: 'tomorrow' });
    expect(await untilAnswered(chat)).toBe('Which date? See you tomorrow.');
    expect(inputs[1]?.messages.at(-1)).toMatchObject({ role: 'tool', toolCallId: 'adk-date' });
  });
});
