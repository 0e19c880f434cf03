// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ChoiceCard, ChoiceDialog } from '../../../src/components/choice/choice-dialog.tsx';
import { createTestTool } from '../create-test-tool.ts';

test('an error about the picks is announced until the next pick', async () => {
  const user = userEvent.setup();
  const tool = createTestTool({ args: { options: ['Tea', 'Milk'], multiple: true, min: 1 } });
  render(<ChoiceDialog tool={tool} />);
  await user.keyboard('{Enter}');
  expect(screen.getByRole('status').textContent).toBe('Choose at least 1.');
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Tea' }));
  expect(tool.submit).not.toHaveBeenCalled();
  await user.keyboard('2');
  expect(screen.getByRole('status').textContent).toBe('');
});

test('submitting without a pick focuses the first option', async () => {
  const user = userEvent.setup();
  render(<ChoiceDialog tool={createTestTool({ args: { options: ['Tea', 'Milk'] } })} />);
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Tea' }));
});

test('a choice submits its picks in the order of the options, within its limits', async () => {
  const user = userEvent.setup();
  const args = { options: ['Tea', 'Milk', 'Oats'], multiple: true, min: 2, max: 2 };
  const tool = createTestTool({ args });
  render(<ChoiceDialog tool={tool} />);
  await user.keyboard('31{Enter}');
  expect(tool.submit.mock.calls).toEqual([[{ selected: ['Tea', 'Oats'] }]]);
});

test.each(['Control', 'Meta', 'Alt'])('a number key with %s picks nothing', async (key) => {
  const user = userEvent.setup();
  render(<ChoiceDialog tool={createTestTool({ args: { options: ['Tea', 'Milk'] } })} />);
  await user.keyboard(`{${key}>}2{/${key}}`);
  expect(screen.queryByRole('radio', { checked: true })).toBeNull();
});

test('a choice lists the arguments that it does not show as options', () => {
  render(
    <ChoiceDialog tool={createTestTool({ args: { options: ['Tea'], table: 'Window seat', max: 3 } })} />,
  );
  expect(screen.getByText('Window seat')).toBeTruthy();
  expect(screen.queryByText('3')).toBeNull();
});

test('picks are saved with the call and restored', async () => {
  const user = userEvent.setup();
  const tool = createTestTool({ args: { options: ['Tea', 'Milk', 'Oats'], multiple: true } });
  const { unmount } = render(<ChoiceDialog tool={tool} />);
  await user.keyboard('132');
  await user.keyboard('1');
  unmount();
  render(<ChoiceCard tool={tool} />);
  expect(screen.getAllByRole('checkbox', { checked: true }).map(({ id }) => id.at(-1))).toEqual(['1', '2']);
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(tool.submit.mock.calls).toEqual([[{ selected: ['Milk', 'Oats'] }]]);
});

test('a saved pick that is no longer an option is ignored', async () => {
  const user = userEvent.setup();
  const tool = createTestTool({ args: { options: ['Tea', 'Milk'] } });
  tool.saveInput([2]);
  render(<ChoiceDialog tool={tool} />);
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(tool.submit).not.toHaveBeenCalled();
});

test.each([
  [7, 0],
  [8, 1],
])('a choice of %i options has %i search fields', (count, fields) => {
  const options = Array.from({ length: count }, (_, index) => `Option ${index + 1}`);
  render(<ChoiceDialog tool={createTestTool({ args: { options } })} />);
  expect(screen.queryAllByRole('searchbox')).toHaveLength(fields);
  expect(screen.getAllByRole('radio')).toHaveLength(count);
});

test('the no of a choice is "Don\'t answer", unless the tool names it', () => {
  const args = { options: ['Tea', 'Milk'] };
  const { rerender } = render(<ChoiceCard tool={createTestTool({ args })} />);
  expect(screen.getByRole('button', { name: "Don't answer" })).toBeTruthy();
  rerender(<ChoiceCard tool={createTestTool({ args, definition: { declineLabel: 'No drink' } })} />);
  expect(screen.getByRole('button', { name: 'No drink' })).toBeTruthy();
});
