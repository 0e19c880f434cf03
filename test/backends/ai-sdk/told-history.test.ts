/** After a stop, a failure, or a message sent into an answer, the history that is posted says what happened. */
import { type UIMessage, validateUIMessages } from 'ai';
import { validateUIMessages as validateUIMessages7 } from 'ai-7';
import { describe, expect, it } from 'vitest';
import type { AgentChat } from '../../../src/core.ts';
import { settled } from '../../support/scripted-chat.ts';
import { approvalOf, type Chunk, callOf, say, scriptedRoute, words } from './scripted-route.ts';

const step: Chunk = { type: 'start-step' };

/** Sends a message, whose response is `chunks`, ends it in one of three ways, and returns what the next message posts. */
async function tell(
  ending: 'stop' | 'failure' | 'message',
  chunks: readonly Chunk[],
  { isComplete = false, act = (_: AgentChat): void => {} } = {},
): Promise<readonly Chunk[]> {
  const { chat, requests } = scriptedRoute({ clientTools: { pay: () => 'paid', confirm: 'interactive' } });
  await say(chat);
  await requests[0]?.send(...chunks);
  if (isComplete) await requests[0]?.end({ type: 'finish' });
  act(chat);
  await settled();
  if (ending === 'stop') chat.stop();
  if (ending === 'failure') await requests[0]?.send({ type: 'error', errorText: 'Full' });
  await say(chat, 'No, do not');
  const { messages } = requests.at(-1)?.body ?? { messages: [] };
  await validateUIMessages({ messages: structuredClone(messages) as unknown as UIMessage[] });
  await validateUIMessages7({ messages: structuredClone(messages) as unknown as never[] });
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  return messages[1]?.parts ?? [];
}

describe.each(['stop', 'message'] as const)('a %s after a complete response', (ending) => {
  it('posts the answers that were given, and an error for the other calls', async () => {
    const parts = await tell(ending, [step, callOf('1', 'pay'), callOf('2', 'confirm')], {
      isComplete: true,
    });
    expect(parts.slice(1)).toMatchObject([
      { toolCallId: '1', state: 'output-available', output: 'paid' },
      { toolCallId: '2', state: 'output-error' },
    ]);
  });

  it('posts the yes of a person to one of two approvals', async () => {
    const calls = [step, callOf('1', 'buy'), approvalOf('1'), callOf('2', 'buy'), approvalOf('2')];
    const act = (chat: AgentChat) => void chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    const parts = await tell(ending, calls, { isComplete: true, act });
    expect(parts.slice(1)).toMatchObject([
      { toolCallId: '1', state: 'output-error', approval: { approved: true } },
      { toolCallId: '2', state: 'output-denied', approval: { approved: false } },
    ]);
  });
});

describe.each(['stop', 'failure', 'message'] as const)('a %s in the middle of a response', (ending) => {
  it('posts half a text as a text, also of the last of several steps', async () => {
    const first = [step, ...words('a', 'First. '), { type: 'finish-step' }];
    const parts = await tell(ending, [
      ...first,
      step,
      ...words('b', 'I will delete', ' the file').slice(0, 2),
    ]);
    expect(parts).toMatchObject([
      { type: 'step-start' },
      { text: 'First. ', state: 'done' },
      { type: 'step-start' },
      { text: 'I will delete', state: 'done' },
    ]);
  });

  it('posts half a result as none', async () => {
    const half = {
      type: 'tool-output-available',
      toolCallId: '1',
      output: { percent: 50 },
      preliminary: true,
    };
    const [, part] = await tell(ending, [step, callOf('1', 'search'), half]);
    expect(part).toMatchObject({ toolCallId: '1', state: 'output-error' });
    expect(part).not.toHaveProperty('output');
  });

  it('posts the answer that a person gave meanwhile, and the words behind it', async () => {
    const chunks = [step, callOf('1', 'buy'), approvalOf('1'), ...words('t', 'Meanwhile', '.').slice(0, 2)];
    const act = (chat: AgentChat) => void chat.getState().pendingCalls[0]?.decline('too much');
    const parts = await tell(ending, chunks, { act });
    expect(parts.slice(1)).toMatchObject([
      { toolCallId: '1', state: 'output-denied', approval: { approved: false, reason: 'too much' } },
      { text: 'Meanwhile' },
    ]);
  });
});
