// @vitest-environment jsdom
/** Questions that nobody saw, because their component threw or did not load. */
import { act, render, screen, waitFor } from '@testing-library/react';
import { lazy, type ReactNode, Suspense } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ClientToolDialogs } from '../../../src/components.ts';
import { type ClientToolComponent, createAuditTrail, type SettledCall } from '../../../src/core.ts';
import { AgentChatProvider } from '../../../src/react/agent-chat-provider.tsx';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../../support/scripted-events.ts';

const Throwing: ClientToolComponent = () => {
  throw new Error('Broken');
};
const Lazy = lazy<() => ReactNode>(() => Promise.reject(new Error('Broken')));
// React 18 wants a boundary around a component that loads.
const Missing: ClientToolComponent = () => (
  <Suspense fallback={null}>
    <Lazy />
  </Suspense>
);

// React reports the error that a boundary caught.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

test.each([
  ['throws while it renders', Throwing],
  ['is a chunk that does not load', Missing],
])(
  'a question whose component %s is failed and answered by nobody, for the agent, callbacks, parts and audit trail',
  async (_, ui) => {
    const settledCalls: SettledCall[] = [];
    const trail = createAuditTrail();
    const { chat, backend, clock } = scriptedChat({
      clientTools: { rate: { interactive: true, ui } },
      onCallSettled: (settledCall) => {
        settledCalls.push(settledCall);
        void trail.record(settledCall);
      },
    });
    render(
      <AgentChatProvider chat={chat}>
        <ClientToolDialogs onError={() => {}} />
      </AgentChatProvider>,
    );
    await act(async () => {
      void chat.sendMessage('Hi');
      const run = await backend.request(0);
      run.send(start, request(call('1', 'rate')), awaitingAnswers);
      run.end();
      await settled();
      clock.frame();
    });
    await waitFor(() => expect(settledCalls).toHaveLength(1));
    await act(settled);

    const error = 'The dialog for rate failed: Broken';
    expect(settledCalls).toMatchObject([{ outcome: 'failed', error, answeredBy: 'nobody' }]);
    expect(trail.getEntries()).toMatchObject([{ outcome: 'failed', answeredBy: 'nobody' }]);
    expect(backend.commands.at(-1)).toMatchObject({ answers: [{ outcome: 'failed', error }] });
    const parts = chat.getState().messages.flatMap((message) => message.parts);
    expect(parts).toContainEqual(expect.objectContaining({ outcome: 'failed', status: 'error' }));
    expect(screen.getByText(/could not be shown/, { selector: '[role=status]' })).toBeTruthy();
  },
);

test('a hand-made call without `fail` is cancelled when its component throws', () => {
  const cancel = vi.fn(() => ({ settled: true }) as const);
  const tool = {
    toolCallId: 'call-1',
    toolName: 'rate',
    args: {},
    requestedAt: new Date(0),
    status: 'waiting' as const,
    definition: { interactive: true as const, ui: Throwing },
    submit: () => ({ settled: true }) as const,
    decline: () => ({ settled: true }) as const,
    cancel,
    getSavedInput: () => undefined,
    saveInput: () => {},
  };
  render(<ClientToolDialogs tools={[tool]} onError={() => {}} />);
  expect(cancel.mock.calls).toEqual([['The dialog for rate failed: Broken']]);
});
