// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ClientToolDialogs, ConfirmationDialog } from '../../src/components.ts';
import type { RespondCommand } from '../../src/core/protocol/commands.ts';
import type { PendingToolCall } from '../../src/core/protocol/events.ts';
import { defineClientTool, type InteractiveTool } from '../../src/core.ts';
import { AgentChatProvider } from '../../src/react/agent-chat-provider.tsx';
import { scriptedChat, settled } from '../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped } from '../support/scripted-events.ts';

const clientTools = {
  'confirm-order': 'interactive',
  rate: defineClientTool({
    interactive: true,
    output: z.object({ rating: z.number().int().min(1).max(50, 'Fifty at most') }),
  }),
} as const;

async function setup(...calls: PendingToolCall[]) {
  const scripted = scriptedChat({ clientTools });
  render(
    <AgentChatProvider chat={scripted.chat}>
      <ClientToolDialogs />
    </AgentChatProvider>,
    { wrapper: StrictMode },
  );
  await act(() => hand(scripted, calls));
  const answers = async () => {
    await act(settled);
    return scripted.backend.commands
      .filter((command): command is RespondCommand => command.type === 'respond')
      .flatMap((command) => command.answers)
      .map(({ toolCallId, outcome, result, error }) => ({ toolCallId, outcome, result, error }));
  };
  return { ...scripted, answers, user: userEvent.setup() };
}

/** The agent requests these calls. */
async function hand({ chat, backend, clock }: ReturnType<typeof scriptedChat>, calls: PendingToolCall[]) {
  void chat.sendMessage('Hi');
  const run = await backend.request(0);
  run.send(start, request(...calls), awaitingAnswers);
  run.end();
  await settled();
  clock.frame();
}

test('a call of the agent opens its dialog, and Enter answers it', async () => {
  const { answers, user } = await setup(
    call('1', 'confirm-order', { action: 'Place order', description: 'Two' }),
  );
  expect(screen.getByRole('dialog', { name: 'Place order' })).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(await answers()).toMatchObject([
    { toolCallId: '1', outcome: 'submitted', result: { confirmed: true } },
  ]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a decline reaches the agent as a declined answer', async () => {
  const { answers, user } = await setup(call('1', 'confirm-order', { action: 'Place order' }));
  await user.click(screen.getByRole('button', { name: 'Add a note' }));
  await user.keyboard('Too late');
  await user.click(screen.getByRole('button', { name: 'Decline' }));
  expect(await answers()).toMatchObject([
    { outcome: 'declined', result: { confirmed: false, outcome: 'declined', reason: 'Too late' } },
  ]);
});

test('a decline reaches the agent through a call that the app has wrapped', async () => {
  const scripted = scriptedChat({ clientTools });
  const { chat, backend } = scripted;
  await act(() => hand(scripted, [call('1', 'confirm-order', { action: 'Place order' })]));
  const [tool] = chat.getState().pendingClientTools['confirm-order'] ?? [];
  if (tool === undefined) throw new Error('No call waits.');
  render(<ConfirmationDialog tool={{ ...tool }} />);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Decline' }));
  await act(settled);
  expect(backend.commands.at(-1)).toMatchObject({
    answers: [{ outcome: 'declined', result: { confirmed: false, outcome: 'declined' } }],
  });
});

test.each(['modal', 'inline'] as const)(
  "the status that an app's own component reads moves on with its answer: %s",
  async (mode) => {
    const statuses: string[] = [];
    const Own = ({ tool }: { tool: InteractiveTool<unknown, string> }) => (
      <button
        type="button"
        onClick={() => {
          statuses.push(tool.status);
          tool.submit('five');
          statuses.push(tool.status);
        }}
      >
        Five
      </button>
    );
    const scripted = scriptedChat({ clientTools: { rate: { interactive: true, ui: Own } } });
    render(
      <AgentChatProvider chat={scripted.chat}>
        <ClientToolDialogs mode={mode} />
      </AgentChatProvider>,
    );
    await act(() => hand(scripted, [call('1', 'rate')]));
    await userEvent.click(screen.getByRole('button', { name: 'Five' }));
    expect(statuses).toEqual(['waiting', 'delivered']);
  },
);

test('Escape reaches the agent as a cancellation', async () => {
  const { answers, user } = await setup(call('1', 'confirm-order', { action: 'Place order' }));
  await user.keyboard('{Escape}');
  expect(await answers()).toMatchObject([{ outcome: 'cancelled', error: 'User cancelled' }]);
});

test('both calls of a request are asked in turn and answered together', async () => {
  const { answers, user } = await setup(
    call('1', 'confirm-order', { action: 'Place order' }),
    call('2', 'rate'),
  );
  await user.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await answers()).toEqual([]);
  await user.type(screen.getByRole('spinbutton', { name: 'Rating' }), '90');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('Rating: Fifty at most')).toBeTruthy();
  await user.clear(screen.getByRole('spinbutton'));
  await user.type(screen.getByRole('spinbutton'), '4');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await answers()).toMatchObject([
    { result: { confirmed: true } },
    { toolCallId: '2', result: { rating: 4 } },
  ]);
});

test('stopping the turn closes the dialog', async () => {
  const { chat, clock } = await setup(call('1', 'confirm-order', { action: 'Place order' }));
  await act(async () => {
    chat.stop();
    clock.frame();
  });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('“Place order” no longer needs an answer.');
});

test('another chat asks about its own call, although the first chat answered one with the same id', async () => {
  const [answered, left, quiet] = ['a', 'b', 'c'].map((id) => scriptedChat({ id, clientTools }));
  if (answered === undefined || left === undefined || quiet === undefined) throw new Error('three chats');
  for (const chat of [answered, left])
    await hand(chat, [call('1', 'confirm-order', { action: 'Place order' })]);
  const show = ({ chat }: typeof answered) => (
    <AgentChatProvider chat={chat}>
      <ClientToolDialogs />
    </AgentChatProvider>
  );
  const { rerender } = render(show(answered));
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  rerender(show(left));
  expect(screen.getByRole('dialog', { name: 'Place order' })).toBeTruthy();
  rerender(show(quiet));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('');
});

test.each(['modal', 'inline'] as const)(
  'a call of a later run with the id of an earlier one is asked about too: %s',
  async (mode) => {
    const { chat, backend, clock } = scriptedChat({ clientTools });
    render(
      <AgentChatProvider chat={chat}>
        <ClientToolDialogs mode={mode} />
      </AgentChatProvider>,
      { wrapper: StrictMode },
    );
    const user = userEvent.setup();
    for (const [run, executionId] of ['run-1', 'run-2'].entries()) {
      await act(async () => {
        void chat.sendMessage('Order');
        await settled();
        const asked = call('call_1', 'confirm-order', { action: `Order ${executionId}` });
        backend.requests[2 * run]?.send(
          { type: 'start', executionId },
          { type: 'client-tool-request', executionId, toolCalls: [asked] },
          awaitingAnswers,
        );
        await settled();
      });
      expect(screen.getByText(`Order ${executionId}`)).toBeDefined();
      await user.click(screen.getByRole('button', { name: 'Confirm' }));
      await act(async () => {
        await settled();
        backend.requests[2 * run + 1]?.send({ type: 'start', executionId }, stopped);
        await clock.advance(1000);
      });
    }
    expect(backend.commands.filter(({ type }) => type === 'respond')).toMatchObject([
      { executionId: 'run-1', answers: [{ outcome: 'submitted' }] },
      { executionId: 'run-2', answers: [{ outcome: 'submitted' }] },
    ]);
  },
);
