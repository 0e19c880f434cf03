import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createAgentChatFrom } from '../../../src/core/chat/create-agent-chat.ts';
import {
  type ClientToolDefinition,
  createPersistence,
  createRememberedChoices,
  defineClientTool,
} from '../../../src/core.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { answersOf, asked, payTool, settledIn } from '../../support/asked-calls.ts';
import { open, restored } from '../../support/persisted-page.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../../support/scripted-events.ts';

const CHANGES = {
  title: { title: 'Pay' },
  description: { description: 'Pays at once' },
  severity: { severity: 'caution' },
  'untrusted annotations': { annotations: { readOnlyHint: true } },
  'input schema': { input: z.looseObject({ amount: z.number().optional() }) },
} as const;
const SAME = {
  'a label of a button': { confirmLabel: 'Pay now' },
  'the schema of the result': { output: z.string() },
  'another default': { input: z.looseObject({}).default({}) },
} as const;

const changes = Object.entries(CHANGES) as [string, object][];

describe('a choice about a tool that was redefined since', () => {
  it.each(changes)('a remembered yes asks again after another %s', async (_, change) => {
    const rememberedChoices = createRememberedChoices({ storage: createMemoryStorage() });
    const before = await asked(payTool('always', { remember: true }).tools, [call('1', 'pay')], {
      rememberedChoices,
    });
    await before.waiting()[0]?.remember?.({ choice: 'allowed', scope: 'browser' });
    const same = payTool('always', { remember: true, confirmLabel: 'Pay now' });
    await asked(same.tools, [call('1', 'pay')], { rememberedChoices });
    expect(same.execute).toHaveBeenCalledOnce();
    const other = payTool('always', { remember: true, ...change });
    const { waiting } = await asked(other.tools, [call('1', 'pay')], { rememberedChoices });
    expect([other.execute.mock.calls, waiting().length]).toEqual([[], 1]);
  });

  it.each(changes)('a remembered no asks again after another %s', async (_, change) => {
    const rememberedChoices = createRememberedChoices({ storage: createMemoryStorage() });
    const before = await asked(payTool('always', { remember: true }).tools, [call('1', 'pay')], {
      rememberedChoices,
    });
    await before.waiting()[0]?.remember?.({ choice: 'declined', scope: 'browser' });
    const { waiting, backend } = await asked(payTool('always', change).tools, [call('1', 'pay')], {
      rememberedChoices,
    });
    expect([waiting().length, answersOf(backend.commands)]).toEqual([1, []]);
  });

  it.each(changes)('the yes of once-per-conversation asks again after another %s', async (_, change) => {
    const old = payTool('once-per-conversation');
    const next = payTool('once-per-conversation', change);
    const options = { clientTools: old.tools as Record<string, ClientToolDefinition> };
    const { backend, waiting } = await asked(options.clientTools, [call('1', 'pay')], {});
    waiting()[0]?.submit(undefined);
    await settledIn();
    // The app writes another definition into the object that the chat has.
    options.clientTools.pay = next.tools.pay;
    (await backend.request(1)).send(start, request(call('2', 'pay')), awaitingAnswers);
    await settledIn();
    expect([next.execute.mock.calls, waiting().length]).toEqual([[], 1]);
  });

  it('a choice that was stored before choices were bound to definitions asks again', async () => {
    const storage = createMemoryStorage();
    const old = { id: '1', toolName: 'pay', choice: 'allowed', scope: 'browser', rememberedAt: 1 };
    await storage.save('handrail-choices', JSON.stringify([old]));
    const { execute, tools } = payTool('always', { remember: true });
    const rememberedChoices = createRememberedChoices({ storage });
    const { waiting } = await asked(tools, [call('1', 'pay')], { rememberedChoices });
    expect([execute.mock.calls, waiting().length]).toEqual([[], 1]);
  });

  it('a choice about the tool as it is takes the place of one about how it was', async () => {
    const choices = createRememberedChoices({ storage: createMemoryStorage() });
    const pay = { toolName: 'pay', args: {}, conversationId: 'c' };
    await choices.remember({ ...pay, definition: 'pay 1' }, { choice: 'allowed', scope: 'browser' });
    await choices.remember({ ...pay, definition: 'pay 2' }, { choice: 'declined', scope: 'conversation' });
    expect(choices.getChoices()).toMatchObject([{ choice: 'declined' }]);
    expect(await choices.recall({ ...pay, definition: 'pay 1' })).toBeUndefined();
    expect(await choices.recall({ ...pay, definition: 'pay 2' })).toBe('declined');
  });

  it.each([
    ['runs again as the same tool', {}, [1, 0]],
    ['asks before another tool runs', { title: 'Pay twice' }, [0, 1]],
  ])('an idempotent run that was allowed and interrupted %s', async (_, change, expected) => {
    const storage = createMemoryStorage();
    const old = payTool('always', { idempotent: true, execute: () => new Promise(() => {}) });
    const page = open(storage, { clientTools: old.tools });
    await restored(page.chat);
    void page.chat.sendMessage('Hi');
    (await page.backend.request(0)).send(start, request(call('1', 'pay')), awaitingAnswers);
    await settledIn();
    page.chat.getState().pendingCalls[0]?.submit(undefined);
    await settled();
    const next = payTool('always', { idempotent: true, ...change });
    const after = open(storage, { clientTools: next.tools });
    await restored(after.chat);
    expect([next.execute.mock.calls.length, after.chat.getState().pendingCalls.length]).toEqual(expected);
  });
});

