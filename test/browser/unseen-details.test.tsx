/// <reference types="vite/client" />
/** A yes counts only after everything that it lets happen was in view, and nobody is locked out by a small window. */
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClientToolDialogs, ConfirmationCard, ConfirmationDialog } from '../../src/components.ts';
import { runCodeTool } from '../../src/sandbox.ts';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

afterEach(async () => {
  cleanup();
  await page.viewport(1280, 800);
});

const lines = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`line${index}`, index]));
const longCall = () => createTestTool({ args: lines, definition: { title: 'Change the plan' } });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const pill = () => screen.queryByRole('button', { name: /more details? (below|above)/ });
const isGrey = (name: string) => button(name).getAttribute('aria-disabled') === 'true';
const frame = () => act(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));

/** Presses the pill with the keyboard until it is gone. */
async function followPill() {
  for (let presses = 0; presses < 40 && pill() !== null; presses += 1) {
    pill()?.focus();
    await userEvent.keyboard('{Enter}');
    await frame();
  }
}

test('the focus stays in the question when Tab itself brings its last detail into view', async () => {
  render(
    <>
      <div style={{ height: 2000 }}>
        <button type="button">Above</button>
      </div>
      <ConfirmationCard tool={createTestTool({ args: { total: 11.4 } })} />
    </>,
  );
  await waitFor(() => expect(pill()).not.toBeNull());
  button('Above').focus();
  await userEvent.keyboard('{Tab}');
  await waitFor(() => expect(pill()).toBeNull());
  const card = screen.getByRole('region');
  expect(card.contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Tab}');
  expect(card.contains(document.activeElement) && document.activeElement?.tagName).toBe('BUTTON');
});

describe('a dialog that is longer than the window', () => {
  test('a yes by keyboard does not count before the last detail was in view, and leads to the next one', async () => {
    const tool = longCall();
    render(<ConfirmationDialog tool={tool} />);
    await untilArmed();
    expect(isGrey('Confirm')).toBe(true);
    expect(pill()).not.toBeNull();
    const dialog = screen.getByRole('dialog');
    button('Confirm').focus();
    await userEvent.keyboard('{Enter}');
    await frame();
    expect(tool.submit).not.toHaveBeenCalled();
    expect(dialog.scrollTop).toBeGreaterThan(0);
    await followPill();
    expect(isGrey('Confirm')).toBe(false);
    expect(tool.submit).not.toHaveBeenCalled();
    button('Confirm').focus();
    await userEvent.keyboard('{Enter}');
    expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
  });

  test('a no counts at once', async () => {
    const tool = longCall();
    render(<ConfirmationDialog tool={tool} />);
    await untilArmed();
    await userEvent.click(button('Decline'));
    expect(tool.decline).toHaveBeenCalledOnce();
  });

  test('a jump to the end does not count as a look at what lies between', async () => {
    render(<ConfirmationDialog tool={longCall()} />);
    await untilArmed();
    const dialog = screen.getByRole('dialog');
    dialog.scrollTop = dialog.scrollHeight;
    await waitFor(() => expect(pill()?.textContent).toMatch(/more details above/));
    expect(isGrey('Confirm')).toBe(true);
  });

  test('the pill moves the focus to what it shows, not to the yes', async () => {
    render(<ConfirmationDialog tool={longCall()} />);
    await untilArmed();
    pill()?.focus();
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement?.className).toBe('hr-entry');
  });
});

test('a short question can be answered at once', async () => {
  const tool = createTestTool({ args: { total: 11.4 }, definition: { title: 'Place order' } });
  render(<ConfirmationDialog tool={tool} />);
  await untilArmed();
  expect(pill()).toBeNull();
  await userEvent.click(button('Confirm'));
  expect(tool.submit).toHaveBeenCalledOnce();
});

test.each([
  [390, 844],
  [320, 256],
  [300, 120],
])('every detail can be brought into view in a window of %i by %i', async (width, height) => {
  await page.viewport(width, height);
  render(<ConfirmationDialog tool={longCall()} />);
  await untilArmed();
  await followPill();
  expect(pill()).toBeNull();
  expect(isGrey('Confirm')).toBe(false);
});

test('a card below the end of the window counts as not in view until the person scrolls to it', async () => {
  const tool = createTestTool({ args: { total: 11.4 }, definition: { title: 'Place order' } });
  render(
    <>
      <div style={{ blockSize: 3000 }} />
      <ConfirmationCard tool={tool} />
    </>,
  );
  expect(isGrey('Confirm')).toBe(true);
  button('Confirm').scrollIntoView();
  window.scrollTo(0, document.documentElement.scrollHeight);
  await waitFor(() => expect(isGrey('Confirm')).toBe(false));
});

test('code of more lines than are shown has to be opened, and seen to its end, before it runs', async () => {
  const code = Array.from({ length: 214 }, (_, index) => `call(${index});`).join('\n');
  const tool = createTestTool({ args: { code }, definition: runCodeTool() });
  render(<ClientToolDialogs tools={[tool]} />);
  await untilArmed();
  const region = screen.getByRole('region', { name: 'Code' });
  expect(region.querySelectorAll('.hr-line')).toHaveLength(60);
  const dialog = screen.getByRole('dialog');
  for (let top = 0; top < dialog.scrollHeight; top += 200) {
    dialog.scrollTop = top;
    await frame();
  }
  expect(isGrey('Run code')).toBe(true);
  button('Show all 214 lines').focus();
  await userEvent.keyboard('{Enter}');
  expect(region.textContent).toBe(code);
  expect(isGrey('Run code')).toBe(true);
  dialog.scrollTop = dialog.scrollHeight;
  await waitFor(() => expect(isGrey('Run code')).toBe(false));
});

test('the numbers of lines are not part of the text of the code', async () => {
  const tool = createTestTool({ args: { code: 'one();\ntwo();' }, definition: runCodeTool() });
  render(<ClientToolDialogs tools={[tool]} />);
  const region = await screen.findByRole('region', { name: 'Code' });
  document.getSelection()?.selectAllChildren(region);
  expect(document.getSelection()?.toString().trim()).toBe('one();\ntwo();');
});
