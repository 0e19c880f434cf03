/// <reference types="vite/client" />
/** A dialog with the markup of an app, on the behaviour of the kit. */
import * as Dialog from '@radix-ui/react-dialog';
import { act, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { AnyTool } from '../../src/components/any-tool.ts';
import { ClockContext } from '../../src/components/hooks/use-arming.ts';
import { ClientToolDialogs, useQuestion } from '../../src/components.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createTestTool } from '../components/create-test-tool.ts';

/** As shadcn/ui writes a dialog: Radix with class names. */
function OwnDialog({ tool }: { tool: AnyTool }) {
  const question = useQuestion(tool);
  return (
    <Dialog.Root
      open={question.state.status !== 'settled'}
      onOpenChange={(open) => open || question.cancel()}
    >
      <Dialog.Portal>
        <Dialog.Content {...question.panelProps} aria-describedby={undefined}>
          <Dialog.Title>{tool.toolName}</Dialog.Title>
          {question.secondsLeft !== undefined && <p>{question.secondsLeft} s</p>}
          {question.issues.map(({ message }) => (
            <p key={message}>{message}</p>
          ))}
          <button type="button" onClick={() => question.decline()}>
            No
          </button>
          <button
            type="button"
            data-autofocus
            aria-disabled={!question.armed}
            onClick={() => question.submit({ confirmed: true })}
          >
            Yes
          </button>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function setup(...tools: AnyTool[]) {
  const clock = createManualClock();
  const page = (asked: readonly AnyTool[]) => (
    <ClockContext.Provider value={clock}>
      <textarea aria-label="Message" />
      <ClientToolDialogs tools={asked} />
    </ClockContext.Provider>
  );
  const { rerender } = render(page([]));
  return {
    clock,
    ask: () => act(() => rerender(page(tools))),
    wait: (ms: number) => act(() => clock.advance(ms)),
  };
}

const ui = ({ tool }: { tool: AnyTool }) => <OwnDialog tool={tool} />;
const asking = (toolCallId = 'call-1', options = {}) =>
  createTestTool({ toolCallId, definition: { ui }, ...options });
const yes = () => screen.findByRole('button', { name: 'Yes' });
const hasFocus = (name: string) => waitFor(() => expect(document.activeElement?.textContent).toBe(name));

test('a dialog of an app focuses its answer, and takes keys only after half a second', async () => {
  const tool = asking();
  const { ask, wait } = setup(tool);
  await ask();
  await hasFocus('Yes');
  await wait(499);
  await userEvent.keyboard('{Enter}{Escape}');
  expect(tool.submit).not.toHaveBeenCalled();
  expect(tool.cancel).not.toHaveBeenCalled();
  await wait(1);
  await userEvent.keyboard('{Enter}');
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test('a double press answers one question of an app and not the next', async () => {
  const [first, second] = [asking(), asking('call-2')];
  const { ask, wait } = setup(first, second);
  await ask();
  await wait(500);
  await userEvent.click(await yes());
  await userEvent.click(await yes(), { force: true });
  expect(first.submit).toHaveBeenCalledOnce();
  expect(second.submit).not.toHaveBeenCalled();
  await wait(500);
  await userEvent.click(await yes());
  expect(second.submit).toHaveBeenCalledOnce();
});

test('a dialog of an app takes the focus itself while a field had it, and gives it back', async () => {
  const tool = asking();
  const { ask, wait } = setup(tool);
  const message = screen.getByRole('textbox', { name: 'Message' });
  message.focus();
  await ask();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('dialog')));
  await wait(500);
  await userEvent.keyboard('{Tab}');
  await hasFocus('Yes');
  await userEvent.keyboard('{Enter}');
  expect(tool.submit).toHaveBeenCalledOnce();
  await waitFor(() => expect(document.activeElement).toBe(message));
});

test('a dialog of an app shows why an answer was refused, and the time that is left', async () => {
  const issues = [{ message: 'Not today' }];
  const tool = asking('call-1', {
    requestedAt: new Date(createManualClock().now()),
    expiresAt: new Date(createManualClock().now() + 30_000),
    refusals: [{ settled: false, reason: 'invalid-result', issues }],
  });
  const { ask, wait } = setup(tool);
  await ask();
  await wait(1_000);
  expect(screen.getByText('29 s')).toBeTruthy();
  await userEvent.click(await yes());
  expect(screen.getByText('Not today')).toBeTruthy();
  await userEvent.click(await yes());
  expect(tool.submit).toHaveBeenCalledTimes(2);
});
