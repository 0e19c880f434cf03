import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  type AgentChatOptions,
  type ClientTools,
  createAuditTrail,
  createPersistence,
  createRememberedChoices,
  defineClientTool,
  type SettledCall,
  type ToolCallPart,
} from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { answersOf, asked, settledIn } from '../../support/asked-calls.ts';
import { createFakeBrowser } from '../../support/fake-tabs.ts';
import { open, restored } from '../../support/persisted-page.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../../support/scripted-events.ts';

const input = z.object({ amount: z.number().max(100), to: z.string() });
const sent = { amount: 89, to: 'ada' };

/** A tool that a person may correct, and the arguments that its handler ran with. */
function refundTool(
  more: Partial<Parameters<typeof defineClientTool>[0]> = {},
  run?: (args: Record<string, unknown>) => unknown,
) {
  const ran: unknown[] = [];
  const execute = vi.fn((args: Record<string, unknown>) => {
    ran.push(structuredClone(args));
    return run === undefined ? 'refunded' : run(args);
  });
  const definition = { input, execute, approval: 'always', editable: true, ...more } as never;
  return { ran, execute, tools: { refund: defineClientTool(definition) } as ClientTools };
}

function partOf(chat: { getState(): { messages: readonly { parts: readonly unknown[] }[] } }, id = '1') {
  const parts = chat.getState().messages.flatMap((message) => message.parts) as ToolCallPart[];
  return parts.find(({ toolCallId }) => toolCallId === id);
}

async function edited(
  editedArgs: unknown,
  refund: ReturnType<typeof refundTool>,
  options: Partial<AgentChatOptions> = {},
  args: Record<string, unknown> = sent,
) {
  const page = await asked(refund.tools, [call('1', 'refund', args)], options);
  const settlement = page.waiting()[0]?.submit({ confirmed: true, editedArgs });
  await settledIn();
  return { ...page, settlement };
}

