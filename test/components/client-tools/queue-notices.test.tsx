// @vitest-environment jsdom
/** The queue around its questions: positions, notices and reports. */
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

test('the queue position starts at one again after the last question was answered', async () => {
  const { rerender } = render(<ClientToolDialogs tools={calls('a', 'b')} />);
  await press('Confirm');
  await press('Confirm');
  rerender(<ClientToolDialogs tools={calls('c', 'd')} />);
  expect(screen.getByText('1 of 2')).toBeTruthy();
});

test('the notice about a withdrawn question can be dismissed', async () => {
  const { rerender } = render(<ClientToolDialogs tools={calls('a')} />);
  rerender(<ClientToolDialogs tools={[]} />);
  await press('Close');
  expect(screen.getByRole('status').textContent).toBe('');
  expect(screen.queryByRole('button')).toBeNull();
});

test('every withdrawn card is announced, with the number of remaining questions', () => {
  const cards = ['First', 'Second', 'Third'].map((action) =>
    createTestTool({ toolCallId: action, args: { action } }),
  );
  const { rerender } = render(<ClientToolDialogs mode="inline" tools={cards} />);
  rerender(<ClientToolDialogs mode="inline" tools={cards.slice(0, 1)} />);
  expect(screen.getByRole('status').textContent).toBe(
    '“Second” no longer needs an answer. “Third” no longer needs an answer. 1 question needs your answer',
  );
});

test('a queued question that was never shown is withdrawn silently', () => {
  const { rerender } = render(<ClientToolDialogs tools={calls('a', 'b')} />);
  rerender(<ClientToolDialogs tools={calls('a')} />);
  expect(screen.getByRole('status').textContent).toBe('');
});

test('a withdrawn approval is announced under its approval title, whatever its arguments say', () => {
  const tool = createTestTool({ toolName: 'delete-file', approvalReason: 'policy' });
  const { rerender } = render(<ClientToolDialogs tools={[tool]} />);
  expect(screen.getByRole('dialog', { name: 'Delete file' })).toBeTruthy();
  rerender(<ClientToolDialogs tools={[]} />);
  expect(screen.getByRole('status').textContent).toBe('“Delete file” no longer needs an answer.');
});

test('a failed dialog is reported to the page without onError, and its notice can be dismissed', async () => {
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
])('container and overlayClassName of the queue apply to %s', (_, ui) => {
  const container = document.body.appendChild(document.createElement('aside'));
  const tool = createTestTool(ui && { definition: { ui } });
  render(<ClientToolDialogs tools={[tool]} container={container} overlayClassName="dim" />);
  expect(container.querySelector('.hr-overlay.dim')?.contains(screen.getByRole('dialog'))).toBe(true);
  container.remove();
});

test.each([
  ['modal', 'dialog'],
  ['inline', 'region'],
] as const)('className of the queue is on each question (%s)', (mode, role) => {
  render(<ClientToolDialogs mode={mode} tools={calls('a')} className="ours" />);
  expect(screen.getByRole(role, { name: 'Place order' }).classList.contains('ours')).toBe(true);
});
