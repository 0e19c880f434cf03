// @vitest-environment jsdom
/** What a row of questions does beside asking them. */
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ClientToolDialogs } from '../../../src/components/client-tools/client-tool-dialogs.tsx';
import { ConfirmationDialog } from '../../../src/components/confirmation/confirmation-dialog.tsx';
import { createTestTool } from '../create-test-tool.ts';

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const calls = (...ids: string[]) => ids.map((toolCallId) => createTestTool({ toolCallId }));
const failure = new Error('No such prop');
function Broken(): never {
  throw failure;
}

test('a row that was answered to its end is over: the next begins at one', async () => {
  const { rerender } = render(<ClientToolDialogs tools={calls('a', 'b')} />);
  await press('Confirm');
  await press('Confirm');
  rerender(<ClientToolDialogs tools={calls('c', 'd')} />);
  expect(screen.getByText('1 of 2')).toBeTruthy();
});

test('that a question was taken away can be put away', async () => {
  const { rerender } = render(<ClientToolDialogs tools={calls('a')} />);
  rerender(<ClientToolDialogs tools={[]} />);
  await press('Close');
  expect(screen.getByRole('status').textContent).toBe('');
  expect(screen.queryByRole('button')).toBeNull();
});

test('every card that was taken away is told of, and how many are left', () => {
  const cards = ['First', 'Second', 'Third'].map((action) =>
    createTestTool({ toolCallId: action, args: { action } }),
  );
  const { rerender } = render(<ClientToolDialogs mode="inline" tools={cards} />);
  rerender(<ClientToolDialogs mode="inline" tools={cards.slice(0, 1)} />);
  expect(screen.getByRole('status').textContent).toBe(
    '“Second” no longer needs an answer. “Third” no longer needs an answer. 1 question needs your answer',
  );
});

test('behind a dialog nothing is taken away that anybody has seen', () => {
  const { rerender } = render(<ClientToolDialogs tools={calls('a', 'b')} />);
  rerender(<ClientToolDialogs tools={calls('a')} />);
  expect(screen.getByRole('status').textContent).toBe('');
});

test('an approval that is over is called what it was asked as, whatever its arguments say', () => {
  const tool = createTestTool({ toolName: 'delete-file', approvalReason: 'policy' });
  const { rerender } = render(<ClientToolDialogs tools={[tool]} />);
  expect(screen.getByRole('dialog', { name: 'Allow “Delete file”?' })).toBeTruthy();
  rerender(<ClientToolDialogs tools={[]} />);
  expect(screen.getByRole('status').textContent).toBe('“Allow “Delete file”?” no longer needs an answer.');
});

test('a failure is reported to the page where nobody asked to hear of it, and its notice can be put away', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const reportError = vi.fn();
  vi.stubGlobal('reportError', reportError);
  render(<ClientToolDialogs tools={[createTestTool({ definition: { ui: Broken } })]} />);
  vi.unstubAllGlobals();
  expect(reportError.mock.calls).toEqual([[failure]]);
  await press('Close');
  expect(screen.getByRole('status').textContent).toBe('');
});

test.each([
  ['its own dialog', undefined],
  ["a component's", ConfirmationDialog],
])('where dialogs go, and the class of the backdrop, hold for %s', (_, ui) => {
  const container = document.body.appendChild(document.createElement('aside'));
  const tool = createTestTool(ui && { definition: { ui } });
  render(<ClientToolDialogs tools={[tool]} container={container} overlayClassName="dim" />);
  expect(container.querySelector('.hr-overlay.dim')?.contains(screen.getByRole('dialog'))).toBe(true);
  container.remove();
});

test.each([
  ['modal', 'dialog'],
  ['inline', 'region'],
] as const)('the class of a question is on what asks it (%s)', (mode, role) => {
  render(<ClientToolDialogs mode={mode} tools={calls('a')} className="ours" />);
  expect(screen.getByRole(role, { name: 'Place order' }).classList.contains('ours')).toBe(true);
});
