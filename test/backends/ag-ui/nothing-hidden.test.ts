/** Nobody confirms what was not shown: whatever an agent puts into a question, and whatever it changes while a person reads. */
import { describe, expect, it } from 'vitest';
import { createAgUiTransport } from '../../../src/backends/ag-ui/create-ag-ui-transport.ts';
import { createAgentChat } from '../../../src/core.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { untilStatus } from '../../support/until-status.ts';
import { askInOlderForm, askInOutcome, converse, ok } from './ask-agent.ts';
import { createHeldAgent } from './held-agent.ts';
import { asking, called, ended, gave, started } from './raw-agent.ts';

/** Lets the page read what has arrived. */
const read = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the arguments of a call that is to be allowed', () => {
  it.each(['{"amount":', '["all"]'])('are shown as they came where they are no object: %s', async (text) => {
    const { tool } = await askInOutcome({ reason: 'tool_call', toolCallId: 'c' }, called('c', 'pay', text));
    expect(tool).toMatchObject({ toolName: 'pay', args: { arguments: text } });
  });

  it.each(['{"amount":9}', ['all']])('are shown in a review: %j', async (args) => {
    const { tool } = await askInOlderForm({ action_requests: [{ name: 'pay', args }], review_configs: [] });
    expect(tool).toMatchObject({ toolName: 'pay', args: { args } });
  });

  it('keep their field `payload` beside a question that has other values', async () => {
    const mastra = { toolName: 'run', args: { payload: 'DROP', x: 1 }, suspendPayload: { x: 2 } };
    const { tool } = await askInOutcome({ reason: 'mastra:tool_suspend', metadata: { mastra } });
    expect(tool.args).toEqual({ payload: 'DROP', x: 1, 'payload 2': { x: 2 } });
  });
});

describe('the facts of a question', () => {
  it.each(['confirmation', 'input_required'])('of %s are its metadata', async (reason) => {
    const { tool } = await askInOutcome({ reason, message: 'Pay?', metadata: { amount: 500, to: 'Bob' } });
    expect(tool.args).toEqual({ message: 'Pay?', amount: 500, to: 'Bob' });
  });

  it('include a reason that is written for people', async () => {
    const fields = { question: 'Refund?', reason: 'It is over the limit' };
    const { tool } = await askInOutcome({
      reason: 'langgraph:interrupt',
      metadata: { langgraph: { raw: fields } },
    });
    expect(tool.args).toEqual(fields);
    const older = await askInOlderForm(fields);
    expect(older.tool).toMatchObject({ toolName: 'on_interrupt', args: fields });
  });

  it('do not include a reason that is a word for programs', async () => {
    const { tool } = await askInOlderForm({ message: 'Pay?', reason: 'payment' });
    expect(tool).toMatchObject({ toolName: 'payment', args: { message: 'Pay?' } });
  });
});

describe('a yes', () => {
  it('is not offered for calls of which one cannot be approved', async () => {
    const action_requests = [
      { name: 'pay', args: {} },
      { name: 'wipe', args: {} },
    ];
    const review_configs = [
      { action_name: 'pay', allowed_decisions: ['approve', 'reject'] },
      { action_name: 'wipe', allowed_decisions: ['reject'] },
    ];
    const { tool, answer } = await askInOlderForm({ action_requests, review_configs });
    expect(tool.definition?.ui).toBe('form');
    const input = await answer(() => tool.submit({ confirmed: true }));
    expect(input?.forwardedProps).toMatchObject({
      command: { resume: { decisions: [{ type: 'approve' }, { type: 'reject' }] } },
    });
  });

  it('is not enough where the agent wants more than that', async () => {
    const properties = { approved: { type: 'boolean' }, amount: { type: 'number' } };
    const responseSchema = { type: 'object', properties, required: ['approved', 'amount'] };
    const { tool, answer } = await askInOutcome({
      reason: 'acme:limit',
      message: 'How much?',
      responseSchema,
    });
    expect(tool.definition?.ui).toBe('form');
    expect(tool.submit({ confirmed: true })).toMatchObject({ settled: false, reason: 'invalid-result' });
    const input = await answer(() => tool.decline());
    expect(input?.resume).toMatchObject([{ status: 'resolved', payload: { approved: false } }]);
  });

  it('to one question about a call is none to another one', async () => {
    const interrupts = [
      { id: 'i', reason: 'tool_call', toolCallId: 'c' },
      { id: 'j', reason: 'confirmation', message: 'And tell Bob?', toolCallId: 'c' },
    ];
    const { chat, inputs } = await converse([[started, ...called('c', 'pay'), asking(...interrupts)], ok]);
    const [pay, tell] = chat.getState().pendingCalls;
    expect(tell).toMatchObject({ toolCallId: 'j', definition: { description: 'And tell Bob?' } });
    pay?.submit({ confirmed: true });
    tell?.decline();
    await untilStatus(chat, 'idle');
    expect(inputs[1]?.resume).toMatchObject([
      { interruptId: 'i', status: 'resolved', payload: true },
      { interruptId: 'j', status: 'resolved', payload: false },
    ]);
  });
});

describe('a snapshot of the messages while a person is asked', () => {
  const owner = (...ids: string[]) => ({
    id: 'a',
    role: 'assistant',
    toolCalls: ids.map((id) => ({
      id,
      type: 'function',
      function: { name: id === 'q' ? 'ask' : 'look', arguments: '{}' },
    })),
  });

  async function askBeside(...messages: object[]) {
    const agent = createHeldAgent();
    const clock = createManualClock();
    const transport = createAgUiTransport({ url: '/agent', fetch: agent.fetch, clock });
    const settled: unknown[] = [];
    const chat = createAgentChat({
      transport,
      clock,
      clientTools: { ask: 'interactive' },
      onCallSettled: ({ outcome, result }) => settled.push([outcome, result]),
    });
    void chat.sendMessage('Hi');
    await read();
    const [response] = agent.responses;
    response?.write(started, ...called('q', 'ask'), ...called('s', 'look'));
    await read();
    await clock.advance(500);
    await read();
    const [tool] = chat.getState().pendingCalls;
    if (response === undefined || tool === undefined) throw new Error('The agent asked nothing');
    response.write({ type: 'MESSAGES_SNAPSHOT', messages: [...response.input.messages, ...messages] });
    await read();
    const end = async () => {
      response.write(gave('s', 'ok'), ended);
      response.close();
      await read();
    };
    return { agent, chat, tool, end, settled };
  }

  it('closes the question about a call that the agent has taken back', async () => {
    const { agent, chat, tool, end, settled } = await askBeside(owner('s'));
    expect(chat.getState().pendingCalls).toEqual([]);
    expect(tool.submit('Ann')).toEqual({ settled: false, reason: 'expired' });
    await end();
    expect(chat.getState().status).toBe('idle');
    expect(settled).toEqual([['expired', undefined]]);
    expect(agent.responses).toHaveLength(1);
  });

  it('closes the question about a call that the agent has answered itself', async () => {
    const result = { id: 't', role: 'tool', toolCallId: 'q', content: 'done' };
    const { chat, tool, settled } = await askBeside(owner('q', 's'), result);
    expect(chat.getState().pendingCalls).toEqual([]);
    expect(tool.submit('Ann')).toEqual({ settled: false, reason: 'already-settled' });
    expect(settled).toEqual([['submitted', 'done']]);
  });

  it('leaves the question about a call that it has', async () => {
    const { agent, tool, end } = await askBeside(owner('q', 's'));
    await end();
    expect(tool.submit('Ann')).toEqual({ settled: true });
    await read();
    expect(agent.responses[1]?.input.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Ann' });
  });
});
