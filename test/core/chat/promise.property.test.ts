/**
 * The main promise in any interleaving: commands act on a chat in front of the real session; a small model remembers
 * what people said. The count is taken in the history of the agent, which is what a model would have read.
 */

import { describe, expect, it } from 'vitest';
import {
  type AgentChat,
  createAgentChat,
  createPersistence,
  type InteractiveTool,
} from '../../../src/core.ts';
import type { AgentContext, AgentMessage, ModelEvent } from '../../../src/server/agent.ts';
import { readHistory } from '../../../src/server/runs/history.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import fc, { caseCount } from '../../support/fast-check.ts';
import { createInterruptedNetwork } from '../../support/interrupted-network.ts';

/** The answers of people to one call. */
interface Said {
  readonly answer: object;
  /** The turn was cancelled before the agent had the answer, so the agent may have got the cancellation instead. */
  mayBeCutOff: boolean;
}

interface Model {
  readonly said: Map<string, Said>;
  /** The number of handler runs per call, and the number of times a person agreed to run it again. */
  readonly runs: Map<string, number>;
  readonly agreed: Map<string, number>;
  readonly faults: string[];
}

type Real = Awaited<ReturnType<typeof openWorld>>;

const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** An agent that sends text, asks two people and the page, waits for the answers, asks once more, and ends. */
async function* agent({ messages }: AgentContext): AsyncGenerator<ModelEvent> {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const round = since.filter(({ role }) => role === 'assistant').length;
  const id = `t${messages.length}`;
  yield { type: 'text-start', id };
  yield { type: 'text-delta', id, delta: round === 2 ? 'the end' : 'one moment' };
  yield { type: 'text-end', id };
  const names = [['ask', 'auto', 'ask'], ['ask']][round];
  if (names === undefined) return;
  const toolCalls = names.map((toolName, index) => ({
    toolCallId: `${toolName}-${messages.length}-${index}`,
    toolName,
    args: {},
  }));
  yield { type: 'tool-request', toolCalls };
}

async function openWorld(model: Model) {
  const clock = createManualClock();
  const store = createMemorySessionStore();
  const watched = async function* (context: AgentContext) {
    model.faults.push(...findMiscounts(context.messages));
    yield* agent(context);
  };
  const session = createAgentSession({ id: 's', agent: watched, store, clock, resumeWindowMs: 1e9 });
  const network = createInterruptedNetwork(session, clock);
  const promises: Promise<unknown>[] = [];

  const openPage = (entries: ReadonlyMap<string, string>) => {
    const storage = createMemoryStorage();
    for (const [key, value] of entries) storage.save(key, value);
    const { transport, close } = network.openPage();
    const chat = createAgentChat({
      transport,
      id: 'c',
      clock,
      persistence: createPersistence({ storage, tabs: false }),
      clientTools: {
        ask: 'interactive',
        auto: async (_args, { toolCallId }) => {
          add(model.runs, toolCallId);
          await nextTask();
          return { ran: toolCallId };
        },
      },
    });
    chat.subscribe(() => {});
    return { chat, storage, close };
  };
  let page = openPage(new Map());

  return {
    network,
    clock,
    chat: (): AgentChat => page.chat,
    history: async () => {
      const record = await store.load('s');
      return record ? readHistory(record) : [];
    },
    /** Running actions. Other tests check their rejections. */
    let: (promise: Promise<unknown>) => promises.push(promise.catch(() => {})),
    reload() {
      const entries = new Map(page.storage.entries);
      page.close();
      page.chat.destroy();
      page = openPage(entries);
    },
    async close() {
      page.close();
      page.chat.destroy();
      await Promise.all(promises);
    },
  };
}

function findMiscounts(messages: readonly AgentMessage[]): string[] {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  return calls.flatMap(({ toolCallId }) => {
    const { length } = answersTo(messages, toolCallId);
    return length === 1 ? [] : [`${toolCallId} has ${length} answers`];
  });
}

const answersTo = (messages: readonly AgentMessage[], id: string) =>
  messages.flatMap((message) => (message.role === 'tool' && message.toolCallId === id ? [message] : []));

const nextTask = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The number of turns of the event loop after a command, more than any command needs. */
async function settle({ clock }: Real): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) {
    await nextTask();
    await clock.advance(0);
  }
}

const waitingCalls = (chat: AgentChat): InteractiveTool[] =>
  Object.values(chat.getState().pendingClientTools).flatMap((tools) => [...(tools ?? [])]);

/** Cancels the turn: answers that the agent does not have yet may not arrive. */
async function cutOff(model: Model, real: Real): Promise<void> {
  const history = await real.history();
  for (const [id, said] of model.said) if (answersTo(history, id).length === 0) said.mayBeCutOff = true;
}

const say = (model: Model, tool: InteractiveTool, how: 'submit' | 'decline' | 'cancel') => {
  const { toolCallId } = tool;
  if (tool.approvalReason === 'interrupted') {
    const answer = how === 'submit' ? { result: { ran: toolCallId } } : undefined;
    const settled = how === 'submit' ? tool.submit(undefined) : tool.cancel('no');
    if (!settled.settled) return;
    if (answer) add(model.agreed, toolCallId);
    return;
  }
  const number = model.said.size;
  const [settlement, answer] =
    how === 'submit'
      ? [tool.submit({ number }), { result: { number } }]
      : how === 'decline'
        ? [tool.decline(`no ${number}`), { result: { outcome: 'declined', reason: `no ${number}` } }]
        : [tool.cancel(`gone ${number}`), { error: `gone ${number}` }];
  if (!settlement.settled) return;
  if (model.said.has(toolCallId)) model.faults.push(`${toolCallId} was settled twice`);
  else model.said.set(toolCallId, { answer, mayBeCutOff: false });
};

