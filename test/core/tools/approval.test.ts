import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  type AgentChatOptions,
  type ClientTools,
  createPersistence,
  createRememberedChoices,
  defineClientTool,
  type ToolApproval,
} from '../../../src/core.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { answersOf, asked, definitionOf, payTool, settledIn } from '../../support/asked-calls.ts';
import { createDeferred } from '../../support/deferred.ts';
import { scriptedChat } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../../support/scripted-events.ts';

const report = vi.fn();
const payCall = { toolName: 'pay', args: {}, conversationId: 'c' };

beforeEach(() => {
  report.mockReset();
  vi.stubGlobal('reportError', report);
});
afterEach(() => vi.unstubAllGlobals());

describe('a tool that needs approval', () => {
  it('a tool with approval waits with the parsed arguments, and its handler runs with them once allowed', async () => {
    const { execute } = payTool('always');
    const tools = {
      pay: defineClientTool({
        title: 'Pay the bill',
        severity: 'caution',
        input: z.object({ amount: z.coerce.number(), currency: z.string().default('EUR') }),
        execute,
        approval: 'always',
        timeoutMs: 5_000,
      }),
    };
    const { chat, waiting, sent, clock, backend } = await asked(tools, [call('1', 'pay', { amount: '5' })]);
    await sent;
    expect(chat.getState().status).toBe('awaiting-input');
    const [tool] = waiting();
    expect(tool).toMatchObject({ approvalReason: 'policy', args: { amount: 5, currency: 'EUR' } });
    expect(tool?.definition).toMatchObject({ interactive: true, title: 'Pay the bill', severity: 'caution' });
    expect(tool).not.toHaveProperty('expiresAt');
    expect(tool).not.toHaveProperty('remember');
    // The time limit of the handler does not apply to the person.
    await clock.advance(600_000);
    expect(execute).not.toHaveBeenCalled();
    expect(tool?.submit(undefined)).toEqual({ settled: true });
    expect(tool?.submit(undefined)).toEqual({ settled: false, reason: 'already-settled' });
    await settledIn();
    expect(execute.mock.calls).toEqual([[{ amount: 5, currency: 'EUR' }, expect.anything()]]);
    expect(answersOf(backend.commands)).toMatchObject([{ outcome: 'submitted', result: 'paid' }]);
  });

  it.each([
    ['declined', { outcome: 'declined', result: { confirmed: false, outcome: 'declined', reason: 'no' } }],
    ['cancelled', { outcome: 'cancelled', error: 'no' }],
  ] as const)('a tool whose call was %s never runs, and the agent gets that outcome', async (how, answer) => {
    const { execute, tools } = payTool('always');
    const { waiting, backend } = await asked(tools, [call('1', 'pay')]);
    const [tool] = waiting();
    if (how === 'declined') tool?.decline('no', { confirmed: false });
    else tool?.cancel('no');
    expect(tool?.submit(undefined)).toEqual({ settled: false, reason: 'already-settled' });
    await settledIn();
    expect(execute).not.toHaveBeenCalled();
    expect(answersOf(backend.commands)).toMatchObject([answer]);
  });

  it.each([false, { approved: false }, { confirmed: false }, { outcome: 'declined' }])(
    'the value %j of a dialog is a no: the tool never runs',
    async (no) => {
      const { execute, tools } = payTool('always');
      const { waiting, backend } = await asked(tools, [call('1', 'pay')]);
      expect(waiting()[0]?.submit(no)).toEqual({ settled: true });
      await settledIn();
      expect(execute).not.toHaveBeenCalled();
      expect(answersOf(backend.commands)).toMatchObject([{ outcome: 'declined' }]);
    },
  );

  it('arguments that do not match the schema are refused without a question', async () => {
    const execute = vi.fn(() => 'paid');
    const pay = defineClientTool({ input: z.object({ amount: z.number() }), execute, approval: 'always' });
    const { waiting, backend } = await asked({ pay }, [call('1', 'pay', { amount: 'much' })]);
    expect([waiting(), execute.mock.calls]).toEqual([[], []]);
    expect(answersOf(backend.commands)).toMatchObject([{ outcome: 'failed' }]);
  });

  it('a call whose handler runs cannot be declined any more, in any tab', async () => {
    const slow = createDeferred<string>();
    const tools = { pay: defineClientTool({ execute: () => slow.promise, approval: 'always' }) };
    const { waiting, backend } = await asked(tools, [call('1', 'pay')]);
    const [tool] = waiting();
    tool?.submit(undefined);
    expect(tool?.decline('late')).toEqual({ settled: false, reason: 'already-settled' });
    slow.resolve('paid');
    await settledIn();
    expect(answersOf(backend.commands)).toMatchObject([{ outcome: 'submitted', result: 'paid' }]);
  });

  it('the deadline of the agent ends the question, and no handler runs after it', async () => {
    const { execute, tools } = payTool('always');
    const deadline = 1_000 + (await asked({}, [])).clock.now();
    const { waiting, clock, chat } = await asked(tools, [{ ...call('1', 'pay'), deadline }]);
    const [tool] = waiting();
    expect(tool?.expiresAt).toEqual(new Date(deadline));
    await clock.advance(1_000);
    expect(tool?.submit(undefined)).toEqual({ settled: false, reason: 'expired' });
    expect(execute).not.toHaveBeenCalled();
    expect(chat.getState().status).toBe('idle');
  });

  it('a deadline applies until the approval: the handler may take longer', async () => {
    const slow = createDeferred<string>();
    const tools = { pay: defineClientTool({ execute: () => slow.promise, approval: 'always' }) };
    const deadline = 1_000 + (await asked({}, [])).clock.now();
    const { waiting, clock, backend } = await asked(tools, [{ ...call('1', 'pay'), deadline }]);
    waiting()[0]?.submit(undefined);
    await clock.advance(2_000);
    slow.resolve('paid');
    await settledIn();
    expect(answersOf(backend.commands)).toMatchObject([{ outcome: 'submitted', result: 'paid' }]);
  });

  it('stop() ends the question, and a later approval runs no handler', async () => {
    const { execute, tools } = payTool('always');
    const { waiting, chat } = await asked(tools, [call('1', 'pay')]);
    const [tool] = waiting();
    chat.stop();
    expect(tool?.submit(undefined)).toEqual({ settled: false, reason: 'already-settled' });
    await settledIn();
    expect(execute).not.toHaveBeenCalled();
  });

  it('maxToolRounds counts from the last approval, as it is an answer of a person', async () => {
    const { tools } = payTool('always');
    const { waiting, backend, chat } = await asked(tools, [call('1', 'pay')], { maxToolRounds: 1 });
    for (const round of [1, 2, 3]) {
      waiting()[0]?.submit(undefined);
      await settledIn();
      const next = await backend.request(round);
      next.send(request(call(`${round + 1}`, 'pay')), awaitingAnswers);
      next.end();
      await settledIn();
    }
    expect(chat.getState()).toMatchObject({ status: 'awaiting-input', error: null });
  });

  it('maxToolRounds goes on counting over a question that nobody answers', async () => {
    const { tools } = payTool('always');
    const clientTools = { ...tools, now: () => 'noon' };
    const deadline = createManualClock().now() + 1_000;
    const calls = (id: string) => [call(`now-${id}`, 'now'), { ...call(`pay-${id}`, 'pay'), deadline }];
    const { chat, clock, backend } = await asked(clientTools, calls('1'), { maxToolRounds: 1 });
    await clock.advance(1_000);
    (await backend.request(1)).send(start, request(...calls('2')), awaitingAnswers);
    await settledIn();
    await clock.advance(1_000);
    expect(chat.getState().error?.code).toBe('tool_rounds_exceeded');
  });
});

