// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ConfirmationDialog } from '../../src/components.ts';
import { createTestTool } from './create-test-tool.ts';

vi.mock('../../src/components/confirmation/change-field.tsx', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

test('a field that fails to load shows a notice and leaves the call to decide', async () => {
  const tool = createTestTool({
    args: { guests: 2 },
    definition: { editable: true, input: z.object({ guests: z.number() }) },
  });
  render(<ConfirmationDialog tool={tool} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Change Guests' }));
  const back = await screen.findByRole('button', { name: 'Back' });
  expect(document.activeElement).toBe(back);
  await screen.findByText(/The field could not be loaded/, { selector: '[role="status"]' });
  expect(tool.cancel).not.toHaveBeenCalled();
  await user.click(back);
  expect(screen.queryByText(/could not be loaded/, { ignore: '[role="status"]' })).toBe(null);
  await user.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(tool.submit).toHaveBeenCalledExactlyOnceWith({ confirmed: true });
});
