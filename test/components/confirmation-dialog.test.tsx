// @vitest-environment jsdom
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  ConfirmationCard,
  ConfirmationDialog,
} from '../../src/components/confirmation/confirmation-dialog.tsx';
import { ClockContext } from '../../src/components/hooks/use-arming.ts';
import { englishLabels } from '../../src/components/text/labels.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createTestTool } from './create-test-tool.ts';

const button = (name: string) => screen.getByRole('button', { name });

describe('the answers of a confirmation', () => {
  test('Confirm submits', async () => {
    const user = userEvent.setup();
    const tool = createTestTool();
    const onSettled = vi.fn();
    render(<ConfirmationDialog tool={tool} onSettled={onSettled} />, { wrapper: StrictMode });
    await user.click(button('Confirm'));
    expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
    expect(onSettled.mock.calls).toEqual([['submitted']]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test.each([
    ['a boolean', z.boolean(), true],
    ['an object with one boolean', z.object({ agreed: z.boolean() }), { agreed: true }],
    [
      'an object with more properties',
      z.object({ agreed: z.boolean(), by: z.string() }),
      { confirmed: true },
    ],
  ])('Confirm submits the yes that an output schema of %s describes', async (_, output, result) => {
    const user = userEvent.setup();
    const tool = createTestTool({ definition: { output, ui: 'confirm' } });
    render(<ConfirmationDialog tool={tool} />);
    await user.click(button('Confirm'));
    expect(tool.submit.mock.calls).toEqual([[result]]);
  });

  test('Confirm ignores the output schema of a tool with a handler', async () => {
    const user = userEvent.setup();
    const tool = createTestTool({ approvalReason: 'policy', definition: { output: z.boolean() } });
    render(<ConfirmationDialog tool={tool} />);
    await user.click(button('Allow'));
    expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
  });

  test('the question says which agent asks, if the agent of the conversation started it', () => {
    render(<ConfirmationDialog tool={createTestTool({ origin: 'Bookkeeper' })} />);
    expect(document.querySelector('.hr-strip')?.textContent).toContain('for its agent “Bookkeeper”');
  });

  test('Decline answers no, with the note if the person wrote one', async () => {
    const user = userEvent.setup();
    const tool = createTestTool();
    const onSettled = vi.fn();
    render(<ConfirmationDialog tool={tool} onSettled={onSettled} />);
    await user.click(button('Add a note'));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Note, the agent reads this' }));
    await user.keyboard('  Too expensive ');
    await user.click(button('Decline'));
    expect(tool.decline.mock.calls).toEqual([['Too expensive', { confirmed: false }]]);
    expect(onSettled.mock.calls).toEqual([['declined']]);
  });

  test('Confirm sends the note as the reason of the yes', async () => {
    const user = userEvent.setup();
    const tool = createTestTool();
    render(<ConfirmationDialog tool={tool} />);
    await user.click(button('Add a note'));
    await user.keyboard('No sugar');
    await user.click(button('Confirm'));
    expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }, { reason: 'No sugar' }]]);
  });

  test('a half-typed note is saved with the call, over a reload', async () => {
    const user = userEvent.setup();
    const tool = createTestTool();
    const note = () => screen.getByRole<HTMLTextAreaElement>('textbox').value;
    const { unmount } = render(<ConfirmationDialog tool={tool} />);
    await user.click(button('Add a note'));
    await user.keyboard('Too exp');
    unmount();
    render(<ConfirmationDialog tool={tool} />);
    expect(note()).toBe('Too exp');
    await user.click(button('Decline'));
    expect(tool.decline.mock.calls).toEqual([['Too exp', { confirmed: false }]]);
  });

  test('an empty note is not sent', async () => {
    const user = userEvent.setup();
    const tool = createTestTool();
    render(<ConfirmationDialog tool={tool} />);
    await user.click(button('Add a note'));
    await user.keyboard('  ');
    await user.click(button('Decline'));
    expect(tool.decline.mock.calls).toEqual([[undefined, { confirmed: false }]]);
  });

  test.each([
    ['Escape', () => fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' })],
    ['the cross', () => fireEvent.click(button('Cancel'))],
  ])('%s cancels', (_, leave) => {
    const tool = createTestTool();
    const onSettled = vi.fn();
    render(<ConfirmationDialog tool={tool} onSettled={onSettled} />);
    leave();
    expect(tool.cancel.mock.calls).toEqual([[]]);
    expect(tool.decline).not.toHaveBeenCalled();
    expect(onSettled.mock.calls).toEqual([['cancelled']]);
  });

  test('a press on the backdrop does nothing', async () => {
    const user = userEvent.setup();
    const tool = createTestTool();
    render(<ConfirmationDialog tool={tool} />);
    // The dialog listens from the next task on, so that the click that opened it does not close it.
    await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
    await user.click(document.querySelector('.hr-overlay') as Element);
    expect(tool.cancel).not.toHaveBeenCalled();
    expect(screen.getByRole('dialog')).toBeTruthy();
  });

  test.each([
    ['while composing', { isComposing: true }],
    ['with the key code of Safari', { keyCode: 229 }],
  ])('Escape that ends a composition does not cancel, %s', (_, how) => {
    const tool = createTestTool();
    render(<ConfirmationDialog tool={tool} />);
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape', ...how });
    expect(tool.cancel).not.toHaveBeenCalled();
    expect(screen.getByRole('dialog')).toBeTruthy();
  });
});

