/** The answer of a page that the server refuses: the call waits again, or the same answer is sent again. */
import { describe, expect, it } from 'vitest';
import type { ErrorEvent } from '../../../src/core/protocol/events.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped } from '../../support/scripted-events.ts';

function refusal(code: string, message: string, retryable = false): ErrorEvent {
  const tool = { name: 'ask', callId: '1' };
  return { type: 'error', errorType: 'validation_error', source: 'platform', code, message, retryable, tool };
}

async function answered(refused: ErrorEvent, answer: unknown = 'yes') {
  const reported: unknown[] = [];
  const page = scriptedChat(
    { clientTools: { ask: 'interactive' }, onCallSettled: ({ outcome }) => reported.push(outcome) },
    createScriptedTransport({ resume: true }),
  );
  const { chat, backend } = page;
  void chat.sendMessage('Hi');
  const run = await backend.request(0);
  run.send(
    { ...start, cursor: '1' },
    { ...request(call('1', 'ask')), cursor: '2' },
    { ...awaitingAnswers, cursor: '3' },
  );
  await settled();
  chat.getState().pendingCalls[0]?.submit(answer);
  const sent = await backend.request(1);
  sent.send(refused);
  sent.end();
  await settled();
  return { ...page, reported };
}

describe('a refused answer', () => {
  it.each(['not_allowed', 'invalid_result', 'invalid_receipt', 'call_expired'])(
    'the call waits again after %s, with what the server says',
    async (code) => {
      const { chat, backend } = await answered(refusal(code, 'Ada answered at 10:04'));
      const [again] = chat.getState().pendingCalls;
      expect(chat.getState()).toMatchObject({ status: 'awaiting-input', error: null });
      expect(again).toMatchObject({ toolCallId: '1', refusal: 'Ada answered at 10:04' });
      again?.submit('other');
      const mayAnswer = code !== 'not_allowed';
      await settled();
      expect(backend.commands.map(({ type }) => type)).toEqual(
        mayAnswer ? ['trigger', 'respond', 'respond'] : ['trigger', 'respond'],
      );
      chat.destroy();
    },
  );

  it('the answer stays given after tool_unknown, and retry() sends the same answer again', async () => {
    const { chat, backend, reported } = await answered(refusal('tool_unknown', 'Not known here', true));
    expect(chat.getState()).toMatchObject({
      status: 'error',
      error: { backendCode: 'tool_unknown', retryable: true },
      pendingCalls: [],
    });
    const retried = chat.retry();
    const resumed = await backend.request(2);
    expect(resumed.command.type).toBe('resume');
    resumed.send(awaitingAnswers);
    resumed.end();
    const again = await backend.request(3);
    expect(again.command).toMatchObject({
      type: 'respond',
      answers: [{ toolCallId: '1', outcome: 'submitted', result: 'yes' }],
    });
    again.send(start, stopped);
    await retried;
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    expect(reported).toEqual(['submitted']);
    chat.destroy();
  });
});
