import { expect, test } from 'vitest';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { OpenCallList } from '../../../src/server/store/session-store.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createSampleRecord } from '../../../src/testing/session-store/sample-record.ts';
import { calls, collect, continueWith, createListAgent, hello, run, settle, stop, text } from '../support.ts';

test.each([
  [{ limit: 0 }, 'limit must be a whole number of 1 or more, not 0'],
  [{ limit: 1.5 }, 'limit must be a whole number of 1 or more, not 1.5'],
  [{ after: 'yesterday' }, "after must be the 'next' of an earlier list, not 'yesterday'"],
])('listOpenCalls refuses the options %j', async (options, message) => {
  const store = createMemorySessionStore();
  await expect(store.listOpenCalls?.(options)).rejects.toThrow(message);
});

test('a list without a limit has 50 calls', async () => {
  const store = createMemorySessionStore();
  const open = Array.from({ length: 51 }, (_, index) => ({
    toolCallId: `call-${index}`,
    toolName: 'ask',
    args: {},
  }));
  await store.save('s', createSampleRecord(1, 'Hi', { open, askedAt: 5 }));
  const first = await store.listOpenCalls?.();
  expect(first?.calls).toHaveLength(50);
  expect(await store.listOpenCalls?.({ after: first?.next ?? '' })).toMatchObject({
    calls: [{ call: { toolCallId: 'call-50' } }],
  });
});

test('the calls of more sessions than are read together are all listed', async () => {
  const store = createMemorySessionStore();
  for (let index = 0; index < 250; index += 1) {
    await store.save(`s-${index}`, createSampleRecord(1, 'Hi', { askedAt: 1_000 - (index % 7) }));
  }
  const list = (await store.listOpenCalls?.({ limit: 1_000 })) as OpenCallList;
  const { calls } = list;
  expect(new Set(calls.map(({ sessionId }) => sessionId)).size).toBe(250);
  expect(calls).toHaveLength(250);
  const times = calls.map(({ askedAt }) => askedAt);
  expect(times).toEqual([...times].sort((one, other) => one - other));
});

test('a list for a person knows the rules of the sessions that wait in this process, as long as they wait', async () => {
  const store = createMemorySessionStore();
  const agent = createListAgent(calls('ask'), [...text('Done'), stop]);
  const session = createAgentSession({ id: 's', store, agent, mayAnswer: ({ id }) => id === 'ada' });
  const listFor = async (id: string) => (await store.listOpenCalls?.({ principal: { id } }))?.calls.length;
  const asked = await run(session, hello);
  expect([await listFor('ada'), await listFor('grace')]).toEqual([1, 0]);
  await collect(session.execute(continueWith(asked), { principal: { id: 'ada' } }));
  await store.save('s', createSampleRecord(100, 'Hi'));
  expect(await listFor('ada')).toBe(0);
});

test('a list for a person leaves out the sessions whose rules this process does not know', async () => {
  const store = createMemorySessionStore();
  await store.save('s', createSampleRecord(1, 'Hi', { askedAt: 5 }));
  expect(await store.listOpenCalls?.({ principal: { id: 'ada' } })).toEqual({ calls: [] });
});

test('listOpenCalls refuses a principal without an id', async () => {
  const store = createMemorySessionStore();
  await store.save('s', createSampleRecord(1, 'Hi', { askedAt: 5 }));
  const principal = { name: 'Ada' } as never;
  await expect(store.listOpenCalls?.({ principal })).rejects.toThrow('The principal has no id');
});

test('a list opens each session once, and one whose rule never settles costs its own rows after ten seconds', async () => {
  const store = createMemorySessionStore();
  const clock = createManualClock();
  const open = ['a', 'b'].map((toolCallId) => ({ toolCallId, toolName: 'ask', args: {} }));
  for (const id of ['first', 'hangs', 'last']) {
    await store.save(id, createSampleRecord(1, 'Hi', { open, askedAt: 5 }));
  }
  const opened: string[] = [];
  const failures: string[] = [];
  const listed = store.listOpenCalls?.({
    principal: { id: 'ada' },
    clock,
    openSession(id) {
      opened.push(id);
      return { mayAnswer: () => (id === 'hangs' ? new Promise<never>(() => {}) : true) };
    },
    onError: (thrown, sessionId) => failures.push(`${sessionId}: ${thrown}`),
  });
  await settle();
  await clock.advance(10_000);
  const rows = (await listed)?.calls.map(({ sessionId, call }) => `${sessionId} ${call.toolCallId}`);
  expect(rows).toEqual(['first a', 'first b', 'last a', 'last b']);
  expect(opened).toEqual(['first', 'hangs', 'last']);
  expect(failures).toEqual([
    expect.stringMatching(/^hangs: Error: mayAnswer of the session 'hangs' did not decide within 10 seconds/),
    expect.stringMatching(/^hangs: Error: mayAnswer of the session 'hangs' did not decide within 10 seconds/),
  ]);
  expect(clock.waiting).toBe(0);
});
