/// <reference types="vite/client" />
/** Keys that the person types after an answer are meant for the element that had the focus before the question. */
import { render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import type { AnyTool } from '../../src/components/any-tool.ts';
import { ClientToolDialogs, ConfirmationDialog } from '../../src/components.ts';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

const Page = ({ tools, asks = true }: { tools: readonly AnyTool[]; asks?: boolean }) => (
  <StrictMode>
    <main>
      <textarea aria-label="Message" />
      <p>{asks && <button type="button">Ask</button>}</p>
    </main>
    <ClientToolDialogs tools={tools} />
  </StrictMode>
);
const message = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message', hidden: true });
const hasFocus = (name: string) =>
  waitFor(() => expect(document.activeElement?.textContent).toBe(name), { timeout: 20_000 });

test.each([
  ['yes', '{Tab}', '{Enter}'],
  ['no', '{Tab}{Shift>}{Tab}{/Shift}', '{Enter}'],
  ['nothing', '{Tab}', '{Escape}'],
])(
  'the answer %s returns the focus at once: no typed letter is lost and screen readers reach the field',
  async (_, moves, answer) => {
    const tool = createTestTool();
    const { rerender } = render(<Page tools={[]} />);
    message().focus();
    rerender(<Page tools={[tool]} />);
    await untilArmed();
    await userEvent.keyboard(moves);
    await untilArmed();
    await userEvent.keyboard(answer);
    expect(document.activeElement).toBe(message());
    expect(message().closest('[aria-hidden="true"]')).toBeNull();
    await userEvent.keyboard('and a tram');
    expect(message().value).toBe('and a tram');
  },
);

test('a dialog that closes while another is open does not take its focus', async () => {
  const [first, second] = [createTestTool(), createTestTool({ toolCallId: 'call-2' })];
  const both = (open: boolean) => (
    <>
      <textarea aria-label="Message" />
      <ConfirmationDialog tool={first} />
      {open && <ConfirmationDialog tool={second} labels={{ confirm: 'Yes' }} />}
    </>
  );
  const { rerender } = render(both(false));
  await hasFocus('Confirm');
  rerender(both(true));
  await hasFocus('Yes');
  await untilArmed();
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement?.textContent).toBe('Confirm');
  expect(message().closest('[aria-hidden="true"]')).not.toBeNull();
});

test('the focus stays near the element that opened the dialog when that element is removed with the answer or later', async () => {
  const tool = createTestTool();
  // The element has to be removed while the dialog fades. On a busy machine the usual 130 ms are over too soon.
  const fade =
    '.hr-overlay[data-state="closed"], .hr-overlay[data-state="closed"] * { animation-duration: 3s }';
  const { rerender } = render(
    <>
      <style>{fade}</style>
      <Page tools={[]} />
    </>,
  );
  screen.getByRole('button', { name: 'Ask' }).focus();
  rerender(
    <>
      <style>{fade}</style>
      <Page tools={[tool]} />
    </>,
  );
  await hasFocus('Confirm');
  await untilArmed();
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement?.textContent).toBe('Ask');
  rerender(
    <>
      <style>{fade}</style>
      <Page tools={[]} asks={false} />
    </>,
  );
  await waitFor(() => expect(document.activeElement?.tagName).toBe('P'), { timeout: 20_000 });
});

test('the focus returns to a rich editor with its caret, so the person goes on where they wrote', async () => {
  const tool = createTestTool();
  const page = (open: boolean) => (
    <>
      <div contentEditable suppressContentEditableWarning data-testid="note">
        Two whites
      </div>
      {open && <ConfirmationDialog tool={tool} />}
    </>
  );
  const { rerender } = render(page(false));
  const editor = screen.getByTestId('note');
  editor.focus();
  document.getSelection()?.setPosition(editor.firstChild, 'Two '.length);
  rerender(page(true));
  await untilArmed();
  await userEvent.keyboard('{Tab}');
  // The person presses somewhere in the dialog, which moves the selection of the page.
  await userEvent.click(screen.getByRole('heading'));
  await untilArmed();
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(document.activeElement).toBe(editor);
  await userEvent.keyboard('flat ');
  expect(editor.textContent).toBe('Two flat whites');
});
