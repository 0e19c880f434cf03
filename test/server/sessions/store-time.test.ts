/** The deadlines of questions count by the time of the store, whatever the clock of a process says. */
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { calls, createListAgent, hello, requestIn, run, stop, text } from '../support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Two processes that share a store. The clock of the second one is an hour off. */
function openTwo(off: number) {
  const storeClock = createManualClock();
  const clocks = [createManualClock(), createManualClock(storeClock.now() + off)] as const;
  const store = createMemorySessionStore({ clock: storeClock });
  const ask = defineServerTool({ execute: (_, { ask }) => ask({ message: 'Well?', expiresInMs: MINUTE }) });
  const agent = createListAgent(calls('ask'), [...text('Done'), stop]);
  const [right, wrong] = clocks.map((clock) =>
    createAgentSession({ id: 's', store, agent, tools: { ask }, clock }),
  );
  if (right === undefined || wrong === undefined) throw new Error('unreachable');
  return {
    ...{ store, storeClock, right, wrong },
    async advance(ms: number) {
      for (const clock of [storeClock, ...clocks]) await clock.advance(ms);
    },
    openCalls: async () => (await store.listOpenCalls?.())?.calls.length,
  };
}

const answerTo = (asked: readonly AgentEvent[]) => {
  const { executionId, toolCalls } = requestIn(asked);
  const toolResults = toolCalls.map(({ toolCallId }) => ({ toolCallId, result: { answer: 'Yes' } }));
  return { type: 'continue', executionId, toolResults, partial: true };
};

test('a store that does not tell its time fails the request, and nothing is changed', async () => {
  const store = createMemorySessionStore();
  const now = () => Promise.reject(new Error('no time'));
  const session = createAgentSession({ id: 's', agent: createListAgent([stop]), store: { ...store, now } });
  expect(await run(session, hello)).toMatchObject([{ type: 'error', code: 'store_failed' }]);
  expect(await store.load('s')).toBeNull();
});

describe.each([
  ['ahead', HOUR],
  ['behind', -HOUR],
])('a process whose clock is an hour %s', (_, off) => {
  test('leaves a question open until the time of the store is over', async () => {
    const { right, wrong, advance, openCalls } = openTwo(off);
    await run(right, hello);
    await wrong.recover();
    await run(wrong, { type: 'open' });
    await advance(MINUTE - 1);
    await wrong.recover();
    expect(await openCalls()).toBe(1);
    await advance(1);
    await wrong.recover();
    expect(await openCalls()).toBe(0);
  });

  test('takes an answer while the time of the store is not over', async () => {
    const { right, wrong, advance } = openTwo(off);
    const asked = await run(right, hello);
    await advance(MINUTE - 1);
    expect((await run(wrong, answerTo(asked))).at(-1)).toMatchObject({
      type: 'finish',
      finishReason: 'stop',
    });
  });

  test('sets the deadline of its own question by the time of the store', async () => {
    const { right, wrong, storeClock } = openTwo(off);
    const asked = await run(wrong, hello);
    expect(requestIn(asked).toolCalls[0]?.deadline).toBe(storeClock.now() + MINUTE);
    expect((await run(right, answerTo(asked))).at(-1)).toMatchObject({
      type: 'finish',
      finishReason: 'stop',
    });
  });
});
