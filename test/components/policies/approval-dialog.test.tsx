// @vitest-environment jsdom
import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ClientToolDialogs, ConfirmationCard, ConfirmationDialog } from '../../../src/components.ts';
import type { PendingToolCall } from '../../../src/core/protocol/events.ts';
import { type ClientTools, createRememberedChoices, defineClientTool } from '../../../src/core.ts';
import { AgentChatProvider } from '../../../src/react/agent-chat-provider.tsx';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../../support/scripted-events.ts';
import { createTestTool } from '../create-test-tool.ts';

const execute = vi.fn((_args: unknown) => 'sent');
beforeEach(() => execute.mockClear());

async function setup(more: object, ...calls: PendingToolCall[]) {
  const choices = createRememberedChoices({ storage: createMemoryStorage() });
  const send = defineClientTool({
    title: 'Send email',
    description: 'It is sent from your address.',
    execute,
    approval: 'always',
    remember: true,
    ...more,
  });
  const scripted = scriptedChat({
    id: 'c',
    clientTools: { send } satisfies ClientTools,
    rememberedChoices: choices,
  });
  render(
    <AgentChatProvider chat={scripted.chat}>
      <ClientToolDialogs />
    </AgentChatProvider>,
    { wrapper: StrictMode },
  );
  await act(async () => {
    void scripted.chat.sendMessage('Hi');
    const run = await scripted.backend.request(0);
    run.send(start, request(...calls), awaitingAnswers);
    run.end();
    for (let turn = 0; turn < 10; turn += 1) await settled();
    scripted.clock.frame();
  });
  return { ...scripted, choices, user: userEvent.setup() };
}

const button = (name: string) => screen.getByRole('button', { name });
const mail = (id: string, to: string) => call(id, 'send', { to, action: 'Say hello' });

