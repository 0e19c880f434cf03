/** The kit in runtimes that are not ours: it uses the state of the specification, and a store that processes share. */
import { expect, test } from 'vitest';
import type {
  ClientCallStore,
  KitState,
} from '../../../../../src/backends/standard-agents/server/kit/client-call-store.ts';
import { standardAgentsKit } from '../../../../../src/backends/standard-agents/server/kit/standard-agents-kit.ts';
import type { CallRow } from '../../../../../src/backends/standard-agents/server/thread-message.ts';
import { createManualClock } from '../../../../../src/testing/manual-clock.ts';
import { TOOLS } from './open-kit.ts';

/** A thread of a runtime that stores nothing of a turn before its end, and whose executions cannot be stopped. */
function createForeignThread(messages: CallRow[] = [], execution: KitState['execution'] = {}) {
  const values = new Map<string, string>();
  const log: unknown[] = [];
  const state: KitState = {
    threadId: 'thread-1',
    execution,
    getMessages: async () => ({ messages }),
    queueTool: async (name, args) => void log.push(['queueTool', name, args]),
    emit: (eventType, data) => void log.push(['emit', eventType, data]),
    getValue: async (key) => JSON.parse(values.get(key) ?? 'null'),
    setValue: async (key, value) => void values.set(key, JSON.stringify(value)),
  };
  return { state, log, values };
}

const post = (body: unknown) =>
  new Request('http://localhost', { method: 'POST', body: JSON.stringify(body) });

test('the kit works with nothing but the state of the specification', async () => {
  const kit = standardAgentsKit({ tools: TOOLS });
  const { state, log } = createForeignThread();
  const asked = await kit.tools.confirm?.execute(state, { text: 'Sure?' });
  expect(asked).toMatchObject({ status: 'success', result: expect.stringMatching(/^Waiting for the user/) });
  const list = await kit.endpoints['client-tools.ts']?.(
    new Request('http://localhost'),
    { ...state, execution: null },
    {},
  );
  const { calls } = await (list as Response).json();
  expect(calls).toMatchObject([
    { name: 'confirm', args: { text: 'Sure?' }, requestedAt: expect.any(Number) },
  ]);
  const { id } = calls[0];
  const endpoint = kit.endpoints['client-tools/[id].post.ts'];
  const accepted = await endpoint?.(
    post({ outcome: 'submitted', result: 1 }),
    { ...state, execution: null },
    { id },
  );
  expect(await accepted?.json()).toEqual({ status: 'accepted', outcome: 'submitted' });
  expect(log).toEqual([
    ['emit', 'client_tool_request', { id, name: 'confirm', args: { text: 'Sure?' } }],
    ['emit', 'client_tool_answered', { id, outcome: 'submitted' }],
    ['queueTool', 'client_tool_answer', { id }],
  ]);
  expect(await kit.tools.client_tool_answer?.execute(state, { id })).toEqual({
    status: 'success',
    result: '1',
  });
});

test('a tool that runs again after its call was answered does not bring the answer a second time', async () => {
  const asking: CallRow = {
    id: 'm1',
    tool_calls: JSON.stringify([
      { id: 'c1', type: 'function', function: { name: 'confirm', arguments: '{}' } },
    ]),
  };
  const kit = standardAgentsKit({ tools: TOOLS });
  const { state, log } = createForeignThread([asking]);
  const first = await kit.tools.confirm?.execute(state, { text: 'Sure?' });
  await kit.endpoints['client-tools/[id].post.ts']?.(post({ outcome: 'submitted', result: 1 }), state, {
    id: 'c1',
  });
  expect(await kit.tools.confirm?.execute(state, { text: 'Sure?' })).toEqual(first);
  expect(log.map((entry) => (entry as string[]).slice(0, 2))).toEqual([
    ['emit', 'client_tool_request'],
    ['emit', 'client_tool_answered'],
    ['queueTool', 'client_tool_answer'],
  ]);
});

test('a tool without arguments asks with an empty object', async () => {
  const kit = standardAgentsKit({ tools: { locate: { description: 'Asks where the user is.' } } });
  const { state, log } = createForeignThread();
  await kit.tools.locate?.execute(state, undefined as never);
  expect(log).toMatchObject([['emit', 'client_tool_request', { name: 'locate', args: {} }]]);
});

test('a blocking tool ends when the runtime aborts its execution', async () => {
  const clock = createManualClock();
  const kit = standardAgentsKit({ tools: TOOLS, mode: 'blocking', clock });
  const execution = new AbortController();
  const { state } = createForeignThread([], { abortSignal: execution.signal });
  const waiting = kit.tools.confirm?.execute(state, { text: 'Sure?' });
  await clock.advance(500);
  execution.abort();
  await clock.advance(500);
  expect(await waiting).toEqual({ status: 'error', error: 'Stopped by the user' });
});

test.each(['resume', 'blocking'] as const)(
  'a tool of the mode %s does not ask when its execution was stopped before its turn came',
  async (mode) => {
    const kit = standardAgentsKit({ tools: TOOLS, mode });
    const { state, log, values } = createForeignThread([], { abortSignal: AbortSignal.abort() });
    const result = await kit.tools.confirm?.execute(state, { text: 'Sure?' });
    expect(result).toEqual({ status: 'error', error: 'Stopped by the user' });
    expect([log, [...values]]).toEqual([[], []]);
  },
);

test('with a store that two processes share, the first answer wins in both', async () => {
  const values = new Map<string, unknown>();
  let last: Promise<unknown> = Promise.resolve();
  const store: ClientCallStore = {
    getValue: async ({ threadId }, key) => values.get(`${threadId} ${key}`) ?? null,
    setValue: async ({ threadId }, key, value) => void values.set(`${threadId} ${key}`, value),
    withLock(_, action) {
      const result = last.then(action);
      last = result.catch(() => {});
      return result;
    },
  };
  const [one, two] = [0, 1].map(() => standardAgentsKit({ tools: TOOLS, store }));
  const { state, log, values: own } = createForeignThread();
  await one?.tools.confirm?.execute(state, { text: 'Sure?' });
  const [, , { id }] = log[0] as [string, string, { id: string }];
  const answers = await Promise.all(
    [one, two].map((kit, index) =>
      kit?.endpoints['client-tools/[id].post.ts']?.(post({ outcome: 'submitted', result: index }), state, {
        id,
      }),
    ),
  );
  expect(answers.map((response) => response?.status).sort()).toEqual([200, 409]);
  expect(log.filter((entry) => (entry as string[])[0] === 'queueTool')).toHaveLength(1);
  expect(own.size).toBe(0);
});