describe('a tool that is redefined while its question is open', () => {
  /** A chat with a waiting call, whose tools are those that were set last. */
  async function waitingCall(tools: Record<string, unknown>, args: Record<string, unknown> = {}) {
    let current = tools;
    const backend = createScriptedTransport();
    const clock = createManualClock();
    const chat = createAgentChatFrom(() => ({
      transport: backend,
      clock,
      id: 'c',
      clientTools: current as never,
    }));
    const published = vi.fn();
    chat.subscribe(published);
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'pay', args)), awaitingAnswers);
    await settledIn();
    published.mockClear();
    return {
      chat,
      backend,
      published,
      tool: () => chat.getState().pendingCalls[0],
      redefine(next: Record<string, unknown>, tells = true) {
        current = next;
        if (tells) chat.refreshTools();
      },
    };
  }

  it.each(changes)('shows the new text as a new question after another %s', async (_, change) => {
    const old = payTool('always');
    const next = payTool('always', change);
    const page = await waitingCall(old.tools, { amount: 5 });
    const before = page.tool();
    before?.saveInput({ amount: 7 });
    page.redefine(next.tools);
    expect(page.published).toHaveBeenCalled();
    const after = page.tool();
    expect(after).not.toBe(before);
    expect(+(after?.requestedAt ?? 0)).toBeGreaterThan(+(before?.requestedAt ?? 0));
    expect(after?.definition).toMatchObject(change);
    expect(after?.getSavedInput()).toEqual({ amount: 7 });
    expect(before?.submit(undefined)).toMatchObject({
      settled: false,
      reason: 'invalid-result',
      issues: [{ message: expect.stringContaining('changed while it was open') }],
    });
    await settledIn();
    expect([old.execute.mock.calls, next.execute.mock.calls]).toEqual([[], []]);
    expect(after?.submit(undefined)).toEqual({ settled: true });
    await settledIn();
    expect(next.execute).toHaveBeenCalledOnce();
    expect(answersOf(page.backend.commands)).toMatchObject([{ outcome: 'submitted', result: 'paid' }]);
  });

  it.each(Object.entries(SAME))('stays the same question after %s', async (_, change) => {
    const old = payTool('always', { input: z.looseObject({}) });
    const page = await waitingCall(old.tools);
    const before = page.tool();
    const next = payTool('always', { input: z.looseObject({}), ...change });
    page.redefine(next.tools);
    expect([page.tool(), page.published.mock.calls]).toEqual([before, []]);
    expect(before?.submit(undefined)).toEqual({ settled: true });
    await settledIn();
    expect([old.execute.mock.calls.length, next.execute.mock.calls.length]).toEqual([0, 1]);
  });

  it('refuses the old yes and shows the new text, also where nobody told the chat', async () => {
    const page = await waitingCall(payTool('always').tools);
    const before = page.tool();
    const next = payTool('always', { title: 'Pay twice' });
    page.redefine(next.tools, false);
    expect(before?.submit(undefined)).toMatchObject({ settled: false, reason: 'invalid-result' });
    expect(page.tool()).toMatchObject({ definition: { title: 'Pay twice' } });
    await settledIn();
    expect(next.execute).not.toHaveBeenCalled();
  });

  it('takes the no of the person who read the old text', async () => {
    const page = await waitingCall(payTool('always').tools);
    const before = page.tool();
    page.redefine(payTool('always', { title: 'Pay twice' }).tools);
    expect(before?.decline('no')).toEqual({ settled: true });
    await settledIn();
    expect(answersOf(page.backend.commands)).toMatchObject([{ outcome: 'declined' }]);
  });

  it('asks anew about an interactive tool, and takes the answer to the new text alone', async () => {
    const page = await waitingCall({ pay: defineClientTool({ interactive: true, title: 'How much?' }) });
    const before = page.tool();
    page.redefine({ pay: defineClientTool({ interactive: true, title: 'How many?' }) });
    expect(before?.submit(5)).toMatchObject({ settled: false });
    expect(page.tool()?.submit(6)).toEqual({ settled: true });
    await settledIn();
    expect(answersOf(page.backend.commands)).toMatchObject([{ result: 6 }]);
  });

  it('keeps the question while the tool is missing, and asks anew if it comes back as another one', async () => {
    const page = await waitingCall(payTool('always').tools);
    const before = page.tool();
    page.redefine({});
    expect(page.tool()).toBe(before);
    page.redefine(payTool('always').tools);
    expect(page.tool()).toBe(before);
    page.redefine(payTool('always', { title: 'Pay twice' }).tools);
    expect(page.tool()).not.toBe(before);
  });

  it('never runs a handler whose new schema refuses the arguments', async () => {
    const page = await waitingCall(payTool('always').tools, { amount: 'much' });
    const next = payTool('always', { input: z.object({ amount: z.number() }) });
    page.redefine(next.tools);
    page.tool()?.submit(undefined);
    await settledIn();
    expect(next.execute).not.toHaveBeenCalled();
    expect(answersOf(page.backend.commands)).toMatchObject([
      { outcome: 'failed', error: expect.stringContaining('Invalid arguments') },
    ]);
  });

  it('asks a waiting call again after a reload with another definition, and runs the one that was read', async () => {
    const storage = createMemoryStorage();
    const page = open(storage, { clientTools: payTool('always').tools });
    await restored(page.chat);
    void page.chat.sendMessage('Hi');
    (await page.backend.request(0)).send(start, request(call('1', 'pay')), awaitingAnswers);
    await settledIn();
    const next = payTool('always', { title: 'Pay twice' });
    const after = open(storage, { clientTools: next.tools, persistence: createPersistence({ storage }) });
    await restored(after.chat);
    expect(after.chat.getState().pendingCalls).toMatchObject([{ definition: { title: 'Pay twice' } }]);
    after.chat.getState().pendingCalls[0]?.submit(undefined);
    await settled();
    expect(next.execute).toHaveBeenCalledOnce();
  });
});

describe('a repeated event with another definition', () => {
  const again = { ...call('1', 'pay', { amount: 100 }), definition: 'another' };

  it('does not run a handler a second time', async () => {
    const execute = vi.fn(() => new Promise(() => {}));
    const { chat, backend } = scriptedChat({ clientTools: { pay: execute } });
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, request(call('1', 'pay', { amount: 1 })));
    await settledIn();
    run.send(request(again));
    await settledIn();
    expect(execute.mock.calls).toHaveLength(1);
  });

  it('does not change the arguments that a person is reading', async () => {
    const { tools, execute } = payTool('always');
    const { chat, backend } = scriptedChat({ clientTools: tools });
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, request(call('1', 'pay', { amount: 1 })));
    await settledIn();
    const [read] = chat.getState().pendingCalls;
    run.send(request(again));
    await settledIn();
    expect(chat.getState().pendingCalls).toEqual([read]);
    read?.submit(undefined);
    await settledIn();
    expect(execute.mock.calls.map(([args]) => args)).toEqual([{ amount: 1 }]);
  });
});