describe('the texts of a confirmation', () => {
  test.each([
    ['an action', {}, [/confirm/i, /decline/i, /cancel/i]],
    ['an approval', { approvalReason: 'policy' }, [/allow/i, /decline/i, /cancel/i]],
    ['a second run', { approvalReason: 'interrupted' }, [/run again/i, /do not run/i, /cancel/i]],
  ] as const)(
    'a confirmation about %s has buttons whose names do not contain each other',
    (_, options, names) => {
      render(<ConfirmationDialog tool={createTestTool(options)} />);
      for (const name of names) expect(screen.getAllByRole('button', { name })).toHaveLength(1);
    },
  );

  test('a confirmation shows each text and each argument once, and no JSON', () => {
    const args = { action: 'Place order', description: 'Two flat whites.', milk: 'oat' };
    render(<ConfirmationDialog tool={createTestTool({ args })} />);
    expect(screen.getByText(/Two flat whites/).tagName).toBe('BLOCKQUOTE');
    expect(screen.getAllByText('oat')).toHaveLength(1);
    expect(screen.queryByText('Details')).toBeNull();
    expect(document.querySelector('pre')).toBeNull();
  });

  test.each([
    ['title', { action: `${'x'.repeat(160)} to Eve` }, 'Action'],
    ['message', { action: 'Pay', description: `${'x'.repeat(2_000)} to Eve` }, 'Description'],
  ])('a %s that is cut is listed as an argument, where it can be read whole', async (_, args, name) => {
    const user = userEvent.setup();
    render(<ConfirmationDialog tool={createTestTool({ args })} />);
    const row = screen.getByText(name).parentElement as HTMLElement;
    if (!row.textContent.includes('to Eve'))
      await user.click(within(row).getByRole('button', { name: /^Show all/ }));
    expect(row.textContent).toContain(' to Eve');
  });
});