describe('edit, then allow', () => {
  it('runs the handler with the corrected arguments, and tells the agent what was changed', async () => {
    const refund = refundTool();
    const { settlement, backend, chat } = await edited({ amount: 45, to: 'ada' }, refund);
    expect(settlement).toEqual({ settled: true });
    expect(refund.ran).toEqual([{ amount: 45, to: 'ada' }]);
    const told = { result: 'refunded', editedArgs: { amount: 45, to: 'ada' }, changedArgs: ['amount'] };
    expect(answersOf(backend.commands)).toEqual([{ toolCallId: '1', outcome: 'submitted', result: told }]);
    expect(partOf(chat)).toMatchObject({ args: { amount: 45, to: 'ada' }, originalArgs: sent, result: told });
  });

  it('names the changed arguments itself, whatever the page says', async () => {
    const { backend, waiting } = await asked(refundTool().tools, [call('1', 'refund', sent)]);
    waiting()[0]?.submit({ confirmed: true, editedArgs: { amount: 45, to: 'ada' }, changedArgs: ['to'] });
    await settledIn();
    expect(answersOf(backend.commands)).toMatchObject([{ result: { changedArgs: ['amount'] } }]);
  });

  it.each([
    ['a value that the schema refuses', { amount: 4500, to: 'ada' }],
    ['a value of another type', { amount: '45', to: 'ada' }],
    ['an argument that is missing', { amount: 45 }],
    ['a text', 'amount: 45'],
    ['a list', [45, 'ada']],
  ])('refuses %s with issues, and the call still waits', async (_, editedArgs) => {
    const refund = refundTool();
    const { settlement, waiting, chat, backend } = await edited(editedArgs, refund);
    expect(settlement).toMatchObject({
      settled: false,
      reason: 'invalid-result',
      issues: [{ message: expect.stringMatching(/./) }],
    });
    expect([refund.ran, waiting().length, chat.getState().status]).toEqual([[], 1, 'awaiting-input']);
    expect(waiting()[0]?.args).toEqual(sent);
    waiting()[0]?.submit({ confirmed: true, editedArgs: { amount: 45, to: 'ada' } });
    await settledIn();
    expect(answersOf(backend.commands)).toMatchObject([{ result: { changedArgs: ['amount'] } }]);
  });

  it('refuses corrected arguments that JSON cannot carry', async () => {
    const refund = refundTool({ input: z.object({ amount: z.any() }) });
    const { settlement } = await edited({ amount: 1n }, refund);
    expect(settlement).toMatchObject({ settled: false, reason: 'not-serializable' });
    expect(refund.ran).toEqual([]);
  });

  it('refuses corrected arguments of a tool that is not editable', async () => {
    const refund = refundTool({ editable: false });
    const { settlement, waiting } = await edited({ amount: 45, to: 'ada' }, refund);
    expect(settlement).toMatchObject({
      settled: false,
      reason: 'invalid-result',
      issues: [{ message: expect.stringContaining('refund is not editable') }],
    });
    expect([refund.ran, waiting().length]).toEqual([[], 1]);
  });

  it.each([
    ['another value', { amount: 45, to: 'mallory' }],
    ['no value', { amount: 45 }],
  ])('refuses %s for an argument that is read-only', async (_, editedArgs) => {
    const fixed = z.object({ amount: z.number(), to: z.string().meta({ readOnly: true }).optional() });
    const refund = refundTool({ input: fixed });
    const { settlement, waiting } = await edited(editedArgs, refund);
    expect(settlement).toMatchObject({
      reason: 'invalid-result',
      issues: [{ message: expect.stringContaining('to may not be changed') }],
    });
    expect([refund.ran, waiting().length]).toEqual([[], 1]);
    expect(waiting()[0]?.submit({ confirmed: true, editedArgs: { amount: 45, to: 'ada' } })).toEqual({
      settled: true,
    });
  });

  it('counts arguments that were not changed as a plain yes', async () => {
    const refund = refundTool();
    const { backend, chat } = await edited({ to: 'ada', amount: 89 }, refund);
    expect(answersOf(backend.commands)).toMatchObject([{ outcome: 'submitted', result: 'refunded' }]);
    expect(partOf(chat)).not.toHaveProperty('originalArgs');
  });

  it('parses an argument that was left alone as the agent sent it', async () => {
    const dated = z.object({ day: z.string().transform((day) => new Date(day)), note: z.string() });
    const refund = refundTool({ input: dated });
    const { waiting, backend } = await asked(refund.tools, [
      call('1', 'refund', { day: '2026-11-28', note: 'Hi' }),
    ]);
    const [tool] = waiting();
    const settlement = tool?.submit({ confirmed: true, editedArgs: { ...tool.args, note: 'Bye' } });
    await settledIn();
    expect(settlement).toEqual({ settled: true });
    expect(refund.ran).toEqual([{ day: new Date('2026-11-28'), note: 'Bye' }]);
    expect(answersOf(backend.commands)).toMatchObject([
      { result: { editedArgs: { day: '2026-11-28', note: 'Bye' }, changedArgs: ['note'] } },
    ]);
  });

  it('runs a default as it was shown, also where the schema makes another one each time', async () => {
    let ids = 0;
    const random = z.object({ amount: z.number(), id: z.string().default(() => `id-${++ids}`) });
    const refund = refundTool({ input: random });
    const { waiting } = await asked(refund.tools, [call('1', 'refund', { amount: 89 })]);
    const shown = waiting()[0]?.args as { id: string };
    waiting()[0]?.submit({ confirmed: true, editedArgs: { ...shown, amount: 45 } });
    await settledIn();
    expect(refund.ran).toEqual([{ amount: 45, id: shown.id }]);
  });

  it('computes a field again from the corrected arguments', async () => {
    const computed = z
      .strictObject({ price: z.number(), count: z.number() })
      .transform((args) => ({ ...args, total: args.price * args.count }));
    const refund = refundTool({ input: computed });
    const { waiting } = await asked(refund.tools, [call('1', 'refund', { price: 5, count: 2 })]);
    waiting()[0]?.submit({ confirmed: true, editedArgs: { price: 5, count: 3, total: 10 } });
    await settledIn();
    expect(refund.ran).toEqual([{ price: 5, count: 3, total: 15 }]);
  });

  it('keeps what was shown, recorded and sent when the handler changes its arguments', async () => {
    const calls: SettledCall[] = [];
    const nested = z.object({ amount: z.number(), order: z.object({ id: z.number() }) });
    const refund = refundTool({ input: nested }, (args) => {
      args.amount = 1_000_000;
      (args.order as { id: number }).id = 666;
      return 'refunded';
    });
    const given = { amount: 45, order: { id: 4711 } };
    const { backend, chat } = await edited(
      given,
      refund,
      { onCallSettled: (settledCall) => calls.push(settledCall) },
      { amount: 89, order: { id: 4711 } },
    );
    expect(given).toEqual({ amount: 45, order: { id: 4711 } });
    expect(calls).toMatchObject([{ args: given, originalArgs: { amount: 89 } }]);
    expect(partOf(chat)).toMatchObject({ args: given });
    expect(answersOf(backend.commands)).toMatchObject([{ result: { editedArgs: given } }]);
  });

  it('does not see later changes of the object that was submitted', async () => {
    const refund = refundTool();
    const page = await asked(refund.tools, [call('1', 'refund', sent)]);
    const mine = { amount: 45, to: 'ada' };
    page.waiting()[0]?.submit({ confirmed: true, editedArgs: mine });
    mine.amount = 90;
    await settledIn();
    expect(refund.ran).toEqual([{ amount: 45, to: 'ada' }]);
    expect(answersOf(page.backend.commands)).toMatchObject([{ result: { editedArgs: { amount: 45 } } }]);
  });

  it('hides secrets of the corrected arguments everywhere but from the handler and the agent', async () => {
    const secret = z.object({ amount: z.number(), pin: z.string().meta({ writeOnly: true }) });
    const trail = createAuditTrail();
    const refund = refundTool({ input: secret });
    const { backend, chat } = await edited(
      { amount: 45, pin: 'hunter2' },
      refund,
      { onCallSettled: (settledCall) => void trail.record(settledCall) },
      { amount: 89, pin: 'hunter1' },
    );
    expect(refund.ran).toEqual([{ amount: 45, pin: 'hunter2' }]);
    expect(JSON.stringify(partOf(chat)?.result)).not.toContain('hunter');
    expect(trail.toJson()).not.toContain('hunter');
    expect(trail.getEntries()).toMatchObject([{ args: { amount: 45 }, originalArgs: { amount: 89 } }]);
    expect(answersOf(backend.commands)).toMatchObject([{ result: { editedArgs: { pin: 'hunter2' } } }]);
  });

  const withPin = z.object({ amount: z.number(), pin: z.string().meta({ format: 'password' }).optional() });

  it.each<[string, () => unknown]>([
    ['is done', () => 'refunded'],
    ['runs', () => new Promise(() => {})],
    [
      'fails',
      () => {
        throw new Error('No money');
      },
    ],
  ])(
    'shows and stores no secret that a person typed into the arguments when the handler %s',
    async (_, run) => {
      const storage = createMemoryStorage();
      const refund = refundTool({ input: withPin }, run);
      const page = await edited(
        { amount: 45, pin: 'hunter2' },
        refund,
        { persistence: createPersistence({ storage }) },
        { amount: 89 },
      );
      await page.clock.advance(5_000);
      await settledIn();
      expect(refund.ran).toEqual([{ amount: 45, pin: 'hunter2' }]);
      expect(partOf(page.chat)).toMatchObject({ args: { amount: 45 }, originalArgs: { amount: 89 } });
      expect(JSON.stringify(page.chat.getState())).not.toContain('hunter2');
      expect([...storage.entries.values()].join()).toContain('89');
      expect([...storage.entries.values()].join()).not.toContain('hunter2');
    },
  );

  it('remembers nothing after an edit', async () => {
    const rememberedChoices = createRememberedChoices({ storage: createMemoryStorage() });
    const refund = refundTool({ remember: true });
    const { waiting } = await asked(refund.tools, [call('1', 'refund', sent)], { rememberedChoices });
    const [tool] = waiting();
    tool?.submit({ confirmed: true, editedArgs: { amount: 45, to: 'ada' } });
    await tool?.remember?.({ choice: 'allowed', scope: 'browser' });
    expect(rememberedChoices.getChoices()).toEqual([]);
  });

  it('allows no other call of a tool that asks once per conversation after an edit', async () => {
    const refund = refundTool({ approval: 'once-per-conversation' });
    const calls = [call('1', 'refund', sent), call('2', 'refund', { amount: 5, to: 'bob' })];
    const { waiting, backend } = await asked(refund.tools, calls);
    waiting()[0]?.submit({ confirmed: true, editedArgs: { amount: 45, to: 'ada' } });
    await settledIn();
    expect(waiting()).toMatchObject([{ toolCallId: '2' }]);
    waiting()[0]?.decline();
    (await backend.request(1)).send(start, request(call('3', 'refund', sent)), awaitingAnswers);
    await settledIn();
    expect(waiting()).toMatchObject([{ toolCallId: '3' }]);
  });
});

