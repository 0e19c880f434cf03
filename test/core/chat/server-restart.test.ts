/** The server goes away in the middle of a run: the request is repeated by itself, once. */
import { expect, it } from 'vitest';
import { asked } from '../../support/asked-calls.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { call, failure, start, stopped, text } from '../../support/scripted-events.ts';

const restarted = { ...failure, code: 'server_restarted' };

it('a message whose run was lost with its server is sent again under the same key, without an error', async () => {
  const { chat, backend, notified } = scriptedChat();
  const sent = chat.sendMessage('Hi');
  (await backend.request(0)).send(start, ...text('t', 'Half'), restarted);
  (await backend.request(1)).send(start, ...text('t', 'Whole'), stopped);
  await sent;
  const [first, second] = backend.commands;
  expect(second).toMatchObject({
    type: 'trigger',
    idempotencyKey: (first as { idempotencyKey: string }).idempotencyKey,
  });
  expect(chat.getState().messages.at(-1)?.parts).toMatchObject([{ text: 'Whole' }]);
  expect([chat.getState().error, notified]).toEqual([null, ['finish stop']]);
});

it('an answer whose run was lost with its server is sent again', async () => {
  const { chat, backend } = await asked({ ask: 'interactive' }, [call('1', 'ask')]);
  chat.getState().pendingCalls[0]?.submit('yes');
  backend.requests[1]?.send(start, restarted);
  await settled();
  backend.requests[2]?.send(start, stopped);
  await settled();
  expect(backend.commands.slice(1)).toMatchObject([
    { type: 'respond', answers: [{ result: 'yes' }] },
    { type: 'respond', answers: [{ result: 'yes' }] },
  ]);
  expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
});

it('a server that restarts again is an error that a person may try again', async () => {
  const { chat, backend, notified } = scriptedChat();
  const sent = chat.sendMessage('Hi');
  (await backend.request(0)).send(start, restarted);
  (await backend.request(1)).send(start, restarted);
  await sent;
  await settled();
  expect(backend.commands).toHaveLength(2);
  expect(chat.getState().error).toMatchObject({ backendCode: 'server_restarted', retryable: true });
  expect(notified).toEqual(['error backend_error']);
});
