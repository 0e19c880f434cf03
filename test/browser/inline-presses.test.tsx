/// <reference types="vite/client" />
/** Presses on cards in the flow of a page that have just moved or changed, with real pointers. */
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import type { AnyTool } from '../../src/components/any-tool.ts';
import { ClockContext } from '../../src/components/hooks/use-arming.ts';
import { ClientToolDialogs } from '../../src/components.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createTestTool } from '../components/create-test-tool.ts';

const ask = (name: string, amount = 45, requestedAt = new Date('2026-01-05T10:00:00Z')) =>
  createTestTool({ toolCallId: name, requestedAt, args: { action: `Pay ${name}`, amount } });

function renderCards(...first: AnyTool[]) {
  const clock = createManualClock();
  const page = (tools: readonly AnyTool[]) => (
    <ClockContext.Provider value={clock}>
      <ClientToolDialogs mode="inline" tools={tools} />
    </ClockContext.Provider>
  );
  const { rerender } = render(page(first));
  return { clock, show: (...tools: AnyTool[]) => rerender(page(tools)) };
}

const confirmIn = (title: string) =>
  within(screen.getByRole('region', { name: title })).getByRole('button', { name: 'Confirm' });

test('a double click answers one card and not the one that takes its place', async () => {
  const [first, second] = [ask('A'), ask('B')];
  const { clock } = renderCards(first, second);
  await userEvent.click(confirmIn('Pay A'));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Pay A' })).toBeNull());
  await userEvent.click(confirmIn('Pay B'));
  expect(first.submit).toHaveBeenCalledOnce();
  expect(second.submit).not.toHaveBeenCalled();
  await act(() => clock.advance(500));
  await userEvent.click(confirmIn('Pay B'));
  expect(second.submit).toHaveBeenCalledOnce();
});

test('a press just when the question above was answered elsewhere does not answer the card that moved up', async () => {
  const [first, second] = [ask('A'), ask('B')];
  const { clock, show } = renderCards(first, second);
  show(second);
  await userEvent.click(confirmIn('Pay B'));
  expect(second.submit).not.toHaveBeenCalled();
  await act(() => clock.advance(500));
  await userEvent.click(confirmIn('Pay B'));
  expect(second.submit).toHaveBeenCalledOnce();
});

test.each([
  ['the same card', ask('A', 4500)],
  ['a card that begins anew', ask('A', 4500, new Date('2026-01-05T10:00:01Z'))],
])(
  'a question that is asked with other arguments under the pointer, in %s, takes no answer for half a second',
  async (_, changed) => {
    const { clock, show } = renderCards(ask('A', 45));
    show(changed);
    await userEvent.click(confirmIn('Pay A'), { force: true });
    expect(changed.submit).not.toHaveBeenCalled();
    await act(() => clock.advance(500));
    await userEvent.click(confirmIn('Pay A'));
    expect(changed.submit).toHaveBeenCalledOnce();
  },
);

test('a card that comes into the page under the pointer takes no answer for half a second, and says so', async () => {
  const tool = ask('A');
  const { clock, show } = renderCards();
  show(tool);
  expect(confirmIn('Pay A').getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(confirmIn('Pay A'), { force: true });
  expect(tool.submit).not.toHaveBeenCalled();
  await act(() => clock.advance(500));
  expect(confirmIn('Pay A').getAttribute('aria-disabled')).toBe('false');
  await userEvent.click(confirmIn('Pay A'));
  expect(tool.submit).toHaveBeenCalledOnce();
});

test('a card that is there from the beginning takes an answer at once', async () => {
  const tool = ask('A');
  renderCards(tool);
  await userEvent.click(confirmIn('Pay A'));
  expect(tool.submit).toHaveBeenCalledOnce();
});
