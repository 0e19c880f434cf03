/// <reference types="vite/client" />
/** Ways out of a question in which the person has entered something that was not sent. */
import { render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { englishLabels } from '../../src/components/text/labels.ts';
import { ConfirmationDialog, FormDialog } from '../../src/components.ts';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

const fields = [
  { name: 'name', label: 'Name' },
  { name: 'city', label: 'City' },
];
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const button = (name: string) => screen.getByRole('button', { name });
const isAsked = () => screen.queryByText(englishLabels.unsent) !== null;

async function openForm() {
  const tool = createTestTool({ args: { fields } });
  render(<FormDialog tool={tool} />, { wrapper: StrictMode });
  await untilArmed();
  return tool;
}

test('a press on the backdrop leaves a form with its input open', async () => {
  const tool = await openForm();
  await userEvent.keyboard('Ada');
  await userEvent.click(document.querySelector('.hr-overlay') as Element, { position: { x: 5, y: 5 } });
  expect(tool.cancel).not.toHaveBeenCalled();
  expect(isAsked()).toBe(false);
  expect(field('Name').value).toBe('Ada');
});

describe.each([
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['the cross', () => userEvent.click(button('Cancel'))],
])('%s', (_, leave) => {
  test('the way out of an empty form cancels at once', async () => {
    const tool = await openForm();
    await leave();
    expect(tool.cancel.mock.calls).toEqual([[]]);
  });

  test('the way out of a form with input asks first, in place, and keeps the input', async () => {
    const tool = await openForm();
    await userEvent.keyboard('Ada');
    await leave();
    expect(tool.cancel).not.toHaveBeenCalled();
    expect(isAsked()).toBe(true);
    expect(document.activeElement).toBe(button('Keep answering'));
    await userEvent.keyboard('{Enter}');
    expect(isAsked()).toBe(false);
    expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true);
    await userEvent.type(field('City'), 'Rome{Enter}');
    await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ name: 'Ada', city: 'Rome' }]]));
  });

  test('the way out of a form with input cancels once the person has confirmed it', async () => {
    const tool = await openForm();
    await userEvent.keyboard('Ada');
    await leave();
    await userEvent.click(button('Close without answering'));
    expect(tool.cancel.mock.calls).toEqual([[]]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

test('a second Escape returns to the field', async () => {
  const tool = await openForm();
  await userEvent.keyboard('Ada{Escape}{Escape}');
  expect(isAsked()).toBe(false);
  expect(document.activeElement).toBe(field('Name'));
  await userEvent.keyboard(' Lovelace');
  expect(field('Name').value).toBe('Ada Lovelace');
  expect(tool.cancel).not.toHaveBeenCalled();
});

test('the way out of a half-written reason asks first', async () => {
  const tool = createTestTool();
  render(<ConfirmationDialog tool={tool} />);
  await untilArmed();
  await userEvent.click(button('Add a note'));
  await userEvent.keyboard('Too exp{Escape}');
  expect(isAsked()).toBe(true);
  await userEvent.keyboard('{Escape}ensive');
  await userEvent.click(button('Decline'));
  expect(tool.decline.mock.calls).toEqual([['Too expensive', { confirmed: false }]]);
});

test('the cross of a form with input asks first', async () => {
  const tool = createTestTool({ args: { fields } });
  render(<FormDialog tool={tool} />);
  await untilArmed();
  await userEvent.type(field('Name'), 'Ada');
  await userEvent.click(button('Cancel'));
  expect(tool.cancel).not.toHaveBeenCalled();
  await userEvent.click(button('Close without answering'));
  expect(tool.cancel.mock.calls).toEqual([[]]);
  expect(isAsked()).toBe(false);
});

test('a form that was reopened with saved input asks before it throws that input away', async () => {
  const tool = createTestTool({ args: { fields } });
  tool.saveInput({ name: 'Ada' });
  render(<FormDialog tool={tool} />);
  await untilArmed();
  await userEvent.keyboard('{Escape}');
  expect(isAsked()).toBe(true);
});