describe('the question whether a tool may run', () => {
  test('is in the words of the app, with every argument to read', async () => {
    const { user } = await setup({}, mail('1', 'ada@example.com'));
    const dialog = screen.getByRole('dialog', { name: 'Send email' });
    expect(document.getElementById(dialog.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'It is sent from your address.',
    );
    expect(screen.getByText('Action').nextSibling?.textContent).toBe('Say hello');
    expect(screen.queryByRole('button', { name: /^Change/ })).toBeNull();
    await user.click(button('Allow'));
    await act(settled);
    expect(execute.mock.calls).toEqual([[{ to: 'ada@example.com', action: 'Say hello' }, expect.anything()]]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('“Decline” runs nothing', async () => {
    const { user, backend } = await setup({}, mail('1', 'ada@example.com'));
    await user.click(button('Decline'));
    await act(settled);
    expect(execute).not.toHaveBeenCalled();
    expect(backend.commands[1]).toMatchObject({
      answers: [{ outcome: 'declined', result: { confirmed: false } }],
    });
  });

  test('all of a tool with one press, where its definition allows', async () => {
    const { user } = await setup({ approveAll: true }, mail('1', 'ada'), mail('2', 'bob'));
    await user.click(button('Allow all 2'));
    await act(settled);
    expect(execute).toHaveBeenCalledTimes(2);
  });

  test('those one press would allow are asked about in the words of the app as well', async () => {
    const erase = (id: string) => call(id, 'send', { action: 'Read the weather', description: 'Harmless' });
    const { user } = await setup({ title: undefined, approveAll: true }, mail('1', 'ada'), erase('2'));
    await user.click(screen.getByText(/1 more of the same kind/));
    const other = screen.getByRole('listitem');
    expect(other.querySelector('p')?.textContent).toBe('Send: It is sent from your address.');
    expect(within(other).getByText('Action').nextSibling?.textContent).toBe('Read the weather');
    expect(within(other).getByText('Description').nextSibling?.textContent).toBe('Harmless');
  });

  test('once per conversation says so, and covers those that wait', async () => {
    const { user } = await setup(
      { approval: 'once-per-conversation', approveAll: true },
      mail('1', 'ada'),
      mail('2', 'bob'),
    );
    expect(screen.getAllByText(/in this conversation without asking/)).toHaveLength(1);
    expect(screen.queryByRole('button', { name: /Allow all/ })).toBeNull();
    await user.click(button('Allow'));
    await act(settled);
    expect(execute).toHaveBeenCalledTimes(2);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

const always = () => screen.getByRole('radio', { name: 'Always allow…' });
const calls = () => screen.queryByRole<HTMLSelectElement>('combobox', { name: 'For which calls' });

describe('“Always allow…”', () => {
  test('is not chosen by itself: nothing is remembered', async () => {
    const { user, choices } = await setup({}, mail('1', 'ada'));
    expect(screen.queryByRole('radio', { name: 'Allow once', checked: true })).not.toBeNull();
    await user.click(button('Allow'));
    await act(settled);
    expect(choices.getChoices()).toEqual([]);
  });

  test.each([
    ['conversation', false],
    ['browser', true],
  ] as const)('keeps a yes: scope %s, same arguments %s', async (scope, sameArguments) => {
    const { user, choices } = await setup({}, mail('1', 'ada'));
    await user.click(always());
    const howLong = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Where' });
    expect(howLong.value).toBe('conversation');
    await user.selectOptions(howLong, scope);
    // The first proposal covers the fewest calls.
    expect(calls()?.value).toBe('same');
    if (!sameArguments) await user.selectOptions(calls() as Element, 'every call like this');
    await user.click(button('Allow'));
    await act(settled);
    expect(choices.getChoices()).toMatchObject([
      {
        toolName: 'send',
        choice: 'allowed',
        scope,
        ...(sameArguments && { args: { to: 'ada', action: 'Say hello' } }),
      },
    ]);
    expect(choices.getChoices()[0]?.args === undefined).toBe(!sameArguments);
  });

  test('keeps no no: it says how often to ask, and the next call is asked about again', async () => {
    const { user, choices } = await setup({}, mail('1', 'ada'));
    await user.click(always());
    await user.click(button('Add a note'));
    await user.keyboard('Never');
    await user.click(button('Decline'));
    await act(settled);
    expect([choices.getChoices(), execute.mock.calls]).toEqual([[], []]);
  });

  test('a no answers no other waiting call', async () => {
    const { user } = await setup({}, mail('1', 'ada'), mail('2', 'ada'));
    await user.click(always());
    await user.click(button('Decline'));
    await act(settled);
    expect(screen.getByText('To').nextSibling?.textContent).toBe('ada');
    expect(screen.queryByRole('radio', { name: 'Allow once', checked: true })).not.toBeNull();
  });

  test.each(['Allow', 'Decline'])('“%s” that came too late is not remembered', async (name) => {
    const user = userEvent.setup();
    const remember = vi.fn(async () => {});
    const tool = { ...createTestTool({ approvalReason: 'policy' }), remember };
    render(<ConfirmationDialog tool={tool} />);
    await user.click(always());
    // Answered in another tab, of which this one has not heard yet.
    tool.cancel();
    await user.click(button(name));
    expect(screen.getByRole('dialog').textContent).toContain('This was already answered');
    expect(remember).not.toHaveBeenCalled();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  test('a no that is pressed after the yes, before that was shown, is not remembered', async () => {
    const remember = vi.fn(async () => {});
    const tool = { ...createTestTool({ approvalReason: 'policy' }), remember };
    render(<ConfirmationCard tool={tool} />);
    act(() => always().click());
    act(() => {
      button('Allow').click();
      button('Decline').click();
    });
    expect(remember.mock.calls).toMatchObject([[{ choice: 'allowed' }]]);
  });

  test.each([
    ['severity', { severity: 'destructive' }],
    ['word to be typed', { confirmWord: 'send' }],
  ] as const)('is not offered by a dialog that was given a %s of its own', (_, props) => {
    const tool = createTestTool({ approvalReason: 'policy' });
    const { rerender } = render(<ConfirmationDialog tool={tool} />);
    expect(screen.queryAllByRole('radio')).toHaveLength(2);
    rerender(<ConfirmationDialog tool={tool} {...props} />);
    expect([document.querySelectorAll('.hr-dialog').length, screen.queryAllByRole('radio').length]).toEqual([
      1, 0,
    ]);
  });

  test('taken back before the answer is not remembered', async () => {
    const { user, choices } = await setup({}, mail('1', 'ada'));
    await user.click(always());
    expect(document.getElementById(always().getAttribute('aria-describedby') ?? '')?.textContent).toContain(
      'Do not ask again for ',
    );
    await user.click(screen.getByRole('radio', { name: 'Allow once' }));
    await user.click(button('Allow'));
    await act(settled);
    expect([choices.getChoices(), execute.mock.calls.length]).toEqual([[], 1]);
  });

  test('Escape chooses nothing, so nothing is remembered', async () => {
    const { user, choices } = await setup({}, mail('1', 'ada'));
    await user.click(always());
    await user.keyboard('{Escape}');
    await act(settled);
    expect([choices.getChoices(), execute.mock.calls]).toEqual([[], []]);
  });

  test('settles the other waiting calls it is about, and only those', async () => {
    const { user } = await setup({}, mail('1', 'ada'), mail('2', 'bob'), mail('3', 'ada'));
    await user.click(always());
    await user.click(button('Allow'));
    await act(settled);
    expect(execute.mock.calls.map(([args]) => args)).toMatchObject([{ to: 'ada' }, { to: 'ada' }]);
    expect(screen.getByText('To').nextSibling?.textContent).toBe('bob');
  });

  test('a yes is the answer to waiting calls of the tool, and to no other question', async () => {
    const said = { submit: [[{ confirmed: true }]], decline: [] };
    const user = userEvent.setup();
    const waiting = (toolCallId: string, toolName: string, more: object = { approvalReason: 'policy' }) =>
      createTestTool({ toolCallId, toolName, args: { of: toolCallId }, ...more });
    const [first, second] = [waiting('1', 'send'), waiting('2', 'send')];
    const others = [
      waiting('3', 'erase'),
      waiting('4', 'send', { approvalReason: 'interrupted' }),
      waiting('5', 'send', {}),
    ];
    render(<ClientToolDialogs tools={[first, ...others, second]} />);
    await user.click(always());
    await user.selectOptions(calls() as Element, 'every call like this');
    await user.click(button('Allow'));
    const answers = ({ submit, decline }: typeof first) => ({
      submit: submit.mock.calls,
      decline: decline.mock.calls,
    });
    expect([first, second].map(answers)).toEqual([said, said]);
    expect(others.map(answers)).toEqual(others.map(() => ({ submit: [], decline: [] })));
    expect(screen.getByText('3 of 5')).toBeTruthy();
  });

  test.each<[what: string, schema: z.ZodType, sent: [unknown, unknown]]>([
    ['dates', z.coerce.date(), ['2026-01-05', '2026-01-06']],
    ['sets', z.array(z.string()).transform((to) => new Set(to)), [['ada'], ['bob']]],
    ['maps', z.array(z.array(z.string())).transform((at) => new Map(at as [])), [[['a', '1']], [['a', '2']]]],
  ])('tells %s from one another: another one is another question', async (_, schema, [one, other]) => {
    const of = (id: string, what: unknown) => call(id, 'send', { what });
    const { user } = await setup(
      { input: z.object({ what: schema }) },
      of('1', one),
      of('2', other),
      of('3', one),
    );
    await user.click(always());
    await user.click(button('Allow'));
    await act(settled);
    const what = schema.parse(one);
    expect(execute.mock.calls.map(([args]) => args)).toEqual([{ what }, { what }]);
    expect(screen.getByRole('dialog', { name: 'Send email' })).toBeTruthy();
  });

  test.each([
    ['is destructive', { severity: 'destructive' }],
    ['wants a word to be typed', { confirmWord: 'send' }],
    ['does not allow it', { remember: false }],
  ])('is not offered for a tool that %s', async (_, more) => {
    await setup(more, mail('1', 'ada'));
    expect([document.querySelectorAll('.hr-dialog').length, screen.queryAllByRole('radio').length]).toEqual([
      1, 0,
    ]);
  });

  test('does not offer to keep secrets', async () => {
    const { user } = await setup({}, call('1', 'send', { to: 'ada', password: 'hunter2' }));
    await user.click(always());
    expect(screen.getByText(/Do not ask again for/).parentElement?.textContent).toContain(
      'every call like this',
    );
    expect(calls()).toBeNull();
  });
});
