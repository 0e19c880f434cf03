// @vitest-environment jsdom
/** Typed text outlives its call when the call expires, is answered in another tab, or is stopped. */
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { describe, expect, test } from 'vitest';
import { ClientToolDialogs } from '../../../src/components/client-tools/client-tool-dialogs.tsx';
import { createTestTool } from '../create-test-tool.ts';

const form = (toolCallId: string) =>
  createTestTool({ toolCallId, args: { title: toolCallId, fields: [{ name: 'note', label: 'Note' }] } });
const note = () => screen.getByRole('textbox', { name: 'Note' });

test('a retained question is not counted as one that needs an answer', async () => {
  const user = userEvent.setup();
  const next = createTestTool({ toolCallId: 'next' });
  const { rerender } = render(<ClientToolDialogs mode="inline" tools={[form('First'), next]} />);
  const said = () => screen.getByRole('status').textContent;
  await user.type(note(), 'Long thoughts');
  expect(said()).toContain('2 questions need your answer');
  rerender(<ClientToolDialogs mode="inline" tools={[next]} />);
  expect(said()).toContain('1 question needs your answer');
  rerender(<ClientToolDialogs mode="inline" tools={[]} />);
  expect(note()).toHaveProperty('value', 'Long thoughts');
  expect(said()).not.toContain('your answer');
});

describe.each(['modal', 'inline'] as const)('%s', (mode) => {
  test('a form with typed text stays readable when its call ends, with Close as the only button', async () => {
    const user = userEvent.setup();
    const tool = form('First');
    const next = createTestTool({ toolCallId: 'next', args: { action: 'Next one' } });
    const { rerender } = render(<ClientToolDialogs mode={mode} tools={[tool]} />, { wrapper: StrictMode });
    await user.type(note(), 'Long thoughts');

    rerender(<ClientToolDialogs mode={mode} tools={[next]} />);

    expect(note()).toHaveProperty('value', 'Long thoughts');
    expect(screen.getByRole('status').textContent).toContain('no longer waits');
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
    expect([tool.submit, tool.cancel, tool.decline].map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0]);
    expect(screen.getByText('Next one')).toBeTruthy();
  });

  test('a typed note stays readable when its call ends', async () => {
    const user = userEvent.setup();
    const tool = createTestTool();
    const { rerender } = render(<ClientToolDialogs mode={mode} tools={[tool]} />, { wrapper: StrictMode });
    await user.click(screen.getByRole('button', { name: 'Add a note' }));
    await user.type(screen.getByRole('textbox', { name: 'Note, the agent reads this' }), 'Long thoughts');

    rerender(<ClientToolDialogs mode={mode} tools={[]} />);

    expect(screen.getByText('Your note, not sent').nextSibling?.textContent).toBe('Long thoughts');
    expect(screen.getByRole('status').textContent).toContain('no longer waits');
    expect(screen.queryByRole('button', { name: /Confirm|Decline/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByText('Long thoughts')).toBeNull());
    expect(tool.decline).not.toHaveBeenCalled();
  });

  test('a question without typed text disappears with its call', () => {
    const tool = form('First');
    const { rerender } = render(<ClientToolDialogs mode={mode} tools={[tool]} />);
    rerender(<ClientToolDialogs mode={mode} tools={[]} />);
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  test('an answered question disappears although the person typed into it', async () => {
    const user = userEvent.setup();
    const tool = form('First');
    const { rerender } = render(<ClientToolDialogs mode={mode} tools={[tool]} />);
    await user.type(note(), 'Done{Enter}');
    await waitFor(() => expect(tool.submit).toHaveBeenCalledOnce());
    rerender(<ClientToolDialogs mode={mode} tools={[]} />);
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  });

  test('a call that comes back is asked once, with its typed text', async () => {
    const user = userEvent.setup();
    const tool = form('First');
    const { rerender } = render(<ClientToolDialogs mode={mode} tools={[tool]} />);
    await user.type(note(), 'Still here');
    rerender(<ClientToolDialogs mode={mode} tools={[]} />);
    rerender(<ClientToolDialogs mode={mode} tools={[tool]} />);
    expect(note()).toHaveProperty('value', 'Still here');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ note: 'Still here' }]]));
  });
});

test('a waiting card is not shown as ended when a later card with typed text has ended', async () => {
  const user = userEvent.setup();
  const [first, second] = [form('First'), form('Second')];
  const { rerender } = render(<ClientToolDialogs mode="inline" tools={[first, second]} />);
  await user.type(screen.getAllByRole('textbox', { name: 'Note' })[1] as HTMLElement, 'Long thoughts');

  rerender(<ClientToolDialogs mode="inline" tools={[first]} />);

  expect(screen.getAllByRole('textbox', { name: 'Note' })).toHaveLength(2);
  expect(screen.getByRole('status').textContent).not.toContain('First');
});
