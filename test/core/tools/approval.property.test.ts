/**
 * Consent in any interleaving, in front of the real session: whatever people press, remember and take back, whatever
 * the network does and however often the page is loaded again, a handler runs only where a person said so, and once for
 * each time they did.
 */

import { expect, it } from 'vitest';
import {
  type ChoiceToRemember,
  type ClientTools,
  createAgentChat,
  createPersistence,
  createRememberedChoices,
  defineClientTool,
  type InteractiveTool,
  type SettledCall,
} from '../../../src/core.ts';
import type { AgentContext, ModelEvent } from '../../../src/server/agent.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import fc, { caseCount } from '../../support/fast-check.ts';
import { createInterruptedNetwork } from '../../support/interrupted-network.ts';

type ToolName = 'always' | 'once' | 'large';

/** An agent that requests tools with approval, one of them only for a large amount, reads the outcomes, requests again, and ends. */
async function* agent({ messages }: AgentContext): AsyncGenerator<ModelEvent> {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const round = since.filter(({ role }) => role === 'assistant').length;
  yield { type: 'text-start', id: `t${messages.length}` };
  yield { type: 'text-end', id: `t${messages.length}` };
  if (round === 2) return;
  const toolCalls = (['always', 'large', 'large', 'once'] as const).map((toolName, index) => ({
    toolCallId: `${toolName}-${messages.length}-${index}`,
    toolName,
    args: { amount: index % 2 },
  }));
  yield { type: 'tool-request', toolCalls };
}

const nextTask = () => new Promise<void>((resolve) => setImmediate(resolve));

function openWorld() {
  const clock = createManualClock();
  const session = createAgentSession({
    id: 's',
    agent,
    store: createMemorySessionStore(),
    clock,
    resumeWindowMs: 1e9,
  });
  const network = createInterruptedNetwork(session, clock);
  const choices = createRememberedChoices({ storage: createMemoryStorage(), clock });
  /** The decisions of people on each call. A call without a question may run once by its policy. */
  const allowed = new Map<string, number>();
  const refused = new Set<string>();
  const allowedTools = new Set<string>();
  const runs = new Map<string, number>();
  const faults: string[] = [];
  const byRule = new Set<string>();
  const running: (() => void)[] = [];
  const statistics = { asked: 0, reruns: 0 };

  /** Why a call may run although nobody allowed this very call. */
  const isCovered = (toolName: ToolName, args: { amount: number }) =>
    (toolName === 'large' && args.amount === 0) ||
    (toolName === 'once' && allowedTools.has(toolName)) ||
    choices.getChoices().some((choice) => choice.toolName === toolName && choice.choice === 'allowed');

  const createTool = (toolName: ToolName) =>
    defineClientTool({
      remember: true,
      approval:
        toolName === 'always'
          ? 'always'
          : toolName === 'once'
            ? 'once-per-conversation'
            : async (args) => args.amount === 1,
      execute: async (args, { toolCallId }) => {
        const earlier = runs.get(toolCallId) ?? 0;
        const consents = allowed.get(toolCallId) ?? 0;
        runs.set(toolCallId, earlier + 1);
        if (refused.has(toolCallId)) faults.push(`${toolCallId} ran after a no`);
        if (consents === 0 && earlier === 0) {
          byRule.add(toolCallId);
          if (!isCovered(toolName, args as { amount: number })) faults.push(`${toolCallId} ran unasked`);
        }
        // The policy lets a call run once. Every further run needs the consent of a person.
        const agreed = consents + (byRule.has(toolCallId) ? 1 : 0);
        if (earlier >= agreed) faults.push(`${toolCallId} ran ${earlier + 1} times, agreed were ${agreed}`);
        await new Promise<void>((resolve) => running.push(resolve));
        return { ran: toolCallId };
      },
    });
  const clientTools = { always: createTool('always'), once: createTool('once'), large: createTool('large') };

  const openPage = (entries: ReadonlyMap<string, string>) => {
    const storage = createMemoryStorage();
    for (const [key, value] of entries) storage.save(key, value);
    const { transport, close } = network.openPage();
    const settledCalls: SettledCall[] = [];
    const chat = createAgentChat<ClientTools>({
      transport,
      id: 'c',
      clock,
      persistence: createPersistence({ storage, tabs: false }),
      rememberedChoices: choices,
      onCallSettled: (call) => settledCalls.push(call),
      clientTools,
    });
    chat.subscribe(() => {});
    return { chat, storage, close, settledCalls };
  };
  let page = openPage(new Map());

  return {
    network,
    clock,
    choices,
    faults,
    runs,
    byRule,
    statistics,
    finish() {
      for (const resolve of running.splice(0)) resolve();
    },
    page: () => page,
    waiting: (): InteractiveTool[] =>
      Object.values(page.chat.getState().pendingClientTools).flatMap((tools) => [...(tools ?? [])]),
    async press(
      tool: InteractiveTool,
      how: 'allow' | 'decline' | 'cancel',
      remember?: ChoiceToRemember['scope'],
    ) {
      const { toolCallId, toolName } = tool;
      statistics.asked += 1;
      if (tool.approvalReason === 'interrupted') statistics.reruns += 1;
      if (how === 'allow') {
        // Counted first: the handler runs before submit() returns.
        allowed.set(toolCallId, (allowed.get(toolCallId) ?? 0) + 1);
        allowedTools.add(toolName);
        if (!tool.submit(undefined).settled) faults.push(`${toolCallId} could not be allowed`);
      } else {
        tool[how]();
        refused.add(toolCallId);
      }
      if (remember === undefined || how === 'cancel') return;
      await tool.remember?.({ choice: how === 'allow' ? 'allowed' : 'declined', scope: remember });
    },
    reload() {
      const entries = new Map(page.storage.entries);
      page.close();
      page.chat.destroy();
      page = openPage(entries);
    },
    close() {
      page.close();
      page.chat.destroy();
    },
  };
}