describe('refused answers', () => {
  test.each([
    ['already-settled', englishLabels.alreadySettled],
    ['expired', englishLabels.expired],
  ] as const)('an answer refused as %s is explained, with Close as the only button', async (reason, text) => {
    const user = userEvent.setup();
    const tool = createTestTool({ refusals: [{ settled: false, reason }] });
    const onSettled = vi.fn();
    render(<ConfirmationDialog tool={tool} onSettled={onSettled} />);
    await user.click(button('Confirm'));
    expect(screen.getByRole('status').textContent).toBe(text);
    expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull();
    await user.click(button('Close'));
    expect(onSettled.mock.calls).toEqual([['expired']]);
    expect(tool.cancel).not.toHaveBeenCalled();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('an answer refused as invalid shows its issues and can be sent again', async () => {
    const user = userEvent.setup();
    const issues = [{ message: 'Expected a receipt', path: ['items', 0, { key: 'receipt' }] }];
    const tool = createTestTool({ refusals: [{ settled: false, reason: 'invalid-result', issues }] });
    render(<ConfirmationDialog tool={tool} />);
    await user.click(button('Confirm'));
    expect(screen.getByRole('listitem').textContent).toBe('Items › 1 › Receipt: Expected a receipt');
    expect(screen.getByRole('status').textContent).toContain('Items › 1 › Receipt: Expected a receipt');
    await user.click(button('Confirm'));
    expect(tool.submit).toHaveBeenCalledTimes(2);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('another call resets the question', async () => {
    const user = userEvent.setup();
    const ended = createTestTool({ refusals: [{ settled: false, reason: 'expired' }] });
    const { rerender } = render(<ConfirmationDialog tool={ended} />);
    await user.click(button('Confirm'));
    rerender(<ConfirmationDialog tool={createTestTool({ toolCallId: 'call-2' })} />);
    expect(screen.getByRole('status').textContent).toBe('');
    expect(button('Confirm')).toBeTruthy();
  });
});

describe('the first focus of a confirmation', () => {
  test.each([
    ['neutral by default', {}, 'Confirm'],
    ['caution', { severity: 'caution' }, 'Decline'],
    ['destructive', { severity: 'destructive' }, 'Decline'],
    ['annotations without a destructiveHint', { annotations: {} }, 'Decline'],
    ['a trusted readOnlyHint', { annotations: { readOnlyHint: true }, annotationsTrusted: true }, 'Confirm'],
    ['an untrusted readOnlyHint', { annotations: { readOnlyHint: true } }, 'Decline'],
    [
      'a trusted destructiveHint: false',
      { annotations: { destructiveHint: false }, annotationsTrusted: true },
      'Decline',
    ],
  ] as const)('the first focus for %s', (_, definition, name) => {
    render(<ConfirmationDialog tool={createTestTool({ definition })} />);
    expect(document.activeElement).toBe(button(name));
  });

  test('a card takes no focus', () => {
    render(<ConfirmationCard tool={createTestTool()} />);
    expect(document.activeElement).toBe(document.body);
    expect(screen.getByRole('region', { name: 'Place order' })).toBeTruthy();
  });
});

test('a word to type blocks Confirm, explains why, and keeps the typed text', async () => {
  const user = userEvent.setup();
  const tool = createTestTool({ definition: { severity: 'destructive', confirmWord: 'DELETE' } });
  render(<ConfirmationDialog tool={tool} />);
  await user.type(screen.getByRole('textbox'), 'delete');
  await user.click(button('Confirm'));
  expect(tool.submit).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Type DELETE to allow this' }));
  const said = screen.getByText(englishLabels.typeToConfirmMissing('DELETE'));
  expect(screen.getByRole('textbox').getAttribute('aria-describedby')).toBe(said.id);
  expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('true');
  await user.clear(screen.getByRole('textbox'));
  expect(screen.queryByText(englishLabels.typeToConfirmMissing('DELETE'))).toBeNull();
  expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('false');
  await user.keyboard('DELETE{Enter}');
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test.each(['neutral', 'destructive'] as const)(
  'a %s confirmation with a word to type starts at its field, and its Confirm does not count before the word matches',
  async (severity) => {
    const tool = createTestTool();
    render(<ConfirmationDialog tool={tool} severity={severity} confirmWord="GO" />);
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Type GO to allow this' }));
    expect(button('Confirm').getAttribute('aria-disabled')).toBe('true');
    await userEvent.keyboard('{Enter}');
    expect(tool.submit).not.toHaveBeenCalled();
  },
);

test('a word to type is compared without surrounding whitespace', async () => {
  const user = userEvent.setup();
  const tool = createTestTool();
  render(<ConfirmationDialog tool={tool} confirmWord=" My notes " />);
  await user.type(screen.getByRole('textbox'), 'My notes{Enter}');
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test('a deadline counts down and is read out three times', async () => {
  const clock = createManualClock(Date.UTC(2026, 0, 5, 10));
  const tool = createTestTool({ expiresAt: new Date(Date.UTC(2026, 0, 5, 10, 1, 30)) });
  const { unmount } = render(
    <ClockContext.Provider value={clock}>
      <ConfirmationDialog tool={tool} />
    </ClockContext.Provider>,
  );
  const said: string[] = [];
  for (let second = 0; second <= 90; second += 1) {
    const text = screen.getByRole('status').textContent ?? '';
    if (text !== said.at(-1)) said.push(text);
    if (second === 1)
      expect(screen.getByRole('timer', { name: 'Answer within 1:29' }).textContent).toBe('1:29');
    await act(() => clock.advance(1_000));
  }
  expect(said).toEqual(['', '1 minute left', '30 seconds left', '10 seconds left', '']);
  expect(screen.getByRole('timer').textContent).toBe('0:00');
  unmount();
  expect(clock.waiting).toBe(0);
});

test('a deadline that is near when the question opens is read out with its real time', async () => {
  const clock = createManualClock(Date.UTC(2026, 0, 5, 10));
  const tool = createTestTool({ expiresAt: new Date(Date.UTC(2026, 0, 5, 10, 0, 45)) });
  render(
    <ClockContext.Provider value={clock}>
      <ConfirmationDialog tool={tool} />
    </ClockContext.Provider>,
  );
  expect(screen.getByRole('status').textContent).toBe('45 seconds left');
  await act(() => clock.advance(15_000));
  expect(screen.getByRole('status').textContent).toBe('30 seconds left');
});

test('the countdown of an answered card is neither shown nor read out', async () => {
  const clock = createManualClock(Date.UTC(2026, 0, 5, 10));
  const tool = createTestTool({ expiresAt: new Date(Date.UTC(2026, 0, 5, 10, 0, 45)) });
  render(
    <ClockContext.Provider value={clock}>
      <ConfirmationCard tool={tool} />
    </ClockContext.Provider>,
  );
  await userEvent.click(button('Confirm'));
  await act(() => clock.advance(15_000));
  expect(screen.queryByRole('timer')).toBeNull();
  expect(screen.queryByRole('status')).toBeNull();
});

test('an ended call shows no countdown', async () => {
  const tool = createTestTool({
    expiresAt: new Date(Date.now() + 60_000),
    refusals: [{ settled: false, reason: 'already-settled' }],
  });
  render(<ConfirmationDialog tool={tool} />);
  expect(screen.getByRole('timer')).toBeTruthy();
  await userEvent.click(button('Confirm'));
  expect(screen.queryByRole('timer')).toBeNull();
});

test('labels replace the strings that they name and no others', () => {
  render(<ConfirmationDialog tool={createTestTool()} labels={{ confirm: 'Ja', cancel: 'Weg damit' }} />);
  expect(button('Ja')).toBeTruthy();
  expect(button('Weg damit')).toBeTruthy();
  expect(button('Decline')).toBeTruthy();
});

test('state, outcome and severity are data attributes in the DOM', async () => {
  const user = userEvent.setup();
  const tool = createTestTool({ definition: { severity: 'caution' } });
  render(<ConfirmationCard tool={tool} className="mine" />);
  const card = screen.getByRole('region');
  expect([card.className, card.dataset.severity, card.dataset.answer]).toEqual([
    'hr-surface hr-card mine',
    'caution',
    'waiting',
  ]);
  await user.click(button('Decline'));
  expect([card.dataset.answer, card.dataset.outcome]).toEqual(['settled', 'declined']);
});

test('a second press before the first is rendered changes nothing', () => {
  const tool = createTestTool();
  const onSettled = vi.fn();
  render(<ConfirmationCard tool={tool} onSettled={onSettled} />);
  const confirm = button('Confirm');
  act(() => {
    confirm.click();
    confirm.click();
    button('Decline').click();
  });
  expect(tool.submit).toHaveBeenCalledOnce();
  expect(tool.decline).not.toHaveBeenCalled();
  expect(onSettled.mock.calls).toEqual([['submitted']]);
  expect(screen.getByRole('region').dataset.outcome).toBe('submitted');
});

test('Escape before an answer is rendered does not revert it', () => {
  const tool = createTestTool();
  const onSettled = vi.fn();
  render(<ConfirmationDialog tool={tool} onSettled={onSettled} />);
  act(() => {
    button('Confirm').click();
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  });
  expect(tool.cancel).not.toHaveBeenCalled();
  expect(onSettled.mock.calls).toEqual([['submitted']]);
  expect(screen.queryByRole('dialog')).toBeNull();
});
