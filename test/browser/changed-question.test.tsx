/// <reference types="vite/client" />
/** A question whose arguments change while it is open is another question: nothing of the old one is in its answer. */
import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { z } from 'zod';
import '../../src/styles.css';
import type { AnyTool } from '../../src/components/any-tool.ts';
import { ClockContext } from '../../src/components/hooks/use-arming.ts';
import { ClientToolDialogs } from '../../src/components.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createTestTool, type TestToolOptions } from '../components/create-test-tool.ts';

const ask = (args: object, definition: TestToolOptions['definition'] = {}) =>
  createTestTool({ args: { action: 'Pay', ...args }, definition });
const button = (name: string) => screen.getByRole('button', { name });

function setup(mode: 'modal' | 'inline', tool: AnyTool) {
  const clock = createManualClock();
  const page = (shown: AnyTool) => (
    <ClockContext.Provider value={clock}>
      <ClientToolDialogs mode={mode} tools={[shown]} />
    </ClockContext.Provider>
  );
  const { rerender } = render(page(tool));
  return {
    wait: (ms: number) => act(() => clock.advance(ms)),
    show: (next: AnyTool) => rerender(page(next)),
  };
}

test.each(['modal', 'inline'] as const)(
  'a yes to changed arguments has no edit that the person did not make, in mode %s',
  async (mode) => {
    const [first, second] = [ask({ amount: 45 }), ask({ amount: 4500 })];
    const { wait, show } = setup(mode, first);
    await wait(500);
    show(second);
    await userEvent.click(button('Confirm'), { force: true });
    expect(second.submit).not.toHaveBeenCalled();
    await wait(500);
    expect(screen.getByText('4500')).toBeTruthy();
    await userEvent.click(button('Confirm'));
    expect(second.submit.mock.calls).toEqual([[{ confirmed: true }]]);
    expect(first.submit).not.toHaveBeenCalled();
  },
);

test('an edit of the earlier arguments is not in the answer to the later ones', async () => {
  const editable = { editable: true, input: z.object({ action: z.string(), to: z.string() }) };
  const [first, second] = [ask({ to: 'Ada' }, editable), ask({ to: 'Eve' }, editable)];
  const { wait, show } = setup('modal', first);
  await wait(500);
  await userEvent.click(button('Change To'));
  const field = await screen.findByRole('textbox', { name: 'To' }, { timeout: 20_000 });
  await userEvent.fill(field, 'Lin');
  await userEvent.keyboard('{Enter}');
  await screen.findByText('Changed by you');
  show(second);
  await wait(500);
  expect(screen.queryByText('Changed by you')).toBeNull();
  expect(screen.getByText('Eve')).toBeTruthy();
  await userEvent.click(button('Confirm'));
  expect(second.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test('details that were in view before the change have to come into view again', async () => {
  const lines = (value: number) =>
    Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`line${index}`, value]));
  const [first, second] = [ask(lines(1)), ask(lines(2))];
  const { wait, show } = setup('modal', first);
  await wait(500);
  const pill = () => screen.queryByRole('button', { name: /more details? (below|above)/ });
  for (let presses = 0; presses < 20 && pill() !== null; presses += 1) {
    pill()?.focus();
    await userEvent.keyboard('{Enter}');
    await act(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));
  }
  expect(button('Confirm').getAttribute('aria-disabled')).toBe('false');
  show(second);
  await wait(500);
  expect(button('Confirm').getAttribute('aria-disabled')).toBe('true');
});