type World = ReturnType<typeof openWorld>;

async function settle({ clock }: World): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) {
    await nextTask();
    await clock.advance(0);
  }
}

const command = (name: string, act: (world: World) => unknown) => ({
  check: () => true,
  async run(_: object, world: World) {
    await act(world);
    await settle(world);
    expect(world.faults).toEqual([]);
  },
  toString: () => name,
});
const always = (name: string, act: (world: World) => unknown) => fc.constant(0).map(() => command(name, act));

const press = fc
  .record({
    at: fc.nat(3),
    how: fc.constantFrom('allow', 'allow', 'decline', 'cancel'),
    remember: fc.constantFrom(undefined, undefined, 'conversation', 'browser'),
  } as const)
  .map(({ at, how, remember }) =>
    command(`${how} ${at}, remember ${remember}`, async (world) => {
      const waiting = world.waiting();
      const tool = waiting[at % waiting.length];
      if (tool) await world.press(tool, how, remember);
    }),
  );

const COMMANDS = [
  press,
  press,
  press,
  always('release twelve chunks', ({ network }) => network.release(12)),
  always('release twelve chunks', ({ network }) => network.release(12)),
  always('finish', (world) => world.finish()),
  always('reload', (world) => world.reload()),
  always('stop', (world) => world.page().chat.stop()),
  always('cut', ({ network }) => network.cut()),
  always('take all back', ({ choices }) => choices.revokeAll()),
  always(
    'send',
    (world) =>
      void world
        .page()
        .chat.sendMessage('go on')
        .catch(() => {}),
  ),
  always(
    'retry',
    (world) =>
      void world
        .page()
        .chat.retry()
        .catch(() => {}),
  ),
  always('wait', ({ clock }) => clock.advance(5_000)),
];

it('a handler runs only with consent, and once for each consent', async () => {
  const total = { asked: 0, reruns: 0, byRule: 0, runs: 0 };
  await fc.assert(
    fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 40, size: 'max' }), async (commands) => {
      const world = openWorld();
      try {
        void world
          .page()
          .chat.sendMessage('go')
          .catch(() => {});
        await settle(world);
        world.network.release(12);
        await settle(world);
        await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
        const { settledCalls } = world.page();
        const answered = settledCalls.filter(({ outcome }) => outcome !== 'expired').map(({ key }) => key);
        expect(new Set(answered).size).toBe(answered.length);
      } finally {
        world.close();
      }
      total.asked += world.statistics.asked;
      total.reruns += world.statistics.reruns;
      total.byRule += world.byRule.size;
      total.runs += [...world.runs.values()].reduce((sum, count) => sum + count, 0);
    }),
    { numRuns: caseCount(60) },
  );
  // A run in which no call, or every call, was asked about proves nothing.
  expect(total.asked).toBeGreaterThan(100);
  expect(total.reruns).toBeGreaterThan(5);
  expect(total.byRule).toBeGreaterThan(50);
  expect(total.runs).toBeGreaterThan(total.byRule);
}, 120_000);
