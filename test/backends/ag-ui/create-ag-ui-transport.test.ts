import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAgUiTransport } from '../../../src/backends/ag-ui/create-ag-ui-transport.ts';
import {
  type AgentChat,
  type AgentChatOptions,
  createAgentChat,
  createPersistence,
} from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { untilStatus } from '../../support/until-status.ts';
import { type Agent, call, createAgentRoute, finished, interrupted, resultsOf, text } from './agent-route.ts';

type Route = ReturnType<typeof createAgentRoute>;

function open(route: Route, options: Partial<AgentChatOptions> = {}, send = route.fetch): AgentChat {
  return createAgentChat({ transport: createAgUiTransport({ url: '/agent', fetch: send }), ...options });
}

const partsOf = (chat: AgentChat) => chat.getState().messages.at(-1)?.parts ?? [];
const textOf = (chat: AgentChat) => partsOf(chat).flatMap((part) => (part.type === 'text' ? part.text : []));
const saysResults = (input: Parameters<Agent>[0]) =>
  text(`t-${input.runId}`, JSON.stringify(resultsOf(input)));

/** Asks at first, and then says what it was told. */
const asksOnce =
  (...events: ReturnType<Agent>): Agent =>
  (input) =>
    input.resume || input.forwardedProps.command
      ? text(`t-${input.runId}`, JSON.stringify(input.resume ?? input.forwardedProps))
      : events;