describe('the policy', () => {
  it('the policy never, or no policy, runs the handler without a question', async () => {
    const { execute, tools } = payTool('never');
    await asked(tools, [call('1', 'pay')]);
    expect(execute).toHaveBeenCalledOnce();
  });

  it('the policy once-per-conversation asks once, and one approval allows the calls that wait beside it', async () => {
    const { execute, tools } = payTool('once-per-conversation');
    const { waiting, backend } = await asked(tools, [call('1', 'pay'), call('2', 'pay')]);
    expect(waiting()).toMatchObject([{ oncePerConversation: true }, { oncePerConversation: true }]);
    waiting()[1]?.submit(undefined);
    await settledIn();
    expect(execute).toHaveBeenCalledTimes(2);
    const next = await backend.request(1);
    next.send(request(call('3', 'pay')), awaitingAnswers);
    await settledIn();
    expect([execute.mock.calls.length, waiting()]).toEqual([3, []]);
  });

  it.each([
    ['always: an approval allows that call alone', 'always', 'pay'],
    ['once-per-conversation: an approval does not allow another tool', 'once-per-conversation', 'refund'],
  ] as const)('the policy %s', async (_, approval, other) => {
    const { execute } = payTool(approval);
    const pay = defineClientTool({ execute, approval });
    const { waiting } = await asked({ pay, refund: pay }, [call('1', 'pay'), call('2', other)]);
    waiting()[0]?.submit(undefined);
    await settledIn();
    expect(execute).toHaveBeenCalledOnce();
    expect(waiting()).toMatchObject([{ toolCallId: '2' }]);
  });

  it('the policy once-per-conversation: a call that the handler of another call allows runs once', async () => {
    const execute = vi.fn((_: unknown, { toolCallId }: { toolCallId: string }) => {
      if (toolCallId === '2') waiting()[0]?.submit(undefined);
    });
    const pay = defineClientTool({ execute, approval: 'once-per-conversation' });
    const { waiting } = await asked({ pay }, [call('1', 'pay'), call('2', 'pay'), call('3', 'pay')]);
    waiting()[0]?.submit(undefined);
    await settledIn();
    expect(execute.mock.calls.map(([, { toolCallId }]) => toolCallId)).toEqual(['1', '2', '3']);
  });

  it('the policy once-per-conversation: a declined call does not allow the next one', async () => {
    const { execute, tools } = payTool('once-per-conversation');
    const { waiting } = await asked(tools, [call('1', 'pay'), call('2', 'pay')]);
    waiting()[0]?.decline();
    await settledIn();
    expect(waiting()).toMatchObject([{ toolCallId: '2' }]);
    expect(execute).not.toHaveBeenCalled();
  });

  it.each<[string, () => boolean | Promise<boolean>, 'waits' | 'runs']>([
    ['true', () => true, 'waits'],
    ['false', () => false, 'runs'],
    ['a promise of true', async () => true, 'waits'],
    ['a promise of false', async () => false, 'runs'],
  ])('a policy function that returns %s: the call %s', async (_, approval, what) => {
    const { execute, tools } = payTool(approval);
    const { waiting } = await asked(tools, [call('1', 'pay')]);
    expect([waiting().length, execute.mock.calls.length]).toEqual(what === 'waits' ? [1, 0] : [0, 1]);
    expect(report).not.toHaveBeenCalled();
  });

  it('a policy function gets the parsed arguments, the call, and a signal that aborts with the turn', async () => {
    const approval = vi.fn(
      (_args: { amount: number }, _context: { signal: AbortSignal }) => new Promise<boolean>(() => {}),
    );
    const input = z.object({ amount: z.coerce.number() });
    const pay = defineClientTool({ input, execute: () => 'paid', approval });
    const { chat } = await asked({ pay }, [call('1', 'pay', { amount: '5' })]);
    const [args, context] = approval.mock.calls[0] ?? [];
    expect([args, context]).toMatchObject([{ amount: 5 }, { toolCallId: '1', toolName: 'pay' }]);
    expect(context?.signal.aborted).toBe(false);
    chat.stop();
    expect(context?.signal.aborted).toBe(true);
  });

  it('a policy function that returns false after the turn was stopped runs no handler', async () => {
    const answer = createDeferred<boolean>();
    const { execute, tools } = payTool(() => answer.promise);
    const { chat, waiting } = await asked(tools, [call('1', 'pay')]);
    chat.stop();
    answer.resolve(false);
    await settledIn();
    expect([execute.mock.calls, waiting()]).toEqual([[], []]);
  });

  const odd = (policy: unknown) => policy as ToolApproval<Record<string, unknown>>;
  it.each([
    [
      'throws',
      odd(() => {
        throw new Error('broken');
      }),
      'broken',
    ],
    ['rejects', odd(() => Promise.reject(new Error('broken'))), 'broken'],
    ['returns nothing', odd(() => {}), 'approval of tool pay returned undefined'],
    ['returns a string', odd(() => 'false'), 'approval of tool pay returned false'],
    ['returns 0', odd(() => 0), 'approval of tool pay returned 0'],
  ])('a policy that %s leads to a question and is reported', async (_, approval, message) => {
    const { execute, tools } = payTool(approval);
    const { waiting } = await asked(tools, [call('1', 'pay')]);
    expect([waiting().length, execute.mock.calls.length]).toEqual([1, 0]);
    expect(report.mock.calls).toEqual([
      [expect.objectContaining({ message: expect.stringContaining(message) })],
    ]);
  });

  it.each(['sometimes', null, false])('a policy that is %j is refused before any call', (approval) => {
    expect(() => payTool(odd(approval))).toThrow(
      `approval of a client tool must be 'never', 'always', 'once-per-conversation' or a function, not ${JSON.stringify(approval)}.`,
    );
  });

  it('a policy that does not answer leads to a question after ten seconds and is reported', async () => {
    const { tools } = payTool(() => new Promise(() => {}));
    const { waiting, clock } = await asked(tools, [call('1', 'pay')]);
    await clock.advance(9_999);
    expect(waiting()).toEqual([]);
    await clock.advance(1);
    await settledIn();
    expect(waiting()).toHaveLength(1);
    expect(report).toHaveBeenCalledOnce();
  });
});

