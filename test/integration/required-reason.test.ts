/** A tool of the server whose no needs a reason: the page and the server agree on which answers need one. */
import { expect, it, onTestFinished } from 'vitest';
import { defineServerTool } from '../../src/server.ts';
import { createListAgent, stop, text } from '../server/support.ts';
import { shareSession } from '../support/shared-session.ts';

/** Opens a page whose agent asks whether it may pay. */
async function openPage() {
  const ran: unknown[] = [];
  const pay = defineServerTool({
    approval: 'always',
    reason: 'required',
    execute: (args) => ran.push(args),
  });
  const toolCalls = [{ toolCallId: 'call-1', toolName: 'pay', args: {} }];
  const agent = createListAgent([{ type: 'tool-request', toolCalls }], [...text('Understood'), stop]);
  const { device } = shareSession({ agent, tools: { pay } });
  const { chat, notified } = device();
  const unsubscribe = chat.subscribe(() => {});
  onTestFinished(() => {
    unsubscribe();
    chat.destroy();
  });
  await chat.sendMessage('hello');
  const rest = async () => {
    for (let turn = 0; turn < 20_000 && chat.getState().status !== 'idle'; turn += 1)
      await new Promise((next) => setImmediate(next));
    return chat.getState();
  };
  return { chat, notified, ran, rest };
}

it.each([undefined, 'Not now'])(
  'a person leaves the question once, and is not asked again (%s)',
  async (reason) => {
    const { chat, notified, ran, rest } = await openPage();
    expect(chat.getState().pendingCalls[0]?.cancel(reason)).toEqual({ settled: true });
    const { status, pendingCalls, messages } = await rest();
    expect([status, pendingCalls, notified, ran]).toEqual(['idle', [], [], []]);
    expect(messages.at(-1)?.parts).toMatchObject([
      { type: 'tool-call', outcome: 'cancelled' },
      { text: 'Understood' },
    ]);
  },
);

it('the page keeps a no without a reason, and the server takes it with one', async () => {
  const { chat, notified, ran, rest } = await openPage();
  const [tool] = chat.getState().pendingCalls;
  expect(tool?.decline()).toMatchObject({ settled: false, reason: 'invalid-result' });
  expect(tool?.decline('Too dear')).toEqual({ settled: true });
  const { status, messages } = await rest();
  expect([status, notified, ran]).toEqual(['idle', [], []]);
  expect(messages.at(-1)?.parts[0]).toMatchObject({ outcome: 'declined', reason: 'Too dear' });
});
