// @vitest-environment jsdom
/** One press for several calls: which calls it covers, and what happens when one is refused. */
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ClientToolDialogs } from '../../../src/components/client-tools/client-tool-dialogs.tsx';
import { createTestTool, type TestToolOptions } from '../create-test-tool.ts';

const definition = { approveAll: true, editable: true, input: z.object({ to: z.string() }) };
const send = (toolCallId: string, more: TestToolOptions = {}) =>
  createTestTool({ toolCallId, toolName: 'send', args: { to: toolCallId }, definition, ...more });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const forAll = () => screen.queryByRole('button', { name: / all \d/ });
const refusals = [{ settled: false, reason: 'invalid-result', issues: [] }] as const;

test('confirm all stops when the visible call is refused, and is not offered again', async () => {
  const user = userEvent.setup();
  const [first, second] = [send('ada', { refusals: [...refusals] }), send('bob')];
  render(<ClientToolDialogs tools={[first, second]} />);
  await user.click(button('Confirm all 2'));
  expect(screen.getByText('1 of 2')).toBeTruthy();
  expect([first.submit.mock.calls.length, second.submit.mock.calls.length]).toEqual([1, 0]);
  expect(forAll()).toBeNull();
});

test('confirm all leaves a refused call in the queue, which asks about it alone', async () => {
  const user = userEvent.setup();
  const [first, second] = [send('ada'), send('bob', { refusals: [...refusals] })];
  render(<ClientToolDialogs tools={[first, second]} />);
  await user.click(button('Confirm all 2'));
  expect(screen.getByText('To').nextSibling?.textContent).toBe('bob');
  await user.click(button('Confirm'));
  expect([first.submit.mock.calls.length, second.submit.mock.calls.length]).toEqual([1, 2]);
});

test('confirm all leaves out an ended call that stays for its typed text', async () => {
  const user = userEvent.setup();
  const [first, second, third] = [send('ada'), send('bob'), send('cleo')];
  const { rerender } = render(<ClientToolDialogs mode="inline" tools={[first, second, third]} />);
  await user.click(screen.getAllByRole('button', { name: 'Change To' })[1] as HTMLElement);
  await user.type(await screen.findByRole('textbox', { name: 'To' }), 'by');
  rerender(<ClientToolDialogs mode="inline" tools={[first, third]} />);
  expect(screen.getByRole('textbox', { name: 'To' })).toHaveProperty('value', 'bobby');
  await user.click(screen.getAllByRole('button', { name: 'Confirm all 2' })[0] as HTMLElement);
  expect([first, second, third].map(({ submit }) => submit.mock.calls.length)).toEqual([1, 0, 1]);
});

test('confirm all leaves out a call of the tool with another approval reason', () => {
  render(<ClientToolDialogs tools={[send('ada', { approvalReason: 'policy' }), send('bob')]} />);
  expect(button('Allow')).toBeTruthy();
  expect(forAll()).toBeNull();
});

test('confirm all is not offered for edited arguments', async () => {
  const user = userEvent.setup();
  render(<ClientToolDialogs tools={[send('ada'), send('bob')]} />);
  await user.click(button('Change To'));
  await user.type(await screen.findByRole('textbox', { name: 'To' }), 'm');
  await user.click(button('Apply'));
  await screen.findByText('Changed by you');
  expect(forAll()).toBeNull();
  expect(screen.getAllByText('To')[0]?.nextSibling?.textContent).toContain('Now: adam');
});

test('confirm all is not offered with a choice to remember', async () => {
  const user = userEvent.setup();
  render(<ClientToolDialogs tools={['ada', 'bob'].map((id) => send(id, { approvalReason: 'policy' }))} />);
  expect(forAll()).not.toBeNull();
  await user.click(screen.getByRole('radio', { name: 'Always allow…' }));
  expect(forAll()).toBeNull();
  await user.click(screen.getByRole('radio', { name: 'Allow once' }));
  expect(forAll()).not.toBeNull();
});