describe('remembered choices', () => {
  const remembered = () => createRememberedChoices({ storage: createMemoryStorage() });

  it('remembering a choice is offered only when the tool allows it and the app has a store for it', async () => {
    const rememberedChoices = remembered();
    const offered = async (more: object, options = { rememberedChoices } as Partial<AgentChatOptions>) => {
      const { waiting } = await asked(payTool('always', more).tools, [call('1', 'pay')], options);
      return waiting()[0]?.remember !== undefined;
    };
    expect(await offered({ remember: true })).toBe(true);
    expect(await offered({ remember: true, severity: 'caution' })).toBe(true);
    expect(await offered({})).toBe(false);
    expect(await offered({ remember: true }, {})).toBe(false);
    expect(await offered({ remember: true, severity: 'destructive' })).toBe(false);
    expect(await offered({ remember: true, annotations: { readOnlyHint: false } })).toBe(false);
    expect(await offered({ remember: true, confirmWord: 'pay' })).toBe(false);
  });

  it('a remembered approval lets the next call run without a question, until the choice is removed', async () => {
    const rememberedChoices = remembered();
    const { execute, tools } = payTool('always', { remember: true });
    const first = await asked(tools, [call('1', 'pay')], { rememberedChoices });
    const [tool] = first.waiting();
    tool?.submit(undefined);
    await tool?.remember?.({ choice: 'allowed', scope: 'browser' });
    const second = await asked(tools, [call('2', 'pay')], { rememberedChoices, id: 'd' });
    expect([execute.mock.calls.length, second.waiting()]).toEqual([2, []]);
    await rememberedChoices.revokeAll();
    const third = await asked(tools, [call('3', 'pay')], { rememberedChoices });
    expect([execute.mock.calls.length, third.waiting().length]).toEqual([2, 1]);
  });

  it('a remembered choice does not contain arguments that the tool declares secret', async () => {
    const rememberedChoices = remembered();
    const input = z.object({ code: z.string().meta({ writeOnly: true }) });
    const { tools } = payTool('always', { remember: true, input });
    const { waiting } = await asked(tools, [call('1', 'pay', { code: '4711' })], { rememberedChoices });
    await waiting()[0]?.remember?.({ choice: 'allowed', scope: 'browser', sameArguments: true });
    expect(rememberedChoices.getChoices()).toEqual([]);
  });

  it('a remembered approval that was removed does not count for the rest of the conversation', async () => {
    const rememberedChoices = remembered();
    const { execute, tools } = payTool('once-per-conversation', { remember: true });
    const choice = { ...payCall, definition: definitionOf(tools, 'pay') };
    await rememberedChoices.remember(choice, { choice: 'allowed', scope: 'browser' });
    const { backend, waiting } = await asked(tools, [call('1', 'pay')], { rememberedChoices });
    expect(execute).toHaveBeenCalledOnce();
    await rememberedChoices.revokeAll();
    (await backend.request(1)).send(request(call('2', 'pay')), awaitingAnswers);
    await settledIn();
    expect(waiting()).toMatchObject([{ toolCallId: '2' }]);
  });

  it('a remembered approval for one conversation does not count in another', async () => {
    const rememberedChoices = remembered();
    const { tools } = payTool('always', { remember: true });
    const first = await asked(tools, [call('1', 'pay')], { rememberedChoices, id: 'c' });
    await first.waiting()[0]?.remember?.({ choice: 'allowed', scope: 'conversation' });
    expect((await asked(tools, [call('1', 'pay')], { rememberedChoices, id: 'd' })).waiting()).toHaveLength(
      1,
    );
    expect((await asked(tools, [call('1', 'pay')], { rememberedChoices, id: 'c' })).waiting()).toHaveLength(
      0,
    );
  });

  it('a remembered approval does not count for a tool that has become destructive since', async () => {
    const rememberedChoices = remembered();
    const { execute, tools } = payTool('always', { remember: true, severity: 'destructive' });
    // Even if the choice were about the tool as it is.
    await rememberedChoices.remember(
      { ...payCall, definition: definitionOf(tools, 'pay') },
      { choice: 'allowed', scope: 'browser' },
    );
    const { waiting } = await asked(tools, [call('1', 'pay')], { rememberedChoices });
    expect([execute.mock.calls.length, waiting().length]).toEqual([0, 1]);
  });

  it('a remembered approval does not replace a policy that failed', async () => {
    const rememberedChoices = remembered();
    const definition = definitionOf(payTool('always').tools, 'pay');
    await rememberedChoices.remember({ ...payCall, definition }, { choice: 'allowed', scope: 'browser' });
    const { tools } = payTool(() => Promise.reject(new Error('broken')), { remember: true });
    expect((await asked(tools, [call('1', 'pay')], { rememberedChoices })).waiting()).toHaveLength(1);
  });

  it('a remembered decline declines at once, even when the policy would not have asked', async () => {
    const rememberedChoices = remembered();
    const { execute, tools } = payTool(() => false);
    await rememberedChoices.remember(
      { ...payCall, definition: definitionOf(tools, 'pay') },
      { choice: 'declined', scope: 'browser' },
    );
    const { waiting, backend } = await asked(tools, [call('1', 'pay')], { rememberedChoices });
    expect([execute.mock.calls, waiting()]).toEqual([[], []]);
    expect(answersOf(backend.commands)).toMatchObject([
      {
        outcome: 'declined',
        result: { confirmed: false, outcome: 'declined', reason: expect.stringContaining('earlier') },
      },
    ]);
  });

  it('a store of remembered choices that fails leads to a question and is reported', async () => {
    const broken = new Error('closed');
    const rememberedChoices = { recall: () => Promise.reject(broken), remember: async () => {} };
    const { execute, tools } = payTool(() => false);
    const { waiting } = await asked(tools, [call('1', 'pay')], { rememberedChoices });
    expect([execute.mock.calls.length, waiting().length]).toEqual([0, 1]);
    expect(report.mock.calls).toEqual([[broken]]);
  });

  it('a store of remembered choices that recalls an unknown word leads to a question and is reported', async () => {
    const rememberedChoices = { recall: async () => 'denied' as never, remember: async () => {} };
    const { execute, tools } = payTool(() => false);
    const { waiting } = await asked(tools, [call('1', 'pay')], { rememberedChoices });
    expect([execute.mock.calls.length, waiting().length]).toEqual([0, 1]);
    expect(report.mock.calls).toEqual([
      [expect.objectContaining({ message: expect.stringContaining('recalled denied') })],
    ]);
  });

  it('a store of remembered choices that never answers leads to a question after ten seconds and is reported', async () => {
    const rememberedChoices = { recall: () => new Promise<never>(() => {}), remember: async () => {} };
    const { execute, tools } = payTool(() => false);
    const { waiting, clock } = await asked(tools, [call('1', 'pay')], { rememberedChoices });
    await clock.advance(9_999);
    expect(waiting()).toEqual([]);
    await clock.advance(1);
    await settledIn();
    expect([execute.mock.calls.length, waiting().length]).toEqual([0, 1]);
    expect(report.mock.calls).toEqual([
      [new TypeError('rememberedChoices did not answer within 10 s, so the person is asked.')],
    ]);
  });
});

