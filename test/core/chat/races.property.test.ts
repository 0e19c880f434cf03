/** Two people answer the same approvals at random moments, with and without a network: both pages end with what the record says. */
import { expect, it } from 'vitest';
import { readAnswers } from '../../../src/server/receipts/answer-record.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionRecord } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { calls, createListAgent, stop, text } from '../../server/support.ts';
import fc, { caseCount } from '../../support/fast-check.ts';
import {
  ADA,
  CARRIERS,
  callParts,
  isAsked,
  isAtRest,
  lastText,
  openPage,
  type Page,
  untilAll,
  YES,
} from '../../support/open-pages.ts';
import { shareSession } from '../../support/shared-session.ts';

const BOB = { id: 'bob', name: 'Bob' };
const TOOLS = ['pay', 'ship'] as const;
type Tool = (typeof TOOLS)[number];

const step = fc.record({
  who: fc.constantFrom(0, 1),
  what: fc.oneof(
    fc.record({ type: fc.constant('answer' as const), tool: fc.constantFrom(...TOOLS), yes: fc.boolean() }),
    fc.record({ type: fc.constantFrom('cut' as const, 'offline' as const, 'online' as const) }),
  ),
  /** Tasks that run before the next step. */
  tasks: fc.constantFrom(0, 0, 1, 3, 10, 40),
  ms: fc.constantFrom(0, 0, 0, 700, 5_000),
});
const plan = fc.record({
  carriers: fc.tuple(fc.constantFrom(...CARRIERS), fc.constantFrom(...CARRIERS)),
  people: fc.constantFrom([ADA, BOB], [ADA, ADA], [undefined, undefined]),
  steps: fc.array(step, { minLength: 2, maxLength: 8 }),
});

async function runTasks(count: number): Promise<void> {
  for (let task = 0; task < count; task += 1) await new Promise((next) => setImmediate(next));
}

function answer({ chat }: Page, name: Tool, yes: boolean): void {
  const call = chat.getState().pendingCalls.find(({ toolName }) => toolName === name);
  if (yes) call?.submit(YES);
  else call?.decline();
}

it('both pages rest with the outcomes of the record, and each tool ran once if somebody allowed it', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ carriers, people, steps }) => {
      const ran: Record<Tool, number> = { pay: 0, ship: 0 };
      const tool = (name: Tool) => defineServerTool({ approval: 'always', execute: () => (ran[name] += 1) });
      const store = createMemorySessionStore();
      const agent = createListAgent(calls(...TOOLS), [...text('Thanks'), stop]);
      const shared = shareSession({ agent, store, tools: { pay: tool('pay'), ship: tool('ship') } });
      const pages = carriers.map((carrier, index) => openPage(shared, people[index], carrier)) as [
        Page,
        Page,
      ];
      await untilAll(isAtRest, ...pages);
      void pages[0].chat.sendMessage('hello');
      await untilAll(isAsked, ...pages);
      for (const { who, what, tasks, ms } of steps) {
        const page = pages[who] as Page;
        if (what.type === 'answer') answer(page, what.tool, what.yes);
        else {
          if (what.type !== 'online') page.goOffline();
          if (what.type !== 'offline') page.goOnline();
        }
        await runTasks(tasks);
        if (ms > 0) await shared.clock.advance(ms);
      }
      for (const page of pages) page.goOnline();
      for (let turn = 0; turn < 30; turn += 1) {
        await shared.clock.advance(5_000);
        await runTasks(20);
        for (const name of TOOLS) answer(pages[turn % 2] as Page, name, true);
        for (const { chat } of pages) if (chat.getState().status === 'error') void chat.retry();
      }
      await untilAll(
        (page) => page.chat.getState().status === 'idle' && lastText(page.chat) === 'Thanks',
        ...pages,
      );
      const answers = readAnswers('s', (await store.load('s')) as SessionRecord);
      const outcomes = Object.fromEntries(answers.map(({ toolName, outcome }) => [toolName, outcome]));
      for (const { chat, notified } of pages) {
        const shown = callParts(chat).map(({ toolName, outcome }) => [toolName, outcome]);
        expect(Object.fromEntries(shown)).toEqual(outcomes);
        // A page that was without a network for long asks to try again.
        const errors = notified.filter((line) => line.startsWith('error'));
        expect(errors.filter((line) => line !== 'error connection_lost')).toEqual([]);
      }
      for (const name of TOOLS) expect(ran[name]).toBe(outcomes[name] === 'submitted' ? 1 : 0);
      for (const { chat } of pages) chat.destroy();
    }),
    { numRuns: caseCount(40) },
  );
}, 60_000);
