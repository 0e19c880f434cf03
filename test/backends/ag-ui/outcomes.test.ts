/** The ways in which a call or a question can end, as an AG-UI agent gets them. */
import { describe, expect, it } from 'vitest';
import { createAgUiTransport } from '../../../src/backends/ag-ui/create-ag-ui-transport.ts';
import {
  type ClientTools,
  createAgentChat,
  defineClientTool,
  type InteractiveTool,
} from '../../../src/core.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import clientTools from '../../fixtures/ag-ui/mastra-client-tools.json' with { type: 'json' };
import recorded from '../../fixtures/ag-ui/mastra-suspend.json' with { type: 'json' };
import { untilStatus } from '../../support/until-status.ts';
import { custom, ok } from './ask-agent.ts';
import { asking, called, createRawAgent, ended, type RawEvent, started } from './raw-agent.ts';

async function ask(first: readonly RawEvent[], clientTools: ClientTools = {}) {
  const agent = createRawAgent([started, ...first], ok);
  const clock = createManualClock();
  const transport = createAgUiTransport({ url: '/agent', fetch: agent.fetch, clock });
  const chat = createAgentChat({ transport, clientTools, clock });
  await chat.sendMessage('Hi');
  return { chat, clock, inputs: agent.inputs };
}

type Answer = (tool: InteractiveTool) => unknown;
const yes: Answer = (tool) => tool.submit({ confirmed: true });
const no: Answer = (tool) => tool.decline('too much');
const cancel: Answer = (tool) => tool.cancel('not now');

const resultIn = (inputs: Awaited<ReturnType<typeof ask>>['inputs']) =>
  inputs[1]?.messages.find(({ role }) => role === 'tool');

describe('the answer to a call of the page', () => {
  const answered = async (answer: Answer) => {
    const { chat, inputs } = await ask([...called('c1', 'confirm'), ended], { confirm: 'interactive' });
    const [tool] = chat.getState().pendingCalls;
    if (tool) answer(tool);
    await untilStatus(chat, 'idle');
    return resultIn(inputs);
  };

  it.each<[string, Answer, object]>([
    ['submitted as a text', (tool) => tool.submit('here'), { content: 'here' }],
    ['submitted as an object', (tool) => tool.submit({ a: 1 }), { content: '{"a":1}' }],
    ['declined', no, { content: '{"outcome":"declined","reason":"too much"}' }],
    ['cancelled', cancel, { content: 'not now', error: 'not now' }],
  ])('%s, it is a tool message behind its call', async (_, answer, expected) => {
    const message = await answered(answer);
    expect(message).toEqual({ id: expect.any(String), role: 'tool', toolCallId: 'c1', ...expected });
  });

  it('failed, its error is also its content', async () => {
    const { chat, inputs } = await ask([...called('c1', 'locate'), ended], {
      locate: () => Promise.reject(new Error('no battery')),
    });
    await untilStatus(chat, 'idle');
    expect(resultIn(inputs)).toMatchObject({ content: 'no battery', error: 'no battery' });
  });

  it('timed out, its error names the limit', async () => {
    const confirm = defineClientTool({ interactive: true, timeoutMs: 5_000 });
    const { chat, clock, inputs } = await ask([...called('c1', 'confirm'), ended], { confirm });
    await clock.advance(5_000);
    await untilStatus(chat, 'idle');
    const limit = expect.stringContaining('5 s');
    expect(resultIn(inputs)).toMatchObject({ content: limit, error: limit });
  });

  it('superseded by a message, it goes in the same input as the message', async () => {
    const { chat, inputs } = await ask([...called('c1', 'confirm'), ended], { confirm: 'interactive' });
    await chat.sendMessage('Forget it', { whilePending: 'cancel' });
    expect(inputs).toHaveLength(2);
    expect(inputs[1]?.messages.slice(-2)).toMatchObject([
      { role: 'tool', toolCallId: 'c1', error: expect.any(String) },
      { role: 'user', content: 'Forget it' },
    ]);
  });

  it('aborted by a stop, it goes as an error with the next message', async () => {
    const { chat, inputs } = await ask([...called('c1', 'confirm'), ended], { confirm: 'interactive' });
    chat.stop();
    expect(inputs).toHaveLength(1);
    await chat.sendMessage('Again');
    expect(resultIn(inputs)).toMatchObject({ toolCallId: 'c1', error: expect.any(String) });
  });
});

