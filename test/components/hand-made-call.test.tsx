// @vitest-environment jsdom
/** A call that is a plain object: for a preview, a story, or an app's own list. */
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import type { AnyTool } from '../../src/components/any-tool.ts';
import {
  ChoiceCard,
  ChoiceDialog,
  ClientToolDialogs,
  ConfirmationCard,
  ConfirmationDialog,
  FormCard,
  FormDialog,
} from '../../src/components.ts';

/** Without the methods that only calls of the engine have. Methods in the Octavus docs return nothing. */
function createCall(args: unknown, returned: unknown, ui?: () => null) {
  const answer = vi.fn((..._said: unknown[]) => returned as ReturnType<AnyTool['submit']>);
  const tool = {
    toolCallId: 'call-1',
    toolName: 'ask',
    args,
    requestedAt: new Date(0),
    submit: (...said: unknown[]) => answer('submit', ...said),
    cancel: (...said: unknown[]) => answer('cancel', ...said),
    decline: (...said: unknown[]) => answer('decline', ...said),
    ...(ui && { definition: { interactive: true, ui } }),
  } as unknown as AnyTool;
  return { tool, answer };
}

describe.each([
  ['nothing', undefined],
  ['a settlement', { settled: true }],
])('hand-made calls whose methods return %s', (_, returned) => {
  const fields = [{ name: 'note', label: 'Note', defaultValue: 'Ring twice' }];
  test.each([
    [ConfirmationDialog, { action: 'Order' }, 'Confirm', { confirmed: true }],
    [ConfirmationCard, { action: 'Order' }, 'Confirm', { confirmed: true }],
    [FormDialog, { fields }, 'Send', { note: 'Ring twice' }],
    [FormCard, { fields }, 'Send', { note: 'Ring twice' }],
    [ChoiceDialog, { options: ['Oat'] }, 'Send', { selected: 'Oat' }],
    [ChoiceCard, { options: ['Oat'] }, 'Send', { selected: 'Oat' }],
  ])('%o notifies onSettled when the hand-made call was answered', async (Question, args, name, result) => {
    const user = userEvent.setup();
    const { tool, answer } = createCall(args, returned);
    const onSettled = vi.fn();
    render(<Question tool={tool} onSettled={onSettled} />);
    for (const option of screen.queryAllByRole('radio')) await user.click(option);
    await user.click(screen.getByRole('button', { name }));
    expect(answer.mock.calls).toEqual([['submit', result]]);
    expect(onSettled.mock.calls).toEqual([['submitted']]);
  });

  test.each([
    ['Decline', 'declined', ['decline', undefined, { confirmed: false }]],
    ['Cancel', 'cancelled', ['cancel']],
  ])('%s settles a hand-made call as %s', async (name, outcome, said) => {
    const user = userEvent.setup();
    const { tool, answer } = createCall({ action: 'Order' }, returned);
    const onSettled = vi.fn();
    render(<ConfirmationDialog tool={tool} onSettled={onSettled} />);
    await user.click(screen.getByRole('button', { name }));
    expect(answer.mock.calls).toEqual([said]);
    expect(onSettled.mock.calls).toEqual([[outcome]]);
  });

  test.each([
    [FormDialog, { fields }, "Don't answer"],
    [ChoiceDialog, { options: ['Oat'] }, "Don't answer"],
  ])('a decline without a reason passes no arguments: %o', async (Question, args, no) => {
    const user = userEvent.setup();
    const { tool, answer } = createCall(args, returned);
    render(<Question tool={tool} />);
    await user.click(screen.getByRole('button', { name: no }));
    expect(answer.mock.calls).toEqual([['decline']]);
  });

  test('a decline of a confirmation passes the reason and the details', async () => {
    const user = userEvent.setup();
    const { tool, answer } = createCall({ action: 'Order' }, returned);
    render(<ConfirmationDialog tool={tool} />);
    await user.click(screen.getByRole('button', { name: 'Add a note' }));
    await user.keyboard('Too expensive');
    await user.click(screen.getByRole('button', { name: 'Decline' }));
    expect(answer.mock.calls).toEqual([['decline', 'Too expensive', { confirmed: false }]]);
  });

  test("an app's own component for a hand-made call shows the next question", async () => {
    const user = userEvent.setup();
    const Own = ({ tool }: { tool: AnyTool }) => (
      <button type="button" onClick={() => tool.submit('five')}>
        Five
      </button>
    );
    const { tool } = createCall({}, returned, Own as never);
    const next = { ...createCall({ action: 'Next' }, returned).tool, toolCallId: 'call-2' };
    render(<ClientToolDialogs tools={[tool, next]} />);
    await user.click(screen.getByRole('button', { name: 'Five' }));
    expect(screen.getByRole('dialog', { name: 'Next' })).toBeTruthy();
  });
});

test('an invalid deadline shows no countdown, and the question is asked', () => {
  const { tool, answer } = createCall({ action: 'Order' }, undefined);
  render(<ConfirmationDialog tool={{ ...tool, expiresAt: new Date('never') }} />);
  expect(screen.getByRole('dialog', { name: 'Order' })).toBeTruthy();
  expect(screen.queryByRole('timer')).toBeNull();
  expect(answer).not.toHaveBeenCalled();
});
