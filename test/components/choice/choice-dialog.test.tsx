// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ChoiceDialog } from '../../../src/components/choice/choice-dialog.tsx';
import { createTestTool } from '../create-test-tool.ts';

test('what is wrong with a pick is said aloud until the next: the focus may be where it goes already', async () => {
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