describe('edit, then allow, over pages', () => {
  it('a handler that was interrupted is asked about with the corrected arguments after a reload', async () => {
    const storage = createMemoryStorage();
    const refund = refundTool({}, () => new Promise(() => {}));
    const before = open(storage, { clientTools: refund.tools });
    await restored(before.chat);
    void before.chat.sendMessage('Hi');
    (await before.backend.request(0)).send(start, request(call('1', 'refund', sent)), awaitingAnswers);
    await settledIn();
    before.chat
      .getState()
      .pendingCalls[0]?.submit({ confirmed: true, editedArgs: { amount: 45, to: 'ada' } });
    await settled();
    const again = refundTool();
    const after = open(storage, { clientTools: again.tools });
    await restored(after.chat);
    const [tool] = after.chat.getState().pendingCalls;
    expect(tool).toMatchObject({ approvalReason: 'interrupted', args: { amount: 45 }, originalArgs: sent });
    expect(partOf(after.chat)).toMatchObject({ args: { amount: 45 }, originalArgs: sent });
    tool?.submit(undefined);
    await settled();
    expect(again.ran).toEqual([{ amount: 45, to: 'ada' }]);
    expect(answersOf(after.backend.commands)).toMatchObject([
      { result: { editedArgs: { amount: 45, to: 'ada' }, changedArgs: ['amount'] } },
    ]);
  });

  it.each([{}, { onRestore: 'rerun' as const }, { idempotent: true }])(
    'after a reload a handler does not run without the secret that it was allowed with (%j)',
    async (more) => {
      const input = z.object({ amount: z.number(), pin: z.string().meta({ format: 'password' }).optional() });
      const storage = createMemoryStorage();
      const refund = refundTool({ input, ...more }, () => new Promise(() => {}));
      const before = open(storage, { clientTools: refund.tools });
      await restored(before.chat);
      void before.chat.sendMessage('Hi');
      const run = await before.backend.request(0);
      run.send(start, request(call('1', 'refund', { amount: 89 })), awaitingAnswers);
      await settledIn();
      before.chat.getState().pendingCalls[0]?.submit({
        confirmed: true,
        editedArgs: { amount: 45, pin: 'hunter2' },
      });
      await settled();
      expect([...storage.entries.values()].join()).not.toContain('hunter2');
      const again = refundTool({ input, ...more });
      const after = open(storage, { clientTools: again.tools });
      await restored(after.chat);
      await settledIn();
      expect(again.ran).toEqual([]);
      expect(after.chat.getState().pendingCalls).toMatchObject([
        { approvalReason: 'interrupted', args: { amount: 89 } },
      ]);
      expect(partOf(after.chat)).toMatchObject({ args: { amount: 89 } });
    },
  );

  /** Two tabs of a conversation in which a refund waits: the owner and a follower, with the tools of each. */
  async function twoTabs(owner: ClientTools, follower: ClientTools) {
    const browser = createFakeBrowser();
    const storage = createMemoryStorage();
    const openTab = (clientTools: ClientTools) =>
      scriptedChat({
        id: 'c',
        clientTools,
        persistence: createPersistence({ storage, tabs: browser.openTab().environment }),
      });
    const first = openTab(owner);
    await restored(first.chat);
    const second = openTab(follower);
    await restored(second.chat);
    void first.chat.sendMessage('Hi');
    (await first.backend.request(0)).send(start, request(call('1', 'refund', sent)), awaitingAnswers);
    await settledIn();
    const tool = () => second.chat.getState().pendingCalls[0];
    return { first, second, tool };
  }

  it('corrected arguments from another tab run in the owner tab', async () => {
    const here = refundTool();
    const there = refundTool();
    const { first, second, tool } = await twoTabs(here.tools, there.tools);
    expect(tool()?.submit({ confirmed: true, editedArgs: { amount: 450, to: 'ada' } })).toMatchObject({
      reason: 'invalid-result',
    });
    tool()?.submit({ confirmed: true, editedArgs: { amount: 45, to: 'ada' } }, { reason: 'half of it' });
    await settledIn();
    expect([here.ran, there.ran]).toEqual([[{ amount: 45, to: 'ada' }], []]);
    expect(answersOf(first.backend.commands)).toMatchObject([{ result: { changedArgs: ['amount'] } }]);
    for (const { chat } of [first, second])
      expect(partOf(chat)).toMatchObject({ args: { amount: 45 }, originalArgs: sent, reason: 'half of it' });
  });

  it('a yes from a tab with another version of the tool runs nothing, and both tabs ask again', async () => {
    const here = refundTool({ title: 'Refund the order' });
    const there = refundTool({ title: 'Look at the order' });
    const { first, tool } = await twoTabs(here.tools, there.tools);
    tool()?.submit(undefined);
    await settledIn();
    expect(here.ran).toEqual([]);
    const refusal = expect.stringContaining('another version of the app');
    expect(first.chat.getState().pendingCalls).toMatchObject([{ refusal }]);
    expect(tool()).toMatchObject({ refusal });
    first.chat.getState().pendingCalls[0]?.submit(undefined);
    await settledIn();
    expect(here.ran).toEqual([sent]);
  });

  it('corrected arguments that only the schema of the owner refuses run nothing, and the tabs say why', async () => {
    const strict = z.object({ amount: z.number().refine((n) => n !== 45, 'Not 45'), to: z.string() });
    const loose = z.object({ amount: z.number(), to: z.string() });
    const here = refundTool({ input: strict });
    const { tool } = await twoTabs(here.tools, refundTool({ input: loose }).tools);
    tool()?.submit({ confirmed: true, editedArgs: { amount: 45, to: 'ada' } });
    await settledIn();
    expect(here.ran).toEqual([]);
    expect(tool()).toMatchObject({ refusal: expect.stringContaining('Not 45'), status: 'waiting' });
  });
});
