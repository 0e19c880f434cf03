// @vitest-environment jsdom
import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  ClientToolDialogs,
  ToolCallView,
  type ToolCallViewProps,
  Transcript,
} from '../../../src/components.ts';
import type { CallQuestion, PendingToolCall } from '../../../src/core/protocol/events.ts';
import type { ToolCallPart } from '../../../src/core/state/message.ts';
import { toQuestion } from '../../../src/core/transport/to-question.ts';
import { AgentChatProvider } from '../../../src/react/agent-chat-provider.tsx';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../../support/scripted-events.ts';
import { createTestTool } from '../create-test-tool.ts';

/** A call that the server asks about, as the native transports bring it. */
function asked(question: CallQuestion, args: Record<string, unknown> = {}, refusal?: string) {
  const {
    interactive: _,
    isApproval: __,
    ...definition
  } = toQuestion({
    toolCallId: 'c',
    toolName: 'refund',
    args,
    question,
    ...(question.ui === 'confirm' && { executedBy: 'server' as const }),
  }) ?? {};
  return createTestTool({ toolName: 'refund', args, definition, refusal });
}

/** The question of `context.ask`. */
function askedFor(output: z.ZodType, refusal?: string) {
  const { $schema: _, ...outputSchema } = z.toJSONSchema(output);
  return asked({ ui: 'form', description: 'Why?', outputSchema }, { message: 'Why?' }, refusal);
}

function show(...tools: ReturnType<typeof asked>[]) {
  render(<ClientToolDialogs tools={tools} mode="inline" />, { wrapper: StrictMode });
  return userEvent.setup();
}

describe('a question in the middle of a server tool', () => {
  test('for an object is a form that shows the message once', async () => {
    const tool = askedFor(z.object({ reason: z.string() }));
    const user = show(tool);
    expect(screen.getAllByText('Why?')).toHaveLength(1);
    await user.type(screen.getByLabelText('Reason'), 'broken');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(tool.submit).toHaveBeenCalledWith({ reason: 'broken' });
  });

  test('for one of several texts is a choice', async () => {
    const tool = askedFor(z.enum(['broken', 'late']));
    const user = show(tool);
    await user.click(screen.getByRole('radio', { name: 'Late' }));
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(tool.submit).toHaveBeenCalledWith('late');
  });

  test('for a yes or no can be answered with no', async () => {
    const tool = askedFor(z.boolean());
    const user = show(tool);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(tool.submit).toHaveBeenCalledWith(false);
  });

  test('that waits again because the server refused its answer says why', () => {
    show(askedFor(z.string(), 'The answer is too short.'));
    expect(screen.getAllByText('This answer was not accepted:').length).toBeGreaterThan(0);
    expect(screen.getByText('The answer is too short.')).toBeTruthy();
  });
});

