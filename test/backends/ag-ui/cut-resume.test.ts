/** The response to an answer breaks off at each of its events. */
import { describe, expect, it } from 'vitest';
import { createAgUiTransport } from '../../../src/backends/ag-ui/create-ag-ui-transport.ts';
import { createAgentChat, createPersistence } from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { settled } from '../../support/scripted-chat.ts';
import { untilStatus } from '../../support/until-status.ts';
import { createHeldAgent } from './held-agent.ts';
import { asking, called, createRawAgent, ended, gave, said, started } from './raw-agent.ts';

const question = { id: 'i1', reason: 'tool_call', toolCallId: 'c1' };
const first = [started, ...called('c1', 'refund', '{"amount":3}'), asking(question)];
const rest = [started, gave('c1', '{"paid":true}'), ...said('m', 'Paid.'), ended];
const payload = { interruptId: 'i1', status: 'resolved', payload: true };

const PLACES = Array.from({ length: rest.length }, (_, at) => at);

/** Returns a function that opens a page of one conversation. */
function createPages({ fetch }: { readonly fetch: typeof globalThis.fetch }) {
  const storage = createMemoryStorage();
  return () =>
    createAgentChat({
      id: 'c',
      transport: createAgUiTransport({ url: '/agent', fetch }),
      persistence: createPersistence({ storage, tabs: false }),
    });
}

/** Answers the question, and gets the first `at` events of the response. */
async function cutAt(at: number) {
  const agent = createRawAgent(first, rest.slice(0, at), rest);
  const open = createPages(agent);
  const chat = open();
  await chat.sendMessage('Hi');
  chat.getState().pendingCalls[0]?.submit({ confirmed: true });
  await untilStatus(chat, 'error');
  return { chat, open, inputs: agent.inputs };
}

describe('a response to an answer that is cut', () => {
  it.each(PLACES)('behind %i events, it is asked for again with the same entry, once', async (at) => {
    const { chat, inputs } = await cutAt(at);
    await chat.retry();
    await untilStatus(chat, 'idle');
    expect(inputs).toHaveLength(3);
    expect(inputs[2]).toMatchObject({ resume: [payload], parentRunId: inputs[0]?.runId });
    expect(inputs[2]?.messages).toEqual(inputs[1]?.messages);
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([
      { toolCallId: 'c1', status: 'done', result: { paid: true } },
      { type: 'text', text: 'Paid.' },
    ]);
    chat.destroy();
  });

  it.each(PLACES)('behind %i events, a message in place of a retry carries the same entry', async (at) => {
    const { chat, inputs } = await cutAt(at);
    await chat.sendMessage('What now?');
    expect(inputs[2]).toMatchObject({ resume: [payload] });
    const ids = inputs[2]?.messages.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(inputs[2]?.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
    chat.destroy();
  });

  it.each(PLACES)('behind %i events, the page that is opened next never asks a second time', async (at) => {
    const { chat, open, inputs } = await cutAt(at);
    chat.destroy();
    const next = open();
    next.subscribe(() => {});
    await untilStatus(next, 'error', 'idle', 'awaiting-input');
    expect(next.getState().pendingCalls).toEqual([]);
    await next.sendMessage('What now?');
    expect(inputs.at(-1)).toMatchObject({ resume: [payload] });
    next.destroy();
  });
});

it('a question that was stopped is not asked again after a reload', async () => {
  const agent = createRawAgent(first, rest);
  const open = createPages(agent);
  const before = open();
  await before.sendMessage('Hi');
  before.stop();
  before.destroy();
  const page = open();
  page.subscribe(() => {});
  await settled();
  expect(page.getState().status).toBe('idle');
  expect(page.getState().pendingCalls).toEqual([]);
  expect(agent.inputs).toHaveLength(1);
  page.destroy();
});

it('a page that is left at a second question, whose response is still open, answers that one after a reload', async () => {
  const agent = createHeldAgent();
  const open = createPages(agent);
  const chat = open();
  void chat.sendMessage('Hi');
  await settled();
  agent.responses[0]?.write(...first);
  agent.responses[0]?.close();
  await untilStatus(chat, 'awaiting-input');
  chat.getState().pendingCalls[0]?.submit({ confirmed: true });
  await settled();
  const second = { id: 'i2', reason: 'tool_call', toolCallId: 'c2' };
  agent.responses[1]?.write(started, gave('c1', '{"paid":true}'), ...called('c2', 'book'), asking(second));
  await untilStatus(chat, 'awaiting-input');
  chat.destroy();

  const page = open();
  page.subscribe(() => {});
  await untilStatus(page, 'awaiting-input');
  page.getState().pendingCalls[0]?.submit({ confirmed: true });
  await settled();

  expect(agent.responses.at(-1)?.input.resume).toEqual([{ ...payload, interruptId: 'i2' }]);
  page.destroy();
});
