/** A chat in a hidden part of the page, such as a tab: `Activity` of React 19. */
import { act, render } from '@testing-library/react';
import { Activity, StrictMode } from 'react';
import { expect, test } from 'vitest';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { AgentChatProvider } from '../../src/react/agent-chat-provider.tsx';
import type { UseAgentChatResult } from '../../src/react/create-tracked-state.ts';
import { useAgentChat } from '../../src/react/use-agent-chat.ts';
import { createBackstage } from '../react/support.ts';
import { awaitingAnswers, call, request, start, stopped } from '../support/scripted-events.ts';

test('a chat hidden with an open question frees the page, and asks and answers the question when it is shown again', async () => {
  const stage = createBackstage({ clientTools: { ask: 'interactive' } });
  let chat: UseAgentChatResult | undefined;
  function Chat() {
    const current = useAgentChat(stage.options);
    chat = current;
    return (
      <AgentChatProvider chat={current}>
        <p>{current.status}</p>
        <ClientToolDialogs />
      </AgentChatProvider>
    );
  }
  const tab = (mode: 'visible' | 'hidden') => (
    <StrictMode>
      <button type="button">Elsewhere</button>
      <Activity mode={mode}>
        <Chat />
      </Activity>
    </StrictMode>
  );
  const { rerender, findByRole, queryByRole, getByRole } = render(tab('visible'));
  await act(async () => void chat?.sendMessage('Hi'));
  await stage.say(0, start, request(call('1', 'ask', { action: 'Order a lamp' })), awaitingAnswers);
  await findByRole('dialog', { name: 'Order a lamp' });
  expect(queryByRole('button', { name: 'Elsewhere' })).toBeNull();

  await act(async () => rerender(tab('hidden')));
  expect(queryByRole('dialog')).toBeNull();
  expect(getByRole('button', { name: 'Elsewhere' })).not.toBeNull();
  expect(getComputedStyle(document.body)).toMatchObject({ overflow: 'visible', pointerEvents: 'auto' });
  expect(chat?.getState().status).toBe('awaiting-input');

  await act(async () => rerender(tab('visible')));
  await findByRole('dialog', { name: 'Order a lamp' });
  await act(async () => void chat?.getState().pendingClientTools.ask?.[0]?.submit({ confirmed: true }));
  await stage.say(1, start, stopped);
  expect(stage.backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond']);
  expect(queryByRole('dialog')).toBeNull();
  expect(chat?.status).toBe('idle');
});
