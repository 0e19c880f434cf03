/// <reference types="vite/client" />
/** What runs after a press on the yes of a mounted dialog is what the dialog showed, whatever changed in between. */
import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';
import { z } from 'zod';
import '../../src/styles.css';
import { ClockContext } from '../../src/components/hooks/use-arming.ts';
import { ClientToolDialogs } from '../../src/components.ts';
import {
  type AgentChatOptions,
  type ClientToolDefinition,
  createRememberedChoices,
  defineClientTool,
} from '../../src/core.ts';
import { AgentChatProvider } from '../../src/react/agent-chat-provider.tsx';
import { createMemoryStorage } from '../../src/testing/memory-storage.ts';
import { answersOf, asked, settledIn } from '../support/asked-calls.ts';
import { awaitingAnswers, call, request, start } from '../support/scripted-events.ts';

const setMotion = (value: 'reduce' | 'no-preference') =>
  cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value }] });
// A button that moves is pressed beside.
beforeEach(() => setMotion('reduce'));
afterEach(() => setMotion('no-preference'));

const input = z.object({ amount: z.number().max(100), to: z.string() });
const args = { amount: 45, to: 'Ada' };
function pay(more: Partial<ClientToolDefinition> = {}) {
  const execute = vi.fn<(args: unknown) => unknown>(() => 'paid');
  const tool = defineClientTool({ title: 'Pay', input, execute, approval: 'always', ...more } as never);
  return { execute, tool: tool as unknown as ClientToolDefinition };
}

async function open(tools: Record<string, ClientToolDefinition>, options: Partial<AgentChatOptions> = {}) {
  const page = await asked(tools, [call('1', 'pay', args)], options);
  render(
    <AgentChatProvider chat={page.chat}>
      <ClockContext.Provider value={page.clock}>
        <ClientToolDialogs />
      </ClockContext.Provider>
    </AgentChatProvider>,
  );
  const settle = () =>
    act(async () => {
      await settledIn();
      page.clock.frame();
    });
  await settle();
  return { ...page, settle, wait: (ms: number) => act(() => page.clock.advance(ms)) };
}
const press = async (name: string) => {
  await userEvent.click(screen.getByRole('button', { name }), { force: true });
};

test('a tool that is redefined in the moment of the press does not run, and the new text is asked about', async () => {
  const [before, after] = [pay(), pay({ title: 'Pay twice' })];
  const tools = { pay: before.tool };
  const page = await open(tools);
  await page.wait(500);
  // The page has not rendered the new definition yet.
  tools.pay = after.tool;
  await press('Allow');
  await page.settle();
  expect([before.execute.mock.calls, after.execute.mock.calls]).toEqual([[], []]);
  expect(screen.getByRole('dialog', { name: 'Pay twice' })).toBeTruthy();
  await press('Allow');
  await page.settle();
  expect(after.execute).not.toHaveBeenCalled();
  await page.wait(500);
  await press('Allow');
  await page.settle();
  expect(after.execute).toHaveBeenCalledOnce();
  expect(before.execute).not.toHaveBeenCalled();
});

test('a tool that is removed between the question and the yes runs nothing', async () => {
  const { execute, tool } = pay();
  const tools: Record<string, ClientToolDefinition> = { pay: tool };
  const page = await open(tools);
  await page.wait(500);
  delete tools.pay;
  tools.refund = tool;
  await press('Allow');
  await page.settle();
  expect(execute).not.toHaveBeenCalled();
});

test('a duplicate of the request with other arguments changes neither the dialog nor what runs', async () => {
  const { execute, tool } = pay();
  const page = await open({ pay: tool });
  const run = await page.backend.request(0);
  await page.wait(500);
  run.send(start, request(call('1', 'pay', { amount: 99, to: 'Eve' })), awaitingAnswers);
  await page.settle();
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  expect(screen.queryByText('Eve')).toBeNull();
  await press('Allow');
  await page.settle();
  expect(execute.mock.calls.map(([given]) => given)).toEqual([args]);
});

test('a handler that changes its arguments changes neither the record nor what the agent is told', async () => {
  const { execute, tool } = pay();
  execute.mockImplementation((given) => {
    Object.assign(given as object, { amount: 1, to: 'Eve' });
    return 'paid';
  });
  const page = await open({ pay: tool });
  await page.wait(500);
  await press('Allow');
  await page.settle();
  await waitFor(() => expect(answersOf(page.backend.commands)).toHaveLength(1));
  const parts = page.chat.getState().messages.flatMap((message) => [...message.parts]);
  expect(parts).toContainEqual(expect.objectContaining({ toolCallId: '1', args }));
});

test('an edit that the schema refuses runs nothing and keeps what was typed', async () => {
  const { execute, tool } = pay({ editable: true });
  const page = await open({ pay: tool });
  await page.wait(500);
  await press('Change Amount');
  const field = await screen.findByLabelText(/^Amount/, { selector: 'input' }, { timeout: 20_000 });
  await userEvent.fill(field, '4500');
  await userEvent.keyboard('{Enter}');
  await press('Allow');
  await page.settle();
  expect(execute).not.toHaveBeenCalled();
  expect((field as HTMLInputElement).value.replace(/\D/g, '')).toBe('4500');
});

test('a remembered yes is not taken after the tool was redefined, nor where it is destructive now', async () => {
  const rememberedChoices = createRememberedChoices({ storage: createMemoryStorage() });
  const first = pay({ remember: true });
  const page = await open({ pay: first.tool }, { rememberedChoices });
  await page.wait(500);
  await act(async () => {
    await page.waiting()[0]?.remember?.({ choice: 'allowed', scope: 'browser' });
  });
  await press('Allow');
  await page.settle();
  expect(first.execute).toHaveBeenCalledOnce();
  const later = pay({ remember: true, severity: 'destructive' });
  const next = await asked({ pay: later.tool }, [call('2', 'pay', args)], { rememberedChoices });
  expect(later.execute).not.toHaveBeenCalled();
  expect(next.waiting()).toHaveLength(1);
});
