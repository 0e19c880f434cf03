// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactElement, StrictMode, useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import type { AnyTool } from '../../../src/components/any-tool.ts';
import { ClientToolDialogs } from '../../../src/components/client-tools/client-tool-dialogs.tsx';
import { ConfirmationDialog } from '../../../src/components/confirmation/confirmation-dialog.tsx';
import { createTestTool } from '../create-test-tool.ts';

const failure = new Error('No such prop');
function Broken(): never {
  throw failure;
}

function Stars({ tool }: { tool: AnyTool }) {
  return (
    <button type="button" onClick={() => tool.submit({ stars: 3 })}>
      Three for {String(tool.args.place)}
    </button>
  );
}

test('confirming a call sends the answer once and closes the dialog, though the list of tools does not change', async () => {
  const user = userEvent.setup();
  const tool = createTestTool();
  render(<ClientToolDialogs tools={[tool]} />, { wrapper: StrictMode });
  expect(screen.getByRole('dialog', { name: 'Place order' })).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Confirm' }));

  await user.keyboard('{Enter}{Enter}');

  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('several calls are asked one after the other in request order, with their positions', async () => {
  const user = userEvent.setup();
  const first = createTestTool({ toolCallId: 'a', args: { action: 'First' } });
  const second = createTestTool({ toolCallId: 'b', args: { action: 'Second' } });
  render(<ClientToolDialogs tools={[first, second]} />);
  expect(screen.getByText('1 of 2')).toBeTruthy();
  const backdrop = document.querySelector('.hr-overlay');

  await user.click(screen.getByRole('button', { name: 'Confirm' }));

  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  expect(screen.getByRole('dialog', { name: 'Second' })).toBeTruthy();
  expect(screen.getByText('2 of 2')).toBeTruthy();
  expect(document.querySelector('.hr-overlay')).toBe(backdrop);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Confirm' }));

  await user.click(screen.getByRole('button', { name: 'Decline' }));

  expect(second.decline.mock.calls).toEqual([[undefined, { confirmed: false }]]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a call that arrives during a question only lengthens the queue', async () => {
  const user = userEvent.setup();
  const first = createTestTool({ toolCallId: 'a', args: { fields: [{ name: 'note', label: 'Note' }] } });
  const later = createTestTool({ toolCallId: 'b' });
  const { rerender } = render(<ClientToolDialogs tools={[first]} />);
  await user.type(screen.getByRole('textbox', { name: 'Note' }), 'half a sent');

  rerender(<ClientToolDialogs tools={[first, later]} />);

  expect(screen.getByText('1 of 2')).toBeTruthy();
  expect(screen.getByRole('textbox', { name: 'Note' })).toHaveProperty('value', 'half a sent');
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Note' }));
});

test('a call settled elsewhere closes its dialog and is announced', () => {
  const tool = createTestTool();
  const { rerender } = render(<ClientToolDialogs tools={[tool]} />);

  rerender(<ClientToolDialogs tools={[]} />);

  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('“Place order” no longer needs an answer.');
  expect(tool.cancel).not.toHaveBeenCalled();
});

test('an answered call that leaves the list is not announced', async () => {
  const user = userEvent.setup();
  const tool = createTestTool();
  const { rerender } = render(<ClientToolDialogs tools={[tool]} />);
  await user.keyboard('{Escape}');
  expect(tool.cancel.mock.calls).toEqual([[]]);

  rerender(<ClientToolDialogs tools={[]} />);

  expect(screen.getByRole('status').textContent).toBe('');
});

test('a dialog that throws fails its call with the reason, reports the error, and the next call is asked', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const onError = vi.fn();
  const broken = createTestTool({ toolCallId: 'a', toolName: 'rate', definition: { ui: Broken } });
  const next = createTestTool({ toolCallId: 'b' });

  render(<ClientToolDialogs tools={[broken, next]} onError={onError} />);

  expect(broken.fail.mock.calls).toEqual([['The dialog for rate failed: No such prop']]);
  expect(onError.mock.calls).toEqual([[failure, broken]]);
  expect(screen.getByRole('dialog', { name: 'Place order' })).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe(
    'The question from rate could not be shown. The agent was told.',
  );
});

test('a schema whose description throws still gets a form', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const output = {
    '~standard': {
      version: 1,
      vendor: 'none',
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input: () => {
          throw new Error('not expressible');
        },
      },
    },
  } as const;
  const tool = createTestTool({ definition: { ui: 'form', output } });
  const user = userEvent.setup();
  render(<ClientToolDialogs tools={[tool]} />);

  await user.click(screen.getByRole('textbox', { name: 'Value' }));
  await user.paste('[1]');
  await user.click(screen.getByRole('button', { name: 'Send' }));

  expect(tool.submit.mock.calls).toEqual([[[1]]]);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('does not describe itself'));
});

