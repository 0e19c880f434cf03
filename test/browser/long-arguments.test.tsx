/// <reference types="vite/client" />
/** A person can read everything that an answer lets happen, however long it is. */
import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClientToolDialogs } from '../../src/components.ts';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

const END = 'and rm -rf ~';
const script = `${'echo all is well\n'.repeat(1_270)}${END}`;
const box = (dialog: HTMLElement) => dialog.querySelector<HTMLElement>('.hr-long-text') as HTMLElement;
const showAll = (inside: HTMLElement) =>
  userEvent.click(within(inside).getByRole('button', { name: /^Show all/ }));
/** Opens value after value inside an argument, down to the last one. */
function openAll(inside: HTMLElement) {
  for (let more = findMore(inside); more !== undefined; more = findMore(inside)) fireEvent.click(more);
}
const findMore = (inside: HTMLElement) =>
  within(inside)
    .queryAllByRole('button', { name: /inside$/ })
    .find((button) => button.getAttribute('aria-expanded') !== 'true');

test('a long argument is folded, and shown whole on demand', async () => {
  render(<ClientToolDialogs tools={[createTestTool({ args: { action: 'Run', script } })]} />);
  const dialog = await screen.findByRole('dialog');
  await untilArmed();
  const folded = dialog.querySelector('.hr-folded') as HTMLElement;
  // Four lines of 22 pixels.
  expect(folded.getBoundingClientRect().height).toBeLessThan(95);
  await showAll(dialog);
  expect(box(dialog).textContent).toBe(script);
  expect(box(dialog).getBoundingClientRect().height).toBeGreaterThan(5_000);
});

test('every call that "Confirm all" confirms can be read whole before', async () => {
  const calls = ['1', '2', '3'].map((toolCallId) =>
    createTestTool({
      toolCallId,
      definition: { approveAll: true },
      args: {
        action: `Run ${toolCallId}`,
        script,
        deep: { a: { b: { c: { d: { e: `end ${toolCallId}` } } } } },
      },
    }),
  );
  render(<ClientToolDialogs tools={calls} />);
  await untilArmed();
  await userEvent.click(screen.getByText(/^Show 2 more/));
  const others = screen
    .getAllByRole('listitem')
    .filter((item) => within(item).queryByText(/^Run \d$/) !== null);
  expect(others).toHaveLength(2);
  for (const [index, other] of others.entries()) {
    await showAll(other);
    expect(box(other).textContent).toBe(script);
    openAll(other);
    expect(within(other).getByText(`end ${index + 2}`)).toBeTruthy();
  }
});
