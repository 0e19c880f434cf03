/** Questions that are asked while their response still goes on, and responses that begin anew behind them. */
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { call, start, stopped, text } from '../../support/scripted-events.ts';

const asked = (...ids: string[]): AgentEvent => ({
  type: 'client-tool-request',
  executionId: 'run-1',
  toolCalls: ids.map((id) => call(id, 'ask')),
  responseGoesOn: true,
});

async function askMidway(...ids: string[]) {
  const { chat, backend, notified } = scriptedChat({ clientTools: { ask: 'interactive' } });
  const sent = chat.sendMessage('Hi');
  const response = await backend.request(0);
  response.send(start, asked(...ids));
  await settled();
  return { chat, backend, notified, response, sent };
}

it('a question is asked at once, and its answer is sent when the response has ended', async () => {
  const { chat, backend, response } = await askMidway('1');
  expect(chat.getState().status).toBe('awaiting-input');
  chat.getState().pendingCalls[0]?.submit('yes');
  response.send(...text('t', 'Meanwhile.'));
  await settled();
  expect(backend.commands).toHaveLength(1);
  response.send(stopped);
  await settled();
  expect(backend.commands[1]).toMatchObject({ type: 'respond', answers: [{ result: 'yes' }] });
});

it('a response that is cut behind its question leaves the question open, and the answer goes on', async () => {
  const { chat, backend, response, sent } = await askMidway('1');
  response.end();
  await sent;
  expect(chat.getState().status).toBe('awaiting-input');
  chat.getState().pendingCalls[0]?.submit('yes');
  await settled();
  expect(backend.commands[1]).toMatchObject({ type: 'respond', answers: [{ result: 'yes' }] });
});

it('a response that begins anew shows the answers that were given to its calls', async () => {
  const { chat, backend, response } = await askMidway('1', '2');
  chat.getState().pendingCalls[0]?.submit('yes');
  response.send({ type: 'start', restarted: true }, asked('1', '2'), stopped);
  await settled();
  expect(chat.getState().messages.at(-1)?.parts).toMatchObject([
    { toolCallId: '1', status: 'done', result: 'yes' },
    { toolCallId: '2', status: 'running' },
  ]);
  expect(chat.getState().pendingCalls).toHaveLength(1);
  expect(backend.commands).toHaveLength(1);
});

it('a result of the server closes the question and is what the call shows', async () => {
  const { chat, backend, notified, response } = await askMidway('1');
  response.send(
    { type: 'tool-result-acknowledged', toolCallId: '1', status: 'expired', outcome: 'submitted', result: 3 },
    stopped,
  );
  await settled();
  expect(chat.getState().messages.at(-1)?.parts).toMatchObject([{ status: 'done', result: 3 }]);
  expect(chat.getState().pendingCalls).toEqual([]);
  expect(notified).toEqual(['finish stop']);
  expect(backend.commands).toHaveLength(1);
});
