/// <reference types="vite/client" />
/** Password managers fill fields and submit forms by themselves. What they do in the first half second of a question answers nothing. */
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { type ReactElement, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClockContext } from '../../src/components/hooks/use-arming.ts';
import { ClientToolDialogs, ConfirmationCard, ConfirmationDialog } from '../../src/components.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createTestTool } from '../components/create-test-tool.ts';

const REACT = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined };
const cleanups: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const clean of cleanups.splice(0)) clean();
});

function show(question: ReactElement) {
  const clock = createManualClock();
  render(<ClockContext.Provider value={clock}>{question}</ClockContext.Provider>);
  return { wait: (ms: number) => act(() => clock.advance(ms)) };
}

/** Writes a value as a password manager does: with the events of keys that nobody pressed. */
function autofill(field: HTMLInputElement | HTMLTextAreaElement, value: string) {
  const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  act(() => {
    field.focus();
    for (const type of ['click', 'keydown', 'keypress']) field.dispatchEvent(createEvent(type));
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
    for (const type of ['input', 'keyup', 'change']) field.dispatchEvent(createEvent(type));
  });
}
const createEvent = (type: string) =>
  type.startsWith('key')
    ? new KeyboardEvent(type, { key: 'e', bubbles: true })
    : new Event(type, { bubbles: true });
const submitForm = (element: Element) => act(() => element.closest('form')?.requestSubmit());
const button = (name: string) => screen.getByRole('button', { name });

test('a submit after made up keys and clicks answers no form in its first half second, and keeps the value', async () => {
  const tool = createTestTool({ args: { fields: [{ name: 'city', label: 'City' }] } });
  const { wait } = show(<ClientToolDialogs tools={[tool]} />);
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'City' });
  autofill(field, 'Rome');
  submitForm(field);
  await wait(499);
  submitForm(field);
  expect(tool.submit).not.toHaveBeenCalled();
  expect(field.value).toBe('Rome');
  await wait(1);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ city: 'Rome' }]]));
});

test('a submit that names the button, which nobody pressed, answers no confirmation in its first half second', async () => {
  const tool = createTestTool();
  show(<ConfirmationDialog tool={tool} />);
  const yes = button('Confirm') as HTMLButtonElement;
  act(() => {
    screen.getByRole('heading').click();
    yes.form?.requestSubmit(yes);
  });
  expect(tool.submit).not.toHaveBeenCalled();
});

test('autofill of the note of a confirmation answers nothing, and the text goes with the answer of the person', async () => {
  const tool = createTestTool();
  const { wait } = show(<ConfirmationDialog tool={tool} />);
  await userEvent.click(button('Add a note'));
  const note = screen.getByRole<HTMLTextAreaElement>('textbox');
  autofill(note, 'ada@example.com');
  submitForm(note);
  expect(tool.submit).not.toHaveBeenCalled();
  expect(tool.decline).not.toHaveBeenCalled();
  await wait(500);
  await userEvent.click(button('Confirm'));
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }, { reason: 'ada@example.com' }]]);
});

test('autofill of a required reason declines nothing before the person says no', async () => {
  const tool = createTestTool({ definition: { reason: 'required' } });
  const { wait } = show(<ConfirmationDialog tool={tool} />);
  await wait(500);
  await userEvent.click(button('Decline'));
  autofill(screen.getByRole<HTMLTextAreaElement>('textbox'), 'Too much');
  expect(tool.decline).not.toHaveBeenCalled();
  await userEvent.click(button('Decline'));
  expect(tool.decline.mock.calls).toEqual([['Too much', { confirmed: false }]]);
});

/** Renders as a message of the agent does: outside of an event of the person, and without `act`, which would run all effects at once. */
function renderLater(question: ReactElement, before?: ReactElement) {
  let ask = () => {};
  function Page() {
    const [isAsked, setAsked] = useState(false);
    ask = () => setAsked(true);
    return isAsked ? question : before;
  }
  show(<Page />);
  const isActing = REACT.IS_REACT_ACT_ENVIRONMENT;
  REACT.IS_REACT_ACT_ENVIRONMENT = false;
  cleanups.push(() => {
    REACT.IS_REACT_ACT_ENVIRONMENT = isActing;
  });
  ask();
}

/** Submits each form whenever the page changes. */
function submitEachForm() {
  const submitted = vi.fn();
  const observer = new MutationObserver(() => {
    for (const form of document.querySelectorAll('form')) {
      submitted();
      form.requestSubmit();
    }
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  cleanups.push(() => observer.disconnect());
  return submitted;
}

test('a script that submits each form in the moment in which it appears answers nothing', async () => {
  const tool = createTestTool();
  const submitted = submitEachForm();
  renderLater(<ConfirmationDialog tool={tool} />);
  await waitFor(() => expect(submitted).toHaveBeenCalled());
  await screen.findByRole('dialog');
  expect(tool.submit).not.toHaveBeenCalled();
});

test('a script that submits a card in the moment in which its arguments change answers nothing', async () => {
  const pay = (amount: number) => createTestTool({ args: { action: 'Pay', amount } });
  const [before, after] = [pay(45), pay(4500)];
  renderLater(<ConfirmationCard tool={after} />, <ConfirmationCard tool={before} />);
  const submitted = submitEachForm();
  await screen.findByText('4500');
  await waitFor(() => expect(submitted).toHaveBeenCalled());
  expect(after.submit).not.toHaveBeenCalled();
  expect(before.submit).not.toHaveBeenCalled();
});
