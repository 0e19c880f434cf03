/** Agents break the rules of the protocol, and the reference client refuses some of that. Ours reads it. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAgUiTransport } from '../../../src/backends/ag-ui/create-ag-ui-transport.ts';
import { type AgentChatOptions, createAgentChat } from '../../../src/core.ts';
import { settled } from '../../support/scripted-chat.ts';
import { call, type ScriptedEvent, text } from './agent-route.ts';

interface PostedInput {
  readonly messages: readonly { readonly role: string; readonly [key: string]: unknown }[];
  readonly resume?: readonly unknown[];
  readonly forwardedProps?: unknown;
}

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };

/** Sends a message to an agent that answers its requests with these events, and waits until the chat rests. */
async function converse(
  responses: readonly (readonly ScriptedEvent[])[],
  options: Partial<AgentChatOptions> = {},
) {
  const inputs: PostedInput[] = [];
  const notices: string[] = [];
  const unknown: unknown[] = [];
  const updates: unknown[] = [];
  const send: typeof fetch = async (_, init) => {
    inputs.push(JSON.parse(String(init?.body)));
    const frames = (responses[inputs.length - 1] ?? []).map((event) => `data: ${JSON.stringify(event)}\n\n`);
    return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } });
  };
  const chat = createAgentChat({
    transport: createAgUiTransport({ url: '/agent', fetch: send }),
    onNotice: ({ code }) => notices.push(code),
    onUnknownEvent: (event) => unknown.push(event),
    onResourceUpdate: (name, value) => updates.push({ [name]: value }),
    ...options,
  });
  await chat.sendMessage('Hi');
  await settled();
  const { messages, status, error, usage } = chat.getState();
  const parts = messages.at(-1)?.role === 'assistant' ? (messages.at(-1)?.parts ?? []) : [];
  const shown = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { chat, inputs, notices, unknown, updates, parts, text: shown, status, code: error?.code, usage };
}

