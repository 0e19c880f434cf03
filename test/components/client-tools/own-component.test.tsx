// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { AnyTool } from '../../../src/components/any-tool.ts';
import { ClientToolDialogs } from '../../../src/components/client-tools/client-tool-dialogs.tsx';
import { createTestTool, type TestToolOptions } from '../create-test-tool.ts';

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

function Own({ tool }: { tool: AnyTool }) {
  return (
    <>
      <button type="button" onClick={() => tool.submit(9)}>
        Nine
      </button>
      <button type="button" onClick={() => tool.decline('Not mine', { confirmed: false })}>
        No
      </button>
      <button type="button" onClick={() => tool.cancel('Left')}>
        Leave
      </button>
    </>
  );
}
const ownTool = (options: TestToolOptions = {}) => createTestTool({ definition: { ui: Own }, ...options });

test("an app's component whose answer is refused stays to answer again", async () => {
  const tool = ownTool({ refusals: [{ settled: false, reason: 'invalid-result' }] });
  render(<ClientToolDialogs tools={[tool]} />);
  await press('Nine');
  await press('Nine');
  expect(tool.submit.mock.calls).toEqual([[9], [9]]);
  expect(screen.queryByRole('button', { name: 'Nine' })).toBeNull();
});

test.each([
  ['No', 'decline', ['Not mine', { confirmed: false }]],
  ['Leave', 'cancel', ['Left']],
] as const)('%s passes all its arguments to the call and closes the question', async (name, method, said) => {
  const tool = ownTool();
  render(<ClientToolDialogs tools={[tool]} />);
  await press(name);
  expect(tool[method].mock.calls).toEqual([said]);
  expect(screen.queryByRole('button', { name })).toBeNull();
});
