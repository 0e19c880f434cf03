/** Conversations with the embedded runtime and the kit, over HTTP and real sockets. The fault run plays more of them. */
import { describe, expect, it } from 'vitest';
import { createEnvTool } from '../../../src/standard-agents.ts';
import { always, isAnswer } from '../../integration/backend.ts';
import { findPending, openChat, readText } from '../../integration/open-chat.ts';
import { standardAgentsBackend } from '../../integration/standard-agents-backend.ts';
import { describeBrokenConnections } from '../../integration/suites/broken-connection-suite.ts';
import { describeCuts } from '../../integration/suites/cut-suite.ts';

describeBrokenConnections(standardAgentsBackend());
describeCuts(standardAgentsBackend());

describe('the kit on the embedded runtime', () => {
  it('brings every kind of answer to the agent, one after the other', async () => {
    const calls = ['ask', 'decline', 'cancel', 'throws', 'auto'].map((call) => ({ call }));
    const backend = await standardAgentsBackend().open(always(calls, ['I see.']));
    const { chat, until } = openChat(backend, {
      ask: 'interactive',
      decline: 'interactive',
      cancel: 'interactive',
      throws: () => {
        throw new Error('no signal');
      },
      auto: () => 7,
    });
    chat.sendMessage('go').catch(() => {});
    const state = await until(({ pendingCalls }) => pendingCalls.length === 3);
    findPending(state, 'ask').submit({ answer: 'yes' });
    findPending(state, 'decline').decline('too expensive');
    findPending(state, 'cancel').cancel();
    const end = await until(({ status }) => status === 'idle');
    expect(readText(end)).toBe('I see.');
    expect((await backend.readTranscript()).filter(isAnswer)).toEqual([
      { answer: 'call-1', result: { answer: 'yes' } },
      { answer: 'call-2', result: { outcome: 'declined', reason: 'too expensive' } },
      { answer: 'call-3', error: 'User cancelled' },
      { answer: 'call-4', error: 'no signal' },
      { answer: 'call-5', result: 7 },
    ]);
  });

  it('stores the value of a variable in the thread and tells the model only that it is set', async () => {
    const backend = await standardAgentsBackend().open(always([{ call: 'ask' }], ['Thanks.']));
    const { chat, until } = openChat(backend, { ask: createEnvTool({ name: 'TOKEN' }) });
    chat.sendMessage('go').catch(() => {});
    const state = await until(({ pendingCalls }) => pendingCalls.length === 1);
    findPending(state, 'ask').submit({ value: 'verysecretvalue' });
    await until(({ status }) => status === 'idle');
    const transcript = await backend.readTranscript();
    expect(transcript.filter(isAnswer)).toEqual([
      { answer: 'call-1', result: { name: 'TOKEN', isSet: true } },
    ]);
    expect(JSON.stringify([transcript, chat.getState()])).not.toContain('verysecretvalue');
  });
});
