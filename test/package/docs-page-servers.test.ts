/** The servers of the pages about the page run as they are shown, with a chat in front of them. */
import { afterEach, describe, expect, test } from 'vitest';
import { type AgentChat, type ClientTools, createAgentChat, createHttpTransport } from '../../src/core.ts';
import * as server from '../../src/server.ts';
import { readPage } from '../support/read-docs.ts';
import { createSampleHttp, runSample } from '../support/run-samples.ts';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const run of cleanUp.splice(0)) run();
});

/** Starts the `server.ts` of a page, and opens a chat with it. */
async function openChat(
  document: string,
  clientTools: ClientTools,
  more: { describeClientTools?: boolean; cookie?: string } = {},
): Promise<AgentChat> {
  const { cookie, ...options } = more;
  const http = createSampleHttp();
  runSample(readPage(document), 'server.ts', { 'node:http': http.module, 'handrail/server': server });
  const transport = createHttpTransport({
    url: `http://${await http.address()}`,
    body: { sessionId: 'a' },
    ...(cookie && { headers: { cookie } }),
  });
  const chat = createAgentChat({ transport, clientTools, ...options });
  cleanUp.push(chat.destroy, http.close);
  return chat;
}

const lastText = (chat: AgentChat) =>
  chat
    .getState()
    .messages.at(-1)
    ?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('');

/** Resolves once the agent has ended its turn. */
function untilIdle(chat: AgentChat): Promise<void> {
  return new Promise((resolve) => {
    const stop = chat.subscribe(look);
    function look() {
      if (chat.getState().status !== 'idle') return;
      stop();
      resolve();
    }
    look();
  });
}

/** Sends a message, and answers the only question that comes. */
async function sendAndSubmit(chat: AgentChat, message: string, result: unknown): Promise<string | undefined> {
  await chat.sendMessage(message);
  expect(chat.getState().status).toBe('awaiting-input');
  chat.getState().pendingCalls[0]?.submit(result);
  await untilIdle(chat);
  return lastText(chat);
}

describe('the servers of the documentation', () => {
  test('docs/start.md orders a lamp after a yes', async () => {
    const chat = await openChat('docs/start.md', { 'confirm-order': 'interactive' });
    expect(await sendAndSubmit(chat, 'Please order a lamp', { confirmed: true })).toBe(
      'One moment. Ordered!',
    );
  });

  test('docs/start.md orders nothing after a no', async () => {
    const chat = await openChat('docs/start.md', { 'confirm-order': 'interactive' });
    await chat.sendMessage('Please order a lamp');
    chat.getState().pendingCalls[0]?.decline();
    await untilIdle(chat);
    expect(lastText(chat)).toBe('One moment. Not ordered.');
  });

  test('docs/dialogs.md says which option was chosen', async () => {
    const chat = await openChat('docs/dialogs.md', { 'pick-shipping': 'interactive' });
    expect(await sendAndSubmit(chat, 'Send it', { selected: 'express' })).toBe(
      'You chose {"selected":"express"}.',
    );
  });

  test('docs/forms.md thanks for the values', async () => {
    const chat = await openChat('docs/forms.md', { 'ask-details': 'interactive' });
    expect(await sendAndSubmit(chat, 'A shirt', { name: 'Ada' })).toBe('Thank you: {"name":"Ada"}');
  });

  test('docs/tools.md names the tools that the page describes', async () => {
    const tools = { 'show-map': { description: 'Shows a place', execute: () => 'shown' }, hidden: () => 'x' };
    const chat = await openChat('docs/tools.md', tools, { describeClientTools: true });
    await chat.sendMessage('Where is Oslo?');
    await untilIdle(chat);
    expect(lastText(chat)).toBe('I know show-map. There it is.');
  });

  test('docs/devices-and-people.md lets the support team answer, not the customer', async () => {
    const tools: ClientTools = { 'confirm-refund': 'interactive' };
    const chat = await openChat('docs/devices-and-people.md', tools, { cookie: 'login=token-of-ada' });
    await chat.sendMessage('My lamp is broken');
    expect(chat.getState().pendingCalls).toMatchObject([{ toolName: 'confirm-refund', mayAnswer: false }]);
  });

  test('docs/devices-and-people.md answers 401 without a login', async () => {
    const chat = await openChat('docs/devices-and-people.md', {});
    await chat.sendMessage('My lamp is broken');
    expect(chat.getState().error).toMatchObject({ status: 401 });
  });
});
