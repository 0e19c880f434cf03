/** A new page asks its backend once what it cannot know: open calls, and a response that goes on. */
import { expect, it } from 'vitest';
import type { SnapshotEvent } from '../../../src/core/protocol/events.ts';
import { AgentChatError, type AgentChatOptions } from '../../../src/core.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { call, stopped, text } from '../../support/scripted-events.ts';

const snapshot: SnapshotEvent = {
  type: 'snapshot',
  executionId: 'run-1',
  messages: [
    {
      id: 'm-1',
      role: 'assistant',
      parts: [{ type: 'tool-call', toolCallId: '1', toolName: 'ask', args: {}, status: 'running' }],
      status: 'done',
      createdAt: new Date(0),
    },
  ],
  openCalls: [call('1', 'ask')],
};

function join(options: Partial<AgentChatOptions> = {}) {
  const page = scriptedChat(
    { clientTools: { ask: 'interactive' }, ...options },
    createScriptedTransport({ joins: true }),
  );
  page.chat.subscribe(() => {});
  return page;
}

it('asks the backend at the first use, and a response without an event changes nothing', async () => {
  const { chat, backend, notified } = join();
  (await backend.request(0)).end();
  await settled();
  expect(backend.commands).toEqual([{ type: 'open' }]);
  expect([chat.getState().status, ...notified]).toEqual(['idle']);
});

it('shows the calls that wait for a person, and delivers their answers', async () => {
  const { chat, backend } = join();
  const response = await backend.request(0);
  response.send(snapshot);
  response.end();
  await settled();
  expect(chat.getState().status).toBe('awaiting-input');
  chat.getState().pendingCalls[0]?.submit('yes');
  await settled();
  expect(backend.commands[1]).toMatchObject({ type: 'respond', executionId: 'run-1' });
});

it('shows the response that goes on, also when resume() asks for it', async () => {
  const { chat, backend } = join();
  (await backend.request(0)).end();
  await settled();
  const resumed = chat.resume();
  const response = await backend.request(1);
  response.send({ ...snapshot, messages: [], openCalls: [] }, ...text('t', 'Hello'), stopped);
  response.end();
  await resumed;
  expect(chat.getState().messages.at(-1)?.parts).toMatchObject([{ text: 'Hello' }]);
});

it('reports a failure to onError, and leaves a message that is sent meanwhile alone', async () => {
  const { chat, backend, notified } = join();
  const failure = new AgentChatError({ code: 'http_error', message: 'Out of order' });
  (await backend.request(0)).fail(failure);
  await settled();
  expect([chat.getState().status, ...notified]).toEqual(['idle', 'error http_error']);
  void chat.resume();
  await backend.request(1);
  void chat.sendMessage('Hi');
  await settled();
  expect(backend.requests[1]?.signal.aborted).toBe(true);
  expect(backend.commands[2]).toMatchObject({ type: 'trigger' });
});
