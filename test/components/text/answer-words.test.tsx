// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  ChoiceCard,
  ChoiceDialog,
  ConfirmationCard,
  ConfirmationDialog,
  FormCard,
  FormDialog,
  ToolCallView,
} from '../../../src/components.ts';
import type { ToolCallPart } from '../../../src/core.ts';
import { createTestTool } from '../create-test-tool.ts';

const button = (name: string) => screen.getByRole('button', { name });
const verbs = { title: 'Delete project', confirmLabel: 'Delete project', declineLabel: 'Keep it' };
const shipping = {
  options: [
    { value: 'std', label: 'Standard' },
    { value: 'exp', label: 'Express' },
  ],
};

describe('the verbs of a tool', () => {
  test.each([
    ['a confirmation', <ConfirmationDialog key="" tool={createTestTool({ definition: verbs })} />],
    [
      'an approval',
      <ConfirmationDialog key="" tool={createTestTool({ definition: verbs, approvalReason: 'policy' })} />,
    ],
    ['a form', <FormDialog key="" tool={createTestTool({ definition: verbs })} schema={z.object({})} />],
    ['a choice', <ChoiceDialog key="" tool={createTestTool({ definition: verbs, args: shipping })} />],
  ])('the buttons of %s say the verbs of the definition', (_, dialog) => {
    render(dialog);
    expect(button('Delete project')).toBeTruthy();
    expect(button('Keep it')).toBeTruthy();
  });

  test('a second run keeps its own verbs, because the person decides about the run', () => {
    render(
      <ConfirmationDialog tool={createTestTool({ definition: verbs, approvalReason: 'interrupted' })} />,
    );
    expect(button('Run again')).toBeTruthy();
  });

  test('the submitLabel of a dialog comes before the verb of its tool', () => {
    render(
      <ChoiceDialog tool={createTestTool({ definition: verbs, args: shipping })} submitLabel="Ship it" />,
    );
    expect(button('Ship it')).toBeTruthy();
  });
});

describe('the outcome on a card', () => {
  const outcome = () => document.querySelector('.hr-outcome')?.textContent;

  test.each([
    [undefined, 'Confirm', 'Confirmed'],
    ['policy', 'Allow', 'Allowed'],
    ['interrupted', 'Run again', 'Allowed'],
  ] as const)(
    'a card about a call with approvalReason %s says after %s: %s',
    async (approvalReason, press, said) => {
      render(<ConfirmationCard tool={createTestTool({ ...(approvalReason && { approvalReason }) })} />);
      await userEvent.click(button(press));
      expect(outcome()).toBe(said);
    },
  );

  test.each([[undefined], [z.object({ speed: z.enum(['std', 'exp']) })]])(
    'the card of a choice says what the person chose',
    async (output) => {
      render(
        <ChoiceCard tool={createTestTool({ args: shipping, ...(output && { definition: { output } }) })} />,
      );
      await userEvent.click(screen.getByRole('radio', { name: 'Express' }));
      await userEvent.click(button('Send'));
      expect(outcome()).toBe('You chose Express');
    },
  );

  test('the card of a choice of several says all of them', async () => {
    render(<ChoiceCard tool={createTestTool({ args: { ...shipping, multiple: true } })} />);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Standard' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Express' }));
    await userEvent.click(button('Send'));
    expect(outcome()).toBe('You chose Standard, Express');
  });

  test('the card of a form says that it was answered', async () => {
    render(<FormCard tool={createTestTool()} schema={z.object({ name: z.string() })} />);
    await userEvent.type(screen.getByRole('textbox'), 'Ada');
    await userEvent.click(button('Send'));
    await waitFor(() => expect(outcome()).toBe('Answered'));
  });
});

describe('the outcome in the transcript', () => {
  const word = (part: Partial<ToolCallPart>) => {
    render(
      <ToolCallView
        part={{
          type: 'tool-call',
          toolCallId: '1',
          toolName: 'ask',
          args: {},
          status: 'done',
          outcome: 'submitted',
          executedBy: 'client',
          ...part,
        }}
      />,
    );
    return document.querySelector('.hr-call-word')?.textContent;
  };

  test.each<[string, Partial<ToolCallPart>, string]>([
    ['a tool that ran by itself', { result: { latitude: 1 } }, 'done'],
    ['a confirmation', { result: { confirmed: true } }, 'allowed by you'],
    [
      'a confirmation of changed arguments',
      { result: { confirmed: true, editedArgs: {}, changedArgs: ['a'] } },
      'allowed by you',
    ],
    ['a handler that says it confirmed an order', { result: { confirmed: true, orderId: 7 } }, 'done'],
    ['a choice', { args: shipping, result: { selected: 'exp' } }, 'you chose Express'],
    ['a choice of nothing in the list', { args: shipping, result: { selected: 'gold' } }, 'done'],
    [
      'a reason',
      { outcome: 'declined', result: { outcome: 'declined', reason: 'Too dear' } },
      'declined by you: “Too dear”',
    ],
    ['no reason', { outcome: 'declined', result: { outcome: 'declined' } }, 'declined'],
  ])('the row of a call says for %s what was said', (_, part, said) => {
    expect(word(part)).toBe(said);
  });
});

describe('a decline that requires a reason', () => {
  test('the button that declines asks why first, and the button that sends the reason is not the primary one', async () => {
    render(<ConfirmationDialog tool={createTestTool({ definition: { reason: 'required' } })} />);
    await userEvent.click(button('Decline'));
    expect(screen.getByRole('textbox', { name: 'Why not?' })).toBeTruthy();
    expect(button('Decline').dataset.look).not.toBe('primary');
  });
});