describe('the answer to an interrupt', () => {
  const approved = { type: 'boolean' };
  const reason = { type: 'string' };
  const withReason = { type: 'object', properties: { approved, reason } };
  const closed = {
    oneOf: [
      { type: 'object', properties: { approved: { const: true } }, additionalProperties: false },
      { type: 'object', properties: { approved: { const: false } }, additionalProperties: false },
    ],
  };
  const cancelled = { interruptId: 'i1', status: 'cancelled' };
  const resolved = (payload: unknown) => ({ interruptId: 'i1', status: 'resolved', payload });

  it.each<[string, object, Answer, object]>([
    [
      'a yes to approved',
      { reason: 'tool_call', responseSchema: withReason },
      yes,
      resolved({ approved: true }),
    ],
    [
      'a no with its reason',
      { reason: 'tool_call', responseSchema: withReason },
      no,
      resolved({ approved: false, reason: 'too much' }),
    ],
    [
      'a no to a closed schema, which has no reason',
      { reason: 'tool_call', responseSchema: closed },
      no,
      resolved({ approved: false }),
    ],
    ['a yes to a boolean', { reason: 'confirmation', responseSchema: approved }, yes, resolved(true)],
    ['a no to a boolean', { reason: 'confirmation', responseSchema: approved }, no, resolved(false)],
    ['a no to a confirmation without a schema', { reason: 'confirmation' }, no, resolved(false)],
    ['a no to an unknown question', { reason: 'acme:ask' }, no, cancelled],
    ['a no to a call without a schema', { reason: 'tool_call' }, no, cancelled],
    ['a cancellation', { reason: 'tool_call', responseSchema: withReason }, cancel, cancelled],
    ['a yes to a reserved reason', { reason: 'core:next' }, yes, resolved(true)],
    [
      'an answer that is null, which no payload may be',
      { reason: 'input_required', responseSchema: { type: ['string', 'null'] } },
      (tool) => tool.submit(null),
      cancelled,
    ],
    [
      'a yes to a question with metadata, which stays here,',
      { reason: 'confirmation', metadata: { signature: 's' } },
      yes,
      resolved(true),
    ],
  ])('%s goes as its entry of resume', async (_, interrupt, answer, entry) => {
    const { chat, inputs } = await ask([asking({ id: 'i1', message: 'Sure?', ...interrupt })]);
    const [tool] = chat.getState().pendingCalls;
    if (tool) answer(tool);
    await untilStatus(chat, 'idle');
    expect(inputs[1]?.resume).toEqual([entry]);
    expect(inputs[1]).toMatchObject({ threadId: inputs[0]?.threadId, parentRunId: inputs[0]?.runId });
    expect(inputs[1]?.runId).not.toBe(inputs[0]?.runId);
  });

  it('past its expiry it is cancelled, and the other answers go with it', async () => {
    const { chat, inputs } = await ask([
      asking(
        { id: 'i1', reason: 'confirmation', expiresAt: '2020-01-01T00:00:00Z' },
        { id: 'i2', reason: 'confirmation', expiresAt: 'next week' },
      ),
    ]);
    for (const tool of chat.getState().pendingCalls) yes(tool);
    await untilStatus(chat, 'idle');
    expect(inputs[1]?.resume).toEqual([cancelled, { interruptId: 'i2', status: 'resolved', payload: true }]);
  });

  it('one that expires while it is open is cancelled with the other answers', async () => {
    const expiresAt = new Date(Date.UTC(2026, 0, 1, 0, 0, 5)).toISOString();
    const { chat, clock, inputs } = await ask([
      asking({ id: 'i1', reason: 'confirmation', expiresAt }, { id: 'i2', reason: 'confirmation' }),
    ]);
    const [one, two] = chat.getState().pendingCalls;
    await clock.advance(5_000);
    expect(one && yes(one)).toMatchObject({ settled: false });
    if (two) yes(two);
    await untilStatus(chat, 'idle');
    expect(inputs[1]?.resume).toEqual([cancelled, { interruptId: 'i2', status: 'resolved', payload: true }]);
  });

  it('one that times out on the page is cancelled', async () => {
    const refund = defineClientTool({ interactive: true, timeoutMs: 5_000 });
    const question = { id: 'i1', reason: 'tool_call', toolCallId: 'c1', responseSchema: withReason };
    const { chat, clock, inputs } = await ask([...called('c1', 'refund'), asking(question)], { refund });
    await clock.advance(5_000);
    await untilStatus(chat, 'idle');
    expect(inputs[1]?.resume).toEqual([cancelled]);
    expect(inputs).toHaveLength(2);
  });

  it('one of a tool of the page that fails is cancelled, and the tool does not run again', async () => {
    let runs = 0;
    const locate = () => {
      runs += 1;
      return Promise.reject(new Error('no battery'));
    };
    const { chat, inputs } = await ask(
      [...called('c1', 'locate'), asking({ id: 'i1', reason: 'tool_call', toolCallId: 'c1' })],
      { locate },
    );
    await untilStatus(chat, 'idle');
    expect(inputs[1]?.resume).toEqual([cancelled]);
    expect({ runs, inputs: inputs.length }).toEqual({ runs: 1, inputs: 2 });
  });

  it('the first of two waits for the other, and both go in one resume', async () => {
    const { chat, inputs } = await ask([
      asking({ id: 'i1', reason: 'confirmation' }, { id: 'i2', reason: 'confirmation' }),
    ]);
    const [one, two] = chat.getState().pendingCalls;
    if (one) yes(one);
    expect(inputs).toHaveLength(1);
    if (two) no(two);
    await untilStatus(chat, 'idle');
    expect(inputs[1]?.resume).toHaveLength(2);
  });

  it('an interrupt of a tool of the page, under a reason of its own, gets the result of the tool', async () => {
    const { chat, inputs } = await ask(
      [
        ...called('c1', 'locate'),
        asking({
          id: 'client_tool_c1',
          reason: 'tanstack:client_tool_execution',
          toolCallId: 'c1',
          responseSchema: {},
        }),
      ],
      { locate: () => ({ city: 'Ulm' }) },
    );
    await untilStatus(chat, 'idle');
    const payload = { city: 'Ulm' };
    expect(inputs[1]?.resume).toEqual([{ interruptId: 'client_tool_c1', status: 'resolved', payload }]);
    expect(inputs).toHaveLength(2);
  });
});