test("an app's own component gets the call, and its answer shows the next question", async () => {
  const user = userEvent.setup();
  const rate = createTestTool({ toolCallId: 'a', args: { place: 'Nord' }, definition: { ui: Stars } });
  render(<ClientToolDialogs tools={[rate, createTestTool({ toolCallId: 'b' })]} />);
  expect(screen.queryByRole('dialog')).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Three for Nord' }));

  expect(rate.submit.mock.calls).toEqual([[{ stars: 3 }]]);
  expect(screen.getByRole('dialog', { name: 'Place order' })).toBeTruthy();
});

test.each(['modal', 'inline'] as const)(
  "an app's own component gets the same call object until the call changes (%s)",
  (mode) => {
    const calls = new Set<AnyTool>();
    const Own = ({ tool }: { tool: AnyTool }) => {
      calls.add(tool);
      return <p>Own</p>;
    };
    const own = createTestTool({ toolCallId: 'a', definition: { ui: Own } });
    const { rerender } = render(<ClientToolDialogs mode={mode} tools={[own]} />);
    rerender(<ClientToolDialogs mode={mode} tools={[own, createTestTool({ toolCallId: 'b' })]} />);
    expect(calls.size).toBe(1);
  },
);

test("an app's own component can pass a redacted result with its answer", async () => {
  const user = userEvent.setup();
  const Unlock = ({ tool }: { tool: AnyTool }) => (
    <button type="button" onClick={() => tool.submit({ pin: '1234' }, { redactedResult: {} })}>
      Unlock
    </button>
  );
  const tool = createTestTool({ definition: { ui: Unlock } });
  render(<ClientToolDialogs tools={[tool]} />);
  await user.click(screen.getByRole('button', { name: 'Unlock' }));
  expect(tool.submit.mock.calls).toEqual([[{ pin: '1234' }, { redactedResult: {} }]]);
});

test('inline cards take no focus, are announced, and settle each call alone', async () => {
  const user = userEvent.setup();
  const first = createTestTool({ toolCallId: 'a', args: { action: 'First' } });
  const second = createTestTool({ toolCallId: 'b', args: { options: ['x', 'y'] }, toolName: 'select-seat' });
  render(<ClientToolDialogs mode="inline" tools={[first, second]} />);
  expect(document.activeElement).toBe(document.body);
  expect(screen.getByRole('status').textContent).toBe('2 questions need your answer');

  await user.click(screen.getByRole('radio', { name: 'y' }));
  await user.click(screen.getByRole('button', { name: 'Send' }));

  expect(second.submit.mock.calls).toEqual([[{ selected: 'y' }]]);
  expect(screen.queryByRole('region', { name: 'Select seat' })).toBeNull();
  expect(screen.getByRole('region', { name: 'First' })).toBeTruthy();
});

function Page() {
  const [left, setLeft] = useState(false);
  const [tools, setTools] = useState<readonly AnyTool[]>([]);
  const ask = () => setTools([createTestTool()]);
  return (
    <section aria-label="Order">
      {!left && (
        <button type="button" onClick={ask}>
          Ask
        </button>
      )}
      <ClientToolDialogs tools={tools} />
      <button type="button" data-testid="leave" onClick={() => setLeft(true)} />
    </section>
  );
}