/** A command that is always allowed. It has no effect if it does not apply. */
function command(name: string, act: (model: Model, real: Real) => void | Promise<void>) {
  return {
    check: () => true,
    async run(model: Model, real: Real) {
      await act(model, real);
      await settle(real);
      expect(model.faults).toEqual([]);
    },
    toString: () => name,
  };
}

const COMMANDS = [
  fc
    .integer({ min: 1, max: 6 })
    .map((chunks) => command(`release ${chunks}`, (_, { network }) => network.release(chunks))),
  fc.constant(0).map(() => command('release twelve chunks', (_, { network }) => network.release(12))),
  fc
    .record({
      at: fc.nat(2),
      how: fc.constantFrom('submit', 'decline', 'cancel'),
      twice: fc.boolean(),
    } as const)
    .map(({ at, how, twice }) =>
      command(`${how} ${at}${twice ? ' twice' : ''}`, (model, real) => {
        const tool = waitingCalls(real.chat())[at];
        for (let time = 0; tool && time < (twice ? 2 : 1); time += 1) say(model, tool, how);
      }),
    ),
  fc.constantFrom('reject', 'cancel', 'queue').map((whilePending) =>
    command(`send, ${whilePending}`, async (model, real) => {
      const isAsked = waitingCalls(real.chat()).length > 0;
      if (!isAsked || whilePending === 'cancel') await cutOff(model, real);
      real.let(real.chat().sendMessage('hello', { whilePending }));
    }),
  ),
  fc.constant(0).map(() =>
    command('stop', async (model, real) => {
      await cutOff(model, real);
      real.chat().stop();
    }),
  ),
  fc.constant(0).map(() => command('retry', (_, real) => void real.let(real.chat().retry()))),
  fc.constant(0).map(() => command('reload', (_, real) => real.reload())),
  fc.constant(0).map(() => command('cut', (_, { network }) => network.cut())),
  fc
    .constantFrom('request' as const, 'response' as const)
    .map((what) => command(`lose a ${what}`, (_, { network }) => network.lose(what))),
  fc.constantFrom(500, 5_000).map((ms) => command(`wait ${ms}`, (_, { clock }) => clock.advance(ms))),
];

/** Repairs the network, answers and retries until the conversation is idle. */
async function bringToRest(model: Model, real: Real, isSent = () => true): Promise<void> {
  let retries = 0;
  real.network.recover();
  for (let step = 0; step < 120; step += 1) {
    await real.clock.advance(2_000);
    await settle(real);
    const chat = real.chat();
    const { status, error } = chat.getState();
    if (status === 'idle' && isSent()) return;
    for (const tool of waitingCalls(chat)) say(model, tool, 'submit');
    if (status !== 'error') continue;
    if (error?.retryable && retries++ < 3) {
      real.let(chat.retry());
    } else {
      await cutOff(model, real);
      chat.clearError();
    }
  }
  throw new Error(`stuck: ${JSON.stringify(real.chat().getState()).slice(0, 2_000)}`);
}

async function checkPromise(model: Model, real: Real): Promise<void> {
  await bringToRest(model, real);
  let isSent = false;
  real.let(
    real
      .chat()
      .sendMessage('goodbye')
      .then(() => {
        isSent = true;
      }),
  );
  await bringToRest(model, real, () => isSent);

  const history = await real.history();
  const { messages } = real.chat().getState();
  expect([model.faults, findMiscounts(history)]).toEqual([[], []]);
  expect(history.at(-1)).toMatchObject({ role: 'assistant', content: 'the end' });
  expect(messages.at(-1)?.parts.at(-1)).toMatchObject({ type: 'text', text: 'the end', status: 'done' });
  const parts = messages.flatMap((message) => message.parts);
  expect(JSON.stringify(parts)).not.toMatch(/"status":"(streaming|pending|running)"/);
  for (const [id, { answer, mayBeCutOff }] of model.said) {
    const [taken] = answersTo(history, id);
    if (!mayBeCutOff) expect(taken, id).toMatchObject(answer);
    // Every answer that the agent took equals the answer that was given to this call.
    else if (taken?.result !== undefined) expect(taken, id).toMatchObject(answer);
  }
  for (const [id, runs] of model.runs) {
    expect(runs, `runs of ${id}`).toBeLessThanOrEqual(1 + (model.agreed.get(id) ?? 0));
    const [taken] = answersTo(history, id);
    if (taken?.result !== undefined) expect(taken.result).toEqual({ ran: id });
  }
}

describe('every answer reaches the agent once', () => {
  it('every answer reaches the agent once, in any interleaving of events, people, reloads and a bad network', async () => {
    const statistics = { commands: 0, answers: 0 };
    await fc.assert(
      fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 40, size: 'max' }), async (commands) => {
        const model: Model = { said: new Map(), runs: new Map(), agreed: new Map(), faults: [] };
        const real = await openWorld(model);
        try {
          real.let(real.chat().sendMessage('hello'));
          await settle(real);
          await fc.asyncModelRun(() => ({ model, real }), commands);
          await checkPromise(model, real);
        } finally {
          await real.close();
        }
        statistics.commands += 1;
        statistics.answers += model.said.size;
      }),
      { numRuns: caseCount(40) },
    );
    // A conversation without a question proves nothing.
    expect(statistics.answers).toBeGreaterThan(statistics.commands);
  }, 120_000);
});