describe('a tool of Mastra that suspends', () => {
  it('is asked about under its name with its arguments, and shows the output of the server', async () => {
    const agent = createRawAgent(...(recorded.runs as RawEvent[][]));
    const chat = createAgentChat({ transport: createAgUiTransport({ url: '/agent', fetch: agent.fetch }) });
    await chat.sendMessage('ask');
    const [tool] = chat.getState().pendingCalls;
    const definition = { ui: 'confirm', description: 'May I?' };
    expect(tool).toMatchObject({ toolName: 'ask', args: { amount: 3, message: 'May I?' }, definition });
    tool?.submit({ confirmed: true });
    await untilStatus(chat, 'idle');
    expect(agent.inputs[1]).toMatchObject({ resume: [{ payload: { approved: true } }] });
    expect(chat.getState().messages.at(-1)?.parts[0]).toMatchObject({
      toolName: 'ask',
      status: 'done',
      result: { ok: { approved: true } },
    });
  });
});

describe('tools of the page that Mastra calls', () => {
  it('two calls of one message are answered in one run, and the usage is that of both runs', async () => {
    const agent = createRawAgent(...(clientTools.runs as RawEvent[][]));
    const chat = createAgentChat({
      transport: createAgUiTransport({ url: '/agent', fetch: agent.fetch }),
      clientTools: { locate: () => ({ city: 'Bonn' }), confirm: 'interactive' },
    });
    await chat.sendMessage('Hi');
    chat.getState().pendingCalls[0]?.decline('no');
    await untilStatus(chat, 'idle');
    expect(agent.inputs).toHaveLength(2);
    expect(agent.inputs[1]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', toolCalls: [{ id: 'locate-0-1' }, { id: 'confirm-1-2' }] },
      { role: 'tool', toolCallId: 'locate-0-1', content: '{"city":"Bonn"}' },
      { role: 'tool', toolCallId: 'confirm-1-2', content: '{"outcome":"declined","reason":"no"}' },
    ]);
    expect(chat.getState().usage).toEqual({ inputTokens: 2, outputTokens: 4, totalTokens: 6 });
  });
});

describe('the answer to a question in the older form', () => {
  const answerAll = async (events: readonly RawEvent[], answer: Answer = yes) => {
    const { chat, inputs } = await ask(events);
    for (const tool of chat.getState().pendingCalls) answer(tool);
    await untilStatus(chat, 'idle');
    return inputs[1];
  };

  it('several with ids are answered by a map, and several without by a list', async () => {
    const named = await answerAll([custom('One?', 'a'), custom('Two?', 'b'), ended]);
    expect(named?.forwardedProps).toEqual({ command: { resume: { a: true, b: true } } });
    const nameless = await answerAll([custom('One?'), custom('Two?'), ended]);
    expect(nameless?.forwardedProps).toEqual({ command: { resume: [true, true] } });
    expect(nameless).not.toHaveProperty('resume');
  });

  it('an object asks like the JSON of it, and goes back as it came', async () => {
    const value = { message: 'One?', toolCallId: 'c1' };
    const { chat, inputs } = await ask([...called('c1', 'refund', '{"amount":3}'), custom(value), ended]);
    const [tool] = chat.getState().pendingCalls;
    expect(tool).toMatchObject({ toolName: 'refund', args: { amount: 3 } });
    if (tool) yes(tool);
    await untilStatus(chat, 'idle');
    expect(inputs[1]?.forwardedProps).toEqual({ command: { resume: true, interruptEvent: value } });
  });

  it('an interrupt in the outcome wins over the custom event', async () => {
    const input = await answerAll([custom('One?'), asking({ id: 'i1', reason: 'confirmation' })]);
    expect(input?.resume).toEqual([{ interruptId: 'i1', status: 'resolved', payload: true }]);
    expect(input?.forwardedProps).toEqual({});
  });
});