describe('the events of a run', () => {
  it.each([
    ['no RUN_STARTED', [...text('m', 'Hello.'), finished]],
    ['a message that is not closed', [...text('m', 'Hello.').slice(0, 2), finished]],
    [
      'null in optional keys',
      [...text('m', 'Hello.').map((event) => ({ ...event, rawEvent: null })), { ...finished, outcome: null }],
    ],
    [
      'a step and a span',
      [
        { type: 'STEP_STARTED', stepName: 's' },
        { type: 'REASONING_START', messageId: 'x' },
        ...text('m', 'Hello.'),
        finished,
      ],
    ],
    [
      'a result before RUN_STARTED',
      [
        { type: 'TOOL_CALL_RESULT', messageId: 'x', toolCallId: 'none', content: '1' },
        ...text('m', 'Hello.'),
        finished,
      ],
    ],
  ])('a run with %s is read to its end', async (_, events) => {
    expect(await converse([events])).toMatchObject({ text: 'Hello.', status: 'idle' });
  });

  it.each([
    ['no RUN_STARTED', [...text('m', 'Hello.'), finished], ['missing_run_started']],
    ['RUN_STARTED behind its first text', [...text('m', 'Hello.'), started, finished], []],
    [
      'a message that is not closed',
      [started, ...text('m', 'Hello.').slice(0, 2), finished],
      ['unclosed_message'],
    ],
  ])('a run with %s has the notices it deserves', async (_, events, codes) => {
    expect((await converse([events])).notices).toEqual(codes);
  });

  it('a body that ends without RUN_FINISHED is an interrupted stream', async () => {
    expect(await converse([text('m', 'Half')])).toMatchObject({
      status: 'error',
      code: 'stream_interrupted',
      text: 'Half',
    });
  });

  it('what follows RUN_FINISHED in the same response belongs to the turn', async () => {
    const result = { type: 'TOOL_CALL_RESULT', messageId: 'r1', toolCallId: 'c', content: '3' };
    const { parts, status } = await converse([
      [...call('c', 'lookup'), finished, result, ...text('m', 'It is 3.'), finished],
    ]);
    expect(status).toBe('idle');
    expect(parts).toMatchObject([{ toolName: 'lookup', result: '3', status: 'done' }, { text: 'It is 3.' }]);
  });

  it('an event of another version is reported, and the run goes on', async () => {
    const event = { type: 'FROM_THE_FUTURE', value: 1 };
    const { unknown, text: shown } = await converse([
      [event, { type: 'RAW', event: {} }, ...text('m', 'Hello.'), finished],
    ]);
    expect({ shown, unknown }).toEqual({ shown: 'Hello.', unknown: [event, { type: 'RAW', event: {} }] });
  });

  it.each([
    ['cancelled', { type: 'cancelled' }, ['cancelled']],
    ['unknown', { type: 'from-the-future' }, ['unknown_outcome']],
  ])('an outcome that is %s ends the turn', async (_, outcome, codes) => {
    const { status, notices } = await converse([[started, ...text('m', 'Hello.'), { ...finished, outcome }]]);
    expect({ status, notices }).toEqual({ status: 'idle', notices: codes });
  });

  it('the usage of several models is summed', async () => {
    const usage = [
      { model: 'a', inputTokens: 1, outputTokens: 2 },
      { model: 'b', inputTokens: 3 },
    ];
    expect((await converse([[{ ...finished, usage }]])).usage).toEqual({ inputTokens: 4, outputTokens: 2 });
  });

  it('the usage of a turn is that of all its runs, also of one that failed, and the next turn starts anew', async () => {
    const usage = [{ inputTokens: 2, outputTokens: 1 }];
    const { chat, status } = await converse(
      [
        [...call('c', 'locate'), { ...finished, usage }],
        [...text('m', 'Half'), { type: 'RUN_ERROR', message: 'Full', usage }],
        [...text('n', 'Whole.'), { ...finished, usage }],
        [{ ...finished, usage }],
      ],
      { clientTools: { locate: () => 'here' } },
    );
    expect(status).toBe('error');
    expect(chat.getState().usage).toEqual({ inputTokens: 4, outputTokens: 2 });
    await chat.retry();
    expect(chat.getState().usage).toEqual({ inputTokens: 6, outputTokens: 3 });
    await chat.sendMessage('Again');
    expect(chat.getState().usage).toEqual({ inputTokens: 2, outputTokens: 1 });
  });

  it('a patch through __proto__ changes nothing', async () => {
    const delta = [{ op: 'add', path: '/__proto__/admin', value: true }];
    const { updates } = await converse([
      [{ type: 'STATE_SNAPSHOT', snapshot: {} }, { type: 'STATE_DELTA', delta }, finished],
    ]);
    expect(updates).toEqual([{ state: {} }, { state: {} }]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([
    ['that was started', [{ type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'Scout' }]],
    ['that no event started', []],
  ])('the text of a subagent %s is a thread of its own', async (_, opening) => {
    const events = text('m', 'Searching.').map((event) => ({ ...event, subagentRunId: 's' }));
    const { parts } = await converse([[...opening, ...events, finished]]);
    expect(parts).toMatchObject([{ text: 'Searching.', thread: 's' }]);
  });

  it('the error of a subagent is a notice, and the run goes on', async () => {
    const failed = { type: 'SUBAGENT_ERROR', subagentRunId: 's', message: 'Lost' };
    const { notices, text: shown } = await converse([[started, failed, ...text('m', 'Hello.'), finished]]);
    expect({ notices, shown }).toEqual({ notices: ['subagent_error'], shown: 'Hello.' });
  });
});

describe('an activity of the agent', () => {
  const plan = { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'PLAN' };
  const told = (content: object, messageId = 'a') => ({
    activity: { messageId, activityType: 'PLAN', content },
  });
  const step = (path: string, value: unknown) => ({
    type: 'ACTIVITY_DELTA',
    messageId: 'a',
    activityType: 'PLAN',
    patch: [{ op: 'add', path, value }],
  });
  const shown = { type: 'operation', operationType: 'PLAN', status: 'done' };

  it('it is shown once as work under its type, and each content goes to the app', async () => {
    const { parts, updates } = await converse([
      [
        { ...plan, content: { steps: [] } },
        step('/steps/-', 'Look'),
        { ...plan, content: { steps: ['Look', 'Pay'] } },
        { ...plan, content: { steps: ['Lost'] }, replace: false },
        { ...plan, messageId: 'b', content: { steps: ['Rest'] }, replace: false },
        finished,
      ],
    ]);
    expect(parts).toMatchObject([shown, shown]);
    expect(updates).toEqual([
      told({ steps: [] }),
      told({ steps: ['Look'] }),
      told({ steps: ['Look', 'Pay'] }),
      told({ steps: ['Rest'] }, 'b'),
    ]);
  });

  it.each([
    ['all', { authoritativeActivityTypes: null }, 1],
    ['this type', { authoritativeActivityTypes: ['PLAN'] }, 1],
    ['another type', { authoritativeActivityTypes: ['MAP'] }, 0],
    ['nothing', {}, 0],
  ])('a snapshot without it that owns %s ends it or keeps it', async (_, client, ended) => {
    const snapshot = { type: 'MESSAGES_SNAPSHOT', messages: [], metadata: { '@ag-ui/client': client } };
    const { updates } = await converse([[{ ...plan, content: {} }, snapshot, step('/a', 1), finished]]);
    expect(updates).toHaveLength(2 - ended);
  });

  it('a patch that fails, or of an unknown activity, changes nothing', async () => {
    const { updates, parts } = await converse([
      [{ ...plan, content: {} }, step('/no/where', 1), { ...step('/a', 1), messageId: 'unknown' }, finished],
    ]);
    expect(updates).toEqual([told({})]);
    expect(parts).toHaveLength(1);
  });

  it('a run that follows an answer goes on with the activity of the run before', async () => {
    const { updates, parts, inputs } = await converse(
      [
        [{ ...plan, content: { steps: [] } }, ...call('c', 'locate'), finished],
        [step('/steps/-', 'Look'), finished],
      ],
      { clientTools: { locate: () => 'here' } },
    );
    expect(updates).toEqual([told({ steps: [] }), told({ steps: ['Look'] })]);
    expect(parts).toMatchObject([shown, { toolName: 'locate' }]);
    expect(inputs[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('it is read from a snapshot of the messages, and not posted', async () => {
    const user = { id: 'u', role: 'user', content: 'Hi' };
    const message = (content: object) => ({ id: 'a', role: 'activity', activityType: 'PLAN', content });
    const { updates, parts, chat, inputs } = await converse([
      [
        { type: 'MESSAGES_SNAPSHOT', messages: [user, message({ steps: [] })] },
        { type: 'MESSAGES_SNAPSHOT', messages: [user, message({ steps: [] })] },
        { type: 'MESSAGES_SNAPSHOT', messages: [user, message({ steps: ['Look'] })] },
        finished,
      ],
      [finished],
    ]);
    expect(updates).toEqual([told({ steps: [] }), told({ steps: ['Look'] })]);
    expect(parts).toMatchObject([shown]);
    await chat.sendMessage('Again');
    expect(inputs[1]?.messages.map(({ role }) => role)).toEqual(['user', 'user']);
  });

  it('one of a subagent belongs to the thread of the subagent', async () => {
    const { parts } = await converse([[{ ...plan, content: {}, subagentRunId: 's' }, finished]]);
    expect(parts).toMatchObject([{ ...shown, thread: 's' }]);
  });
});

describe('questions that are unusual', () => {
  const interrupted = (...interrupts: object[]) => ({
    ...finished,
    outcome: { type: 'interrupt', interrupts },
  });

  it('a reason that nobody knows, without a schema, asks for a yes, and its no is a cancellation', async () => {
    const { chat, inputs } = await converse([
      [interrupted({ id: 'i', reason: 'acme:odd', message: 'Go on?' })],
      [finished],
    ]);
    const [asked] = chat.getState().pendingCalls;
    expect(asked).toMatchObject({
      toolName: 'acme:odd',
      args: { message: 'Go on?' },
      definition: { ui: 'confirm' },
    });
    asked?.decline();
    await settled();
    expect(inputs[1]?.resume).toEqual([{ interruptId: 'i', status: 'cancelled' }]);
  });

  it('a question of Mastra shows what it asks about', async () => {
    const metadata = { mastra: { suspendPayload: { amount: 3 } } };
    const { chat } = await converse([
      [interrupted({ id: 'i', reason: 'mastra:tool_suspend', toolCallId: 'gone', metadata })],
    ]);
    expect(chat.getState().pendingCalls[0]).toMatchObject({
      toolName: 'mastra:tool_suspend',
      args: { amount: 3 },
    });
  });

  it('all questions of a run are answered together', async () => {
    const asked = [interrupted({ id: 'i', reason: 'confirmation' }, { id: 'j', reason: 'confirmation' })];
    const { chat, inputs } = await converse([asked, [finished]]);
    const [first, second] = chat.getState().pendingCalls;
    first?.submit({ confirmed: true });
    await settled();
    expect(inputs).toHaveLength(1);
    second?.decline();
    await settled();
    expect(inputs[1]?.resume).toEqual([
      { interruptId: 'i', status: 'resolved', payload: true },
      { interruptId: 'j', status: 'resolved', payload: false },
    ]);
  });

  it('a question whose time is over is answered with a cancellation', async () => {
    const expiresAt = new Date(Date.now() - 1000).toISOString();
    const { inputs, chat } = await converse([
      [interrupted({ id: 'i', reason: 'confirmation', expiresAt })],
      [finished],
    ]);
    await chat.sendMessage('Again', { whilePending: 'cancel' });
    expect(inputs.at(-1)?.resume).toEqual([{ interruptId: 'i', status: 'cancelled' }]);
  });

  it('where a question comes in both forms, the outcome is the one that is answered', async () => {
    const legacy = { type: 'CUSTOM', name: 'on_interrupt', value: 'Go on?' };
    const { chat, inputs } = await converse([
      [legacy, interrupted({ id: 'i', reason: 'confirmation' })],
      [finished],
    ]);
    expect(chat.getState().pendingCalls).toHaveLength(1);
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    await settled();
    expect(inputs[1]?.resume).toEqual([{ interruptId: 'i', status: 'resolved', payload: true }]);
    expect(inputs[1]?.forwardedProps).toEqual({});
  });

  it('several questions in the older form are answered by their ids', async () => {
    const legacy = (id: string) => ({
      type: 'CUSTOM',
      name: 'on_interrupt',
      value: `Go ${id}?`,
      rawEvent: { id },
    });
    const { chat, inputs } = await converse([[legacy('a'), legacy('b'), finished], [finished]]);
    for (const asked of chat.getState().pendingCalls) asked.submit({ confirmed: true });
    await settled();
    expect(inputs[1]?.forwardedProps).toEqual({ command: { resume: { a: true, b: true } } });
  });

  it('a stopped question is cancelled with the next message', async () => {
    const { chat, inputs } = await converse([[interrupted({ id: 'i', reason: 'confirmation' })], [finished]]);
    chat.stop();
    await chat.sendMessage('Again');
    expect(inputs[1]?.resume).toEqual([{ interruptId: 'i', status: 'cancelled' }]);
  });
});

describe('calls of the page', () => {
  it('a call that is answered at once is posted with its answer, and stands in the next thread too', async () => {
    const input = z.object({}).refine(() => false, 'Never');
    const { inputs, chat } = await converse(
      [[...call('c', 'locate'), finished], [...text('m', 'Oh.'), finished], [finished]],
      {
        clientTools: { locate: { interactive: true, input } },
      },
    );
    const answered = { role: 'tool', toolCallId: 'c', error: expect.stringContaining('Never') };
    expect(inputs[1]?.messages.at(-1)).toMatchObject(answered);
    expect(inputs[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    await chat.sendMessage('Again');
    expect(inputs[2]?.messages).toContainEqual(expect.objectContaining(answered));
  });
});