test('the focus returns to its former element when a dialog closes', async () => {
  const user = userEvent.setup();
  render(<Page />, { wrapper: StrictMode });
  const ask = screen.getByRole('button', { name: 'Ask' });
  await user.click(ask);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Confirm' }));
  await user.keyboard('{Escape}');
  await nextTask();
  expect(document.activeElement).toBe(ask);
});

test('the focus returns to an ancestor when its former element is removed', async () => {
  const user = userEvent.setup();
  render(<Page />, { wrapper: StrictMode });
  await user.click(screen.getByRole('button', { name: 'Ask' }));
  fireEvent.click(screen.getByTestId('leave'));
  await user.keyboard('{Escape}');
  await nextTask();
  const region = screen.getByRole('region', { name: 'Order' });
  expect(document.activeElement).toBe(region);
  region.blur();
  expect(region.hasAttribute('tabindex')).toBe(false);
});

test('the focus stays on an element that the app focuses after the question', async () => {
  const page = (question?: ReactElement) => (
    <>
      <button type="button">Ask</button>
      <input aria-label="Next" />
      {question}
    </>
  );
  const { rerender } = render(page());
  screen.getByRole('button', { name: 'Ask' }).focus();
  rerender(page(<ConfirmationDialog tool={createTestTool()} />));
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  const next = screen.getByRole('textbox', { name: 'Next' });
  next.focus();
  await nextTask();
  expect(document.activeElement).toBe(next);
});

/** Radix returns the focus in a task of its own. */
const nextTask = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 0)));

describe('confirming all calls of a tool', () => {
  const send = (toolCallId: string, to: string, more: object = {}) =>
    createTestTool({
      toolCallId,
      toolName: 'send-mail',
      args: { title: `Write to ${to}` },
      definition: { approveAll: true, ...more },
    });
  const confirmAll = () => screen.queryByRole('button', { name: /^Confirm all/ });

  test.each(['modal', 'inline'] as const)(
    'confirm all answers each call once and leaves other tools alone (%s)',
    async (mode) => {
      const user = userEvent.setup();
      const [first, second] = [send('a', 'Ada'), send('b', 'Bob')];
      const other = createTestTool({ toolCallId: 'c' });
      render(<ClientToolDialogs tools={[first, other, second]} mode={mode} />);
      expect(screen.getAllByText('Write to Bob').length).toBeGreaterThan(0);
      const [button] = screen.getAllByRole('button', { name: 'Confirm all 2' });
      await user.click(button as HTMLElement);
      expect(first.submit.mock.calls).toEqual([[{ confirmed: true }]]);
      expect(second.submit.mock.calls).toEqual([[{ confirmed: true }]]);
      expect(other.submit).not.toHaveBeenCalled();
      expect(screen.getByRole(mode === 'modal' ? 'dialog' : 'region', { name: 'Place order' })).toBeTruthy();
      expect(confirmAll()).toBeNull();
    },
  );

  test.each([
    ['a definition that does not allow it', { approveAll: false }],
    ['a word to type', { confirmWord: 'SEND' }],
    ['a destructive tool', { severity: 'destructive' }],
  ])('confirm all is not offered with %s', (_, more) => {
    render(<ClientToolDialogs tools={[send('a', 'Ada', more), send('b', 'Bob', more)]} />);
    expect(screen.getByRole('button', { name: 'Confirm' })).toBeTruthy();
    expect(confirmAll()).toBeNull();
  });

  test('confirm all is not offered for handlers that were interrupted', () => {
    const again = (id: string): AnyTool => ({ ...send(id, id), approvalReason: 'interrupted' });
    render(<ClientToolDialogs tools={[again('a'), again('b')]} />);
    expect(screen.getByText('1 of 2')).toBeTruthy();
    expect(screen.queryAllByRole('button', { name: / all / })).toEqual([]);
  });

  test('confirm all is not offered for a single call', () => {
    render(<ClientToolDialogs tools={[send('a', 'Ada'), createTestTool({ toolCallId: 'c' })]} />);
    expect(screen.getByRole('button', { name: 'Confirm' })).toBeTruthy();
    expect(confirmAll()).toBeNull();
  });
});