describe('the approval of a server tool', () => {
  const approval: CallQuestion = {
    ui: 'confirm',
    title: 'Pay money back',
    confirmLabel: 'Pay',
    remember: true,
  };

  test('is a confirmation in the words of the server', async () => {
    const tool = asked({ ...approval, remember: false, severity: 'destructive' }, { amount: 80 });
    const user = show(tool);
    expect(screen.getByRole('heading', { name: 'Pay money back' })).toBeTruthy();
    expect(screen.queryByRole('checkbox')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Pay' }));
    expect(tool.submit).toHaveBeenCalledWith({ confirmed: true });
  });

  test.each([
    ['conversation', 'same', { sameArguments: true, scope: 'conversation' }],
    ['conversation', 'every', { sameArguments: false, scope: 'conversation' }],
    ['everywhere', 'same', { sameArguments: true }],
    ['everywhere', 'every', { sameArguments: false }],
  ])('asks the server to keep a yes as the person wants it: %s, %s', async (scope, calls, remember) => {
    const tool = asked(approval, { amount: 80 });
    const user = show(tool);
    await user.click(screen.getByRole('radio', { name: 'Always allow…' }));
    const where = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Where' });
    const which = screen.getByRole<HTMLSelectElement>('combobox', { name: 'For which calls' });
    // The first proposal covers the fewest calls.
    expect([where.value, which.value]).toEqual(['conversation', 'same']);
    expect([...where.options].map(({ text }) => text)).toEqual([
      'this conversation',
      'all your conversations',
    ]);
    await user.selectOptions(where, scope);
    await user.selectOptions(which, calls);
    await user.click(screen.getByRole('button', { name: 'Pay' }));
    expect(tool.submit.mock.calls).toEqual([[{ confirmed: true, remember }]]);
  });

  test('asks the server to keep no no, whatever was chosen for a yes', async () => {
    const tool = asked(approval, { amount: 80 });
    const user = show(tool);
    await user.click(screen.getByRole('radio', { name: 'Always allow…' }));
    await user.click(screen.getByRole('button', { name: 'Decline' }));
    expect(tool.decline.mock.calls).toEqual([[undefined, { confirmed: false }]]);
  });

  test('of a backend that decides for how long has no limits to choose', async () => {
    const tool = createTestTool({ definition: { remember: true } });
    const user = show(tool);
    await user.click(screen.getByRole('radio', { name: 'Always allow…' }));
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(screen.getByText(/^From now on this is allowed/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(tool.submit.mock.calls).toEqual([[{ confirmed: true, remember: true }]]);
  });

  test('asks the server to keep nothing by itself', async () => {
    const tool = asked(approval);
    const user = show(tool);
    await user.click(screen.getByRole('button', { name: 'Pay' }));
    expect(tool.submit).toHaveBeenCalledWith({ confirmed: true });
  });

  test('sends the arguments that the person corrected, and no choice: it would hold for others', async () => {
    const inputSchema = z.toJSONSchema(z.object({ amount: z.number() }));
    const tool = asked({ ...approval, editable: true, inputSchema }, { amount: 80 });
    const user = show(tool);
    await user.click(screen.getByRole('radio', { name: 'Always allow…' }));
    await user.click(screen.getByRole('button', { name: 'Change Amount' }));
    const field = await screen.findByLabelText('Amount');
    await user.clear(field);
    await user.type(field, '70');
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    await screen.findByText('Changed by you');
    expect(screen.queryByRole('radio')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Pay' }));
    expect(tool.submit).toHaveBeenCalledWith({
      confirmed: true,
      editedArgs: { amount: 70 },
      changedArgs: ['amount'],
    });
  });
});

async function setup(...calls: PendingToolCall[]) {
  const scripted = scriptedChat({ clientTools: { approve: 'interactive', ask: 'interactive' } });
  render(
    <AgentChatProvider chat={scripted.chat}>
      <Transcript>
        <ClientToolDialogs mode="inline" />
      </Transcript>
    </AgentChatProvider>,
    { wrapper: StrictMode },
  );
  await act(async () => {
    void scripted.chat.sendMessage('Hi');
    const run = await scripted.backend.request(0);
    run.send(start, request(...calls), awaitingAnswers);
    run.end();
    await settled();
    scripted.clock.frame();
  });
  return scripted;
}

test('a confirmation that the server refuses is asked again, with the reason', async () => {
  const user = userEvent.setup();
  const { backend, clock } = await setup(call('1', 'approve'));
  await user.click(screen.getByRole('button', { name: 'Confirm' }));
  await act(async () => {
    const answer = await backend.request(1);
    await clock.advance(200);
    const refused = { errorType: 'validation_error', source: 'platform', retryable: false } as const;
    answer.send({ type: 'error', code: 'invalid_receipt', message: 'The receipt is forged.', ...refused });
    answer.end();
    await settled();
    clock.frame();
  });
  expect(screen.getByText('The receipt is forged.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Confirm' }));
  await act(settled);
  expect(backend.commands).toHaveLength(3);
});

describe('a call that other people have to answer', () => {
  test.each([
    [{ waitsFor: 'the support team' }, 'waits for the support team'],
    [{}, 'waits for somebody else'],
  ])('has no dialog, and the transcript says who is waited for: %j', async (more, words) => {
    await setup({ ...call('1', 'approve'), mayAnswer: false, ...more });
    expect(screen.getByText(words)).toBeTruthy();
    expect(screen.queryByText('waits for you')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull();
  });

  test('does not hide the question beside it that this person may answer', async () => {
    await setup({ ...call('1', 'approve'), mayAnswer: false }, call('2', 'ask'));
    expect(screen.getAllByRole('button', { name: 'Confirm' })).toHaveLength(1);
    expect(screen.getByText('1 question needs your answer')).toBeTruthy();
    expect(screen.getByText('waits for you')).toBeTruthy();
  });

  const part: ToolCallPart = {
    type: 'tool-call',
    toolCallId: '1',
    toolName: 'refund',
    args: {},
    status: 'done',
    executedBy: 'client',
    outcome: 'submitted',
    answeredBy: { id: 'ada', name: 'Ada' },
  };
  test.each<[Partial<ToolCallPart>, string]>([
    [{ executedBy: 'server', result: { paid: true } }, 'allowed by Ada'],
    [{ executedBy: 'server', status: 'running' }, 'allowed by Ada'],
    // A form may have a field that is called `confirmed`.
    [{ result: { confirmed: true, remember: true } }, 'answered by Ada'],
    [{ executedBy: 'server', outcome: 'cancelled', status: 'cancelled' }, 'answered by Ada'],
    [{ result: { reason: 'broken' } }, 'answered by Ada'],
    [
      { outcome: 'declined', result: { outcome: 'declined', reason: 'too dear' } },
      'declined by Ada: too dear',
    ],
    [{ outcome: 'declined', reason: 'not now', result: { outcome: 'declined' } }, 'declined by Ada: not now'],
    [{ answeredBy: { id: 'ada' }, result: 'yes' }, 'answered by ada'],
  ])('says who answered it: %j', (more, words) => {
    const props: ToolCallViewProps = { part: { ...part, ...more } };
    const { container } = render(<ToolCallView {...props} />, { wrapper: StrictMode });
    expect(within(container).getByText(words)).toBeTruthy();
  });
});
