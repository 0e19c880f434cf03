import { cleanup, render, screen } from '@testing-library/react';
import { ConfirmationDialog } from '../../../src/components/confirmation/confirmation-dialog.tsx';
import { createTestTool } from '../create-test-tool.ts';

/** Has the parts that are loaded on demand loaded, so that every test begins with what it renders. */
export async function loadElicitation(): Promise<void> {
  render(<ConfirmationDialog tool={createTestTool({ args: { requestedSchema: {} } })} />);
  await screen.findByRole('dialog');
  cleanup();
}
