// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ClientToolDialogs } from '../../../src/components/client-tools/client-tool-dialogs.tsx';
import { ClockContext } from '../../../src/components/hooks/use-arming.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createTestTool } from '../create-test-tool.ts';

/** The backdrop listens for presses from the next task on. */
const nextTask = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)));
const pressBackdrop = () => userEvent.click(document.querySelector('.hr-overlay') as Element);

test('a second press that hits the backdrop of the next question does not dismiss it', async () => {
  const clock = createManualClock();
  const [first, second] = ['a', 'b'].map((toolCallId) => createTestTool({ toolCallId }));
  if (first === undefined || second === undefined) throw new Error('two calls');
  render(
    <ClockContext.Provider value={clock}>
      <ClientToolDialogs tools={[first, second]} />
    </ClockContext.Provider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(first.submit).toHaveBeenCalledTimes(1);

  await act(() => clock.advance(499));
  await nextTask();
  await pressBackdrop();
  expect(second.cancel).not.toHaveBeenCalled();

  await act(() => clock.advance(1));
  await pressBackdrop();
  expect(second.cancel.mock.calls).toEqual([[]]);
});