describe('after a reload', () => {
  type Storage = ReturnType<typeof createMemoryStorage>;

  async function openPage(storage: Storage, clientTools: ClientTools) {
    const page = scriptedChat(
      { id: 'c', clientTools, persistence: createPersistence({ storage, tabs: false }) },
      createScriptedTransport(),
    );
    page.chat.subscribe(() => {});
    await settledIn();
    return { ...page, waiting: () => Object.values(page.chat.getState().pendingClientTools).flat() };
  }

  async function leave(storage: Storage, clientTools: ClientTools) {
    const page = await openPage(storage, clientTools);
    void page.chat.sendMessage('Hi');
    const run = await page.backend.request(0);
    run.send(start, request(call('1', 'pay', { amount: 5 })), awaitingAnswers);
    await settledIn();
    return page;
  }

  it('after a reload an open approval is still open, whatever the policy returns now', async () => {
    const storage = createMemoryStorage();
    await leave(storage, payTool('always').tools);
    const { execute, tools } = payTool('never');
    const after = await openPage(storage, tools);
    expect(execute).not.toHaveBeenCalled();
    expect(after.waiting()).toMatchObject([{ approvalReason: 'policy', args: { amount: 5 } }]);
    after.waiting()[0]?.submit(undefined);
    await settledIn();
    expect(execute).toHaveBeenCalledOnce();
    expect(answersOf(after.backend.commands)).toMatchObject([{ toolCallId: '1', result: 'paid' }]);
  });

  it.each([
    ['an open question', { pay: 'interactive' as const }, { outcome: 'submitted', result: 'yes' }],
    ['a question whether to run', payTool('always').tools, { outcome: 'failed' }],
  ])('after a reload %s about an undeclared tool is still open', async (_, declared, answer) => {
    const storage = createMemoryStorage();
    await leave(storage, declared);
    const after = await openPage(storage, {});
    // A component may still bring the tool.
    expect(after.waiting()).toEqual([]);
    await after.clock.advance(1000);
    const [tool] = after.waiting();
    expect(tool?.args).toEqual({ amount: 5 });
    expect(tool).not.toHaveProperty('definition');
    expect(tool?.submit('yes')).toEqual({ settled: true });
    await settledIn();
    expect(answersOf(after.backend.commands)).toMatchObject([answer]);
  });

  it('after a reload the policy decides again on a call without a decision, also for an idempotent tool', async () => {
    const storage = createMemoryStorage();
    const undecided = payTool(() => new Promise<boolean>(() => {}), { idempotent: true });
    await leave(storage, undecided.tools);
    const { execute, tools } = payTool('always', { idempotent: true });
    const after = await openPage(storage, tools);
    expect(after.waiting().map(({ approvalReason: asks }) => asks)).toEqual(['policy']);
    expect([undecided.execute, execute].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  it('after a reload the policy does not decide again on a call that it had let run', async () => {
    const storage = createMemoryStorage();
    await leave(storage, {
      pay: defineClientTool({ execute: () => new Promise(() => {}), approval: () => false }),
    });
    const { execute, tools } = payTool('always', { idempotent: true });
    const after = await openPage(storage, tools);
    expect(after.waiting()).toEqual([]);
    expect(execute).toHaveBeenCalledOnce();
  });

  it.each([
    [{}, 'asks whether to run it again', 0],
    [{ onRestore: 'fail' as const }, 'fails', 0],
    [{ idempotent: true }, 'runs it again, unasked', 1],
  ])(
    'after a reload a call that was allowed and interrupted follows onRestore: %j %s',
    async (more, what, runs) => {
      const storage = createMemoryStorage();
      const before = await leave(storage, {
        pay: defineClientTool({ execute: () => new Promise(() => {}), approval: 'always' }),
      });
      before.waiting()[0]?.submit(undefined);
      await settledIn();
      const { execute, tools } = payTool('always', more);
      const after = await openPage(storage, tools);
      expect(execute).toHaveBeenCalledTimes(runs);
      expect(after.waiting().map(({ approvalReason: asks }) => asks)).toEqual(
        what.startsWith('asks') ? ['interrupted'] : [],
      );
    },
  );

  it('after a reload the approval of one call does not run another interrupted call of the tool', async () => {
    const storage = createMemoryStorage();
    const before = await openPage(storage, {
      pay: defineClientTool({
        execute: () => new Promise(() => {}),
        approval: (_, { toolCallId }) => toolCallId === '2',
      }),
    });
    void before.chat.sendMessage('Hi');
    (await before.backend.request(0)).send(
      start,
      request(call('1', 'pay'), call('2', 'pay')),
      awaitingAnswers,
    );
    await settledIn();
    const { execute, tools } = payTool('once-per-conversation');
    const after = await openPage(storage, tools);
    const asks = () => after.waiting().map((tool) => [tool.toolCallId, tool.approvalReason]);
    expect(asks()).toEqual([
      ['1', 'interrupted'],
      ['2', 'policy'],
    ]);
    after.waiting()[1]?.submit(undefined);
    await settledIn();
    expect(execute).toHaveBeenCalledOnce();
    expect(asks()).toEqual([['1', 'interrupted']]);
  });

  it('after a reload the policy once-per-conversation still remembers its approval', async () => {
    const storage = createMemoryStorage();
    const before = await leave(storage, payTool('once-per-conversation').tools);
    before.waiting()[0]?.submit(undefined);
    await settledIn();
    (await before.backend.request(1)).send({ type: 'finish', finishReason: 'stop' });
    await settledIn();
    const { execute, tools } = payTool('once-per-conversation');
    const after = await openPage(storage, tools);
    void after.chat.sendMessage('again');
    (await after.backend.request(0)).send(start, request(call('9', 'pay')), awaitingAnswers);
    await settledIn();
    expect([execute.mock.calls.length, after.waiting()]).toEqual([1, []]);
  });
});
