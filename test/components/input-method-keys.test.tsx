// @vitest-environment jsdom
/** Keys that go to an input method do nothing else: they pick a word, or end its composition. */
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { ChoiceDialog } from '../../src/components/choice/choice-dialog.tsx';
import { ConfirmationDialog } from '../../src/components/confirmation/confirmation-dialog.tsx';
import { createTestTool } from './create-test-tool.ts';

const teas = Array.from({ length: 20 }, (_, index) => `Tea ${index}`);

describe.each([
  ['while composing', { isComposing: true }],
  ['with the key code of Safari', { keyCode: 229 }],
])('a key of an input method, %s', (_, how) => {
  test('in the search of a long list neither clears the search nor leaves it nor is swallowed', () => {
    render(<ChoiceDialog tool={createTestTool({ args: { title: 'Which tea?', options: teas } })} />);
    const search = screen.getByRole<HTMLInputElement>('searchbox');
    search.focus();
    fireEvent.change(search, { target: { value: 'Tea 1' } });
    fireEvent.keyDown(search, { key: 'Escape', ...how });
    for (const key of ['ArrowDown', 'Enter']) {
      // Returns false where the browser's own action was prevented.
      expect(fireEvent.keyDown(search, { key, ...how })).toBe(true);
    }
    expect(search.value).toBe('Tea 1');
    expect(document.activeElement).toBe(search);
    fireEvent.keyDown(search, { key: 'Escape' });
    expect(search.value).toBe('');
  });

  test('picks no option by its number', () => {
    render(<ChoiceDialog tool={createTestTool({ args: { options: ['Tea', 'Coffee'] } })} />);
    const coffee = screen.getByRole<HTMLInputElement>('radio', { name: 'Coffee' });
    fireEvent.keyDown(coffee, { key: '2', ...how });
    expect(coffee.checked).toBe(false);
    fireEvent.keyDown(coffee, { key: '2' });
    expect(coffee.checked).toBe(true);
  });
});

test('Option+Tab, by which Safari reaches every control, cycles inside a dialog as well', () => {
  render(<ConfirmationDialog tool={createTestTool()} />);
  // Nothing has a size here, so every Tab would leave the dialog.
  const confirm = screen.getByRole('button', { name: 'Confirm' });
  expect(fireEvent.keyDown(confirm, { key: 'Tab', altKey: true })).toBe(false);
  expect(fireEvent.keyDown(confirm, { key: 'Tab', ctrlKey: true })).toBe(true);
});