describe('createAgUiTransport', () => {
  it('the id of the thread is the one that the app gives', async () => {
    const route = createAgentRoute(() => text('m', 'Hello.'));
    const chat = createAgentChat({
      transport: createAgUiTransport({ url: '/agent', threadId: 'thread-7', fetch: route.fetch }),
    });
    await chat.sendMessage('Hi');
    await chat.sendMessage('Again');
    expect(route.inputs.map(({ threadId }) => threadId)).toEqual(['thread-7', 'thread-7']);
  });

  it('a message gets its text, and the next run posts the whole thread', async () => {
    const route = createAgentRoute(({ messages }) =>
      text(`m${messages.length}`, `Message ${messages.length}`),
    );
    const chat = open(route);
    await chat.sendMessage('Hi');
    await chat.sendMessage('Again');
    expect(textOf(chat)).toEqual(['Message 3']);
    expect(route.inputs[1]?.messages).toMatchObject([
      { role: 'user', content: 'Hi' },
      { id: 'm1', role: 'assistant', content: 'Message 1' },
      { role: 'user', content: 'Again' },
    ]);
    expect(route.inputs[1]?.threadId).toBe(route.inputs[0]?.threadId);
  });

  it('chunks and reasoning are shown like the events they stand for', async () => {
    const route = createAgentRoute(() => [
      { type: 'THINKING_TEXT_MESSAGE_START' },
      { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'Hm.' },
      { type: 'THINKING_TEXT_MESSAGE_END' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Hel' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'lo.' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'lookup', delta: '{"a":' },
      { type: 'TOOL_CALL_CHUNK', delta: '1}' },
      { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'c', content: '{"price":3}' },
    ]);
    const chat = open(route);
    await chat.sendMessage('Hi');
    expect(partsOf(chat)).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hello.', status: 'done' },
      { toolName: 'lookup', args: { a: 1 }, result: { price: 3 }, status: 'done' },
    ]);
  });

  it('the agent is told of the tools of the page, and their calls are answered together', async () => {
    const agent: Agent = (input) =>
      input.messages.some(({ role }) => role === 'tool')
        ? saysResults(input)
        : [
            ...call('c1', 'locate'),
            ...call('c2', 'confirm', { question: 'Sure?' }),
            ...call('c3', 'foreign'),
          ];
    const route = createAgentRoute(agent);
    const locate = {
      description: 'Where the person is',
      input: z.object({}),
      execute: () => ({ city: 'Bonn' }),
    };
    const chat = open(route, { clientTools: { locate, confirm: 'interactive' } });
    await chat.sendMessage('Hi');
    expect(route.inputs[0]?.tools).toMatchObject([
      { name: 'locate', description: 'Where the person is', parameters: { type: 'object' } },
      { name: 'confirm', description: '', parameters: { type: 'object' } },
    ]);
    chat.getState().pendingCalls[0]?.decline('not now');
    await untilStatus(chat, 'idle');
    expect(route.inputs).toHaveLength(2);
    expect(JSON.parse(textOf(chat)[0] ?? '')).toEqual({
      c1: '{"city":"Bonn"}',
      c2: '{"outcome":"declined","reason":"not now"}',
    });
    expect(route.inputs[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ]);
  });

  it('only the calls that the outcome names are answered', async () => {
    const agent: Agent = (input) =>
      input.messages.at(-1)?.role === 'tool'
        ? saysResults(input)
        : [
            ...call('c1', 'locate'),
            ...call('c2', 'locate'),
            finished({ type: 'success', pendingToolCallIds: ['c2'] }),
          ];
    const chat = open(createAgentRoute(agent), { clientTools: { locate: () => 'here' } });
    await chat.sendMessage('Hi');
    await untilStatus(chat, 'idle');
    expect(textOf(chat)).toEqual(['{"c2":"here"}']);
  });

  it('a call whose arguments are no JSON is answered with an error, and its handler does not run', async () => {
    const ran: unknown[] = [];
    const agent: Agent = (input) =>
      input.messages.at(-1)?.role === 'tool'
        ? saysResults(input)
        : [
            { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'locate' },
            { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"where":' },
            { type: 'TOOL_CALL_END', toolCallId: 'c1' },
          ];
    const chat = open(createAgentRoute(agent), { clientTools: { locate: (args) => ran.push(args) } });
    await chat.sendMessage('Hi');
    await untilStatus(chat, 'idle');
    expect(textOf(chat)[0]).toContain('no JSON object');
    expect(ran).toEqual([]);
  });

  it('what stands in a snapshot alone is shown, and a call in it is answered', async () => {
    const agent: Agent = (input) => {
      if (input.messages.at(-1)?.role === 'tool') return saysResults(input);
      const toolCalls = [{ id: 'c1', type: 'function', function: { name: 'locate', arguments: '{}' } }];
      const messages = [...input.messages, { id: 'a', role: 'assistant', content: 'Looking.', toolCalls }];
      return [{ type: 'MESSAGES_SNAPSHOT', messages }];
    };
    const chat = open(createAgentRoute(agent), { clientTools: { locate: () => 'here' } });
    await chat.sendMessage('Hi');
    await untilStatus(chat, 'idle');
    expect(textOf(chat)).toEqual(['Looking.', '{"c1":"here"}']);
  });

  it('state goes to the app with each patch, and back to the agent as it is now', async () => {
    const updates: unknown[] = [];
    const route = createAgentRoute(() => [
      { type: 'STATE_SNAPSHOT', snapshot: { count: 1 } },
      { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/count', value: 2 }] },
      { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/nowhere/deep', value: 3 }] },
    ]);
    const chat = open(route, { onResourceUpdate: (name, value) => updates.push([name, value]) });
    await chat.sendMessage('Hi');
    expect(updates).toEqual([
      ['state', { count: 1 }],
      ['state', { count: 2 }],
      ['state', { count: 2 }],
    ]);
    await chat.sendMessage('Again');
    expect(route.inputs[1]?.state).toEqual({ count: 2 });
  });

  it('a failed run is an error, and retry posts the message once', async () => {
    let runs = 0;
    const route = createAgentRoute(() =>
      runs++ === 0
        ? [...text('a', 'Half'), { type: 'RUN_ERROR', message: 'Out of order', code: 'E1' }]
        : text('b', 'Whole.'),
    );
    const chat = open(route);
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({
      code: 'backend_error',
      backendCode: 'E1',
      message: 'Out of order',
    });
    await chat.retry();
    expect(textOf(chat)).toEqual(['Whole.']);
    expect(route.inputs[1]?.messages).toHaveLength(1);
  });
});

/** Breaks the first response off in its middle, as a browser tells of it. */
function breaking(route: Route): typeof fetch {
  let count = 0;
  return async (input, init) => {
    const response = await route.fetch(input, init);
    if (count++ > 0) return response;
    const [beginning] = (await response.text()).split('"TEXT_MESSAGE_END"');
    const chunks = [new TextEncoder().encode(beginning)];
    const body = new ReadableStream({
      pull(controller) {
        const chunk = chunks.pop();
        if (chunk) controller.enqueue(chunk);
        else controller.error(new TypeError('network error'));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

it('a body that breaks off is an interrupted stream, and retry shows the answer once', async () => {
  const route = createAgentRoute(() => text('m', 'Hello.'));
  const chat = open(route, {}, breaking(route));
  await chat.sendMessage('Hi');
  expect(textOf(chat)).toEqual(['Hello.']);
  expect(chat.getState().error?.code).toBe('stream_interrupted');
  await chat.retry();
  expect(textOf(chat)).toEqual(['Hello.']);
  expect(chat.getState().status).toBe('idle');
});

describe('an interrupt', () => {
  const approval = {
    type: 'object',
    properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
    required: ['approved'],
  };
  const refund = [
    ...call('c1', 'refund', { amount: 3 }),
    interrupted({
      id: 'i1',
      reason: 'tool_call',
      toolCallId: 'c1',
      message: 'Pay?',
      responseSchema: approval,
    }),
  ];

  it('an approval of a call asks about its arguments, and its yes resumes the run', async () => {
    const route = createAgentRoute(asksOnce(...refund));
    const chat = open(route);
    await chat.sendMessage('Hi');
    const [asked] = chat.getState().pendingCalls;
    expect(asked).toMatchObject({
      toolName: 'refund',
      args: { amount: 3 },
      definition: { ui: 'confirm', description: 'Pay?' },
    });
    asked?.submit({ confirmed: true });
    await untilStatus(chat, 'idle');
    expect(route.inputs[1]).toMatchObject({
      parentRunId: route.inputs[0]?.runId,
      resume: [{ interruptId: 'i1', status: 'resolved', payload: { approved: true } }],
    });
  });

  it('a no is an answer with its reason, and a cancellation is none', async () => {
    const route = createAgentRoute(asksOnce(...refund));
    const declined = open(route);
    await declined.sendMessage('Hi');
    declined.getState().pendingCalls[0]?.decline('too much');
    await untilStatus(declined, 'idle');
    expect(route.inputs[1]?.resume).toEqual([
      { interruptId: 'i1', status: 'resolved', payload: { approved: false, reason: 'too much' } },
    ]);
    const cancelled = open(route);
    await cancelled.sendMessage('Hi');
    cancelled.getState().pendingCalls[0]?.cancel();
    await untilStatus(cancelled, 'idle');
    expect(route.inputs[3]?.resume).toEqual([{ interruptId: 'i1', status: 'cancelled' }]);
  });

  it('arguments may be corrected where the schema has a place for them', async () => {
    const responseSchema = {
      oneOf: [
        {
          type: 'object',
          properties: {
            approved: { const: true },
            editedArgs: { type: 'object', properties: { amount: { type: 'number' } } },
          },
        },
        { type: 'object', properties: { approved: { const: false } } },
      ],
    };
    const events = [
      ...call('c1', 'refund', { amount: 3 }),
      interrupted({ id: 'i1', reason: 'tool_call', toolCallId: 'c1', responseSchema }),
    ];
    const route = createAgentRoute(asksOnce(...events));
    const chat = open(route);
    await chat.sendMessage('Hi');
    const [asked] = chat.getState().pendingCalls;
    expect(asked?.definition?.editable).toBe(true);
    asked?.submit({ confirmed: true, editedArgs: { amount: 2 }, changedArgs: ['amount'] });
    await untilStatus(chat, 'idle');
    expect(route.inputs[1]?.resume?.[0]?.payload).toEqual({ approved: true, editedArgs: { amount: 2 } });
  });

  it('a schema of the answer becomes a form whose answer is checked', async () => {
    const responseSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const route = createAgentRoute(
      asksOnce(interrupted({ id: 'i1', reason: 'input_required', message: 'Who?', responseSchema })),
    );
    const chat = open(route);
    await chat.sendMessage('Hi');
    const [asked] = chat.getState().pendingCalls;
    expect(asked).toMatchObject({
      toolName: 'input_required',
      args: { message: 'Who?' },
      definition: { ui: 'form' },
    });
    expect(asked?.submit({ name: 1 })).toMatchObject({ settled: false, reason: 'invalid-result' });
    asked?.submit({ name: 'Ada' });
    await untilStatus(chat, 'idle');
    expect(route.inputs[1]?.resume?.[0]?.payload).toEqual({ name: 'Ada' });
  });

  it('a client tool that is reported as an interrupt runs, and its result resolves it', async () => {
    const events = [
      ...call('c1', 'locate'),
      interrupted({ id: 'i1', reason: 'vendor:client_tool', toolCallId: 'c1' }),
    ];
    const route = createAgentRoute(asksOnce(...events));
    const chat = open(route, { clientTools: { locate: () => ({ city: 'Bonn' }) } });
    await chat.sendMessage('Hi');
    await untilStatus(chat, 'idle');
    expect(route.inputs[1]?.resume).toEqual([
      { interruptId: 'i1', status: 'resolved', payload: { city: 'Bonn' } },
    ]);
  });

  it('a question in the older form is answered in that form, once', async () => {
    const value = JSON.stringify({ message: 'Go on?' });
    const route = createAgentRoute(asksOnce({ type: 'CUSTOM', name: 'on_interrupt', value }));
    const chat = open(route);
    await chat.sendMessage('Hi');
    const [asked] = chat.getState().pendingCalls;
    expect(asked).toMatchObject({ toolName: 'on_interrupt', args: { message: 'Go on?' } });
    asked?.submit({ confirmed: true });
    await untilStatus(chat, 'idle');
    expect(route.inputs[1]?.forwardedProps).toEqual({ command: { resume: true, interruptEvent: value } });
    await chat.sendMessage('Thanks');
    expect(route.inputs[2]?.forwardedProps).toEqual({});
  });

  it('a message in place of an answer cancels the question in the same input', async () => {
    const route = createAgentRoute(asksOnce(...refund));
    const chat = open(route);
    await chat.sendMessage('Hi');
    await chat.sendMessage('Forget it', { whilePending: 'cancel' });
    expect(route.inputs).toHaveLength(2);
    expect(route.inputs[1]).toMatchObject({
      parentRunId: route.inputs[0]?.runId,
      resume: [{ interruptId: 'i1', status: 'cancelled' }],
    });
    expect(route.inputs[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'Forget it' });
  });

  it('a question is open again after a reload, names its subagent, and its answer resumes the run', async () => {
    const route = createAgentRoute(
      asksOnce(
        { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'Bookkeeper' },
        interrupted({ id: 'i1', reason: 'confirmation', message: 'Pay?', subagentRunId: 's1' }),
      ),
    );
    const storage = createMemoryStorage();
    const persisted = () => ({ id: 'c', persistence: createPersistence({ storage, tabs: false }) });
    const before = open(route, persisted());
    await before.sendMessage('Hi');
    before.destroy();
    const chat = open(route, persisted());
    await untilStatus(chat, 'awaiting-input');
    expect(chat.getState().pendingCalls[0]).toMatchObject({
      origin: 'Bookkeeper',
      definition: { ui: 'confirm' },
    });
    chat.getState().pendingCalls[0]?.decline();
    await untilStatus(chat, 'idle');
    expect(route.inputs[1]?.resume).toEqual([{ interruptId: 'i1', status: 'resolved', payload: false }]);
    chat.destroy();
  });
});
