/** Threads in a session store, beside sessions, and in the hands of two processes. */
import { expect, test } from 'vitest';
import type { ThreadEndpoints } from '../../../../src/backends/standard-agents/server/define-thread-endpoint.ts';
import { defineTool } from '../../../../src/backends/standard-agents/server/define-tool.ts';
import type { ThreadState } from '../../../../src/backends/standard-agents/server/thread-state.ts';
import {
  createMemoryThreadStore,
  THREAD_PREFIX,
} from '../../../../src/backends/standard-agents/server/thread-store.ts';
import { createAgentSession } from '../../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../../src/server/store/create-memory-session-store.ts';
import { settle } from '../../../server/support.ts';
import { createDeferred } from '../../../support/deferred.ts';
import { call, createScriptedModel, openRuntime, outline, readThread, say } from './open-runtime.ts';

test('a thread goes on in another process with its rows, values, variables and files', async () => {
  const store = createMemorySessionStore();
  const keep = defineTool({
    description: 'd',
    async execute(state) {
      await state.setValue('__proto__', { a: [1] });
      await state.writeFile('/attachments/a.txt', 'one', 'text/plain');
      return { status: 'success', result: await state.env('KEY') };
    },
  });
  const before = openRuntime({
    store,
    model: createScriptedModel(call('keep'), [say('Kept')]).model,
    tools: { keep },
  });
  const id = await before.createThread();
  await before.ask('PUT', `/${id}/env/KEY`, { value: 'a secret' });
  await before.send(id, 'Go');
  const after = openRuntime({ store });
  expect(await after.messages(id)).toEqual(await before.messages(id));
  expect(await (await after.ask('GET', `/${id}/files/a.txt`)).text()).toBe('one');
  expect(await after.json('GET', `/${id}/env`)).toEqual(await before.json('GET', `/${id}/env`));
  expect(Object.entries((await readThread(store, id)).values)).toEqual([['__proto__', { a: [1] }]]);
});

test('the save of a process whose thread another one has changed is answered with 503, and the next request goes on', async () => {
  const store = createMemoryThreadStore();
  const first = openRuntime({ store, model: createScriptedModel([say('Never')]).model });
  const id = await first.createThread();
  await first.json('GET', `/${id}`);
  const second = openRuntime({ store, model: createScriptedModel([say('Hello')]).model });
  await second.send(id, 'Hi');
  const post = () => first.ask('PUT', `/${id}/env/CITY`, { value: 'Oslo', type: 'text' });
  const refused = await post();
  expect([refused.status, (await refused.json()).code, refused.headers.get('retry-after')]).toEqual([
    503,
    'thread_taken',
    '1',
  ]);
  expect((await post()).status).toBe(204);
  expect(outline(await first.messages(id))).toEqual(['user: Hi', 'assistant: Hello']);
  expect((await readThread(store, id)).env).toEqual({ CITY: { value: 'Oslo', type: 'text' } });
});

test('an execution ends when another process has saved its thread, and writes nothing more', async () => {
  const store = createMemoryThreadStore();
  const isDone = createDeferred<void>();
  const wait = defineTool({
    description: 'd',
    execute: async () => {
      await isDone.promise;
      return { status: 'success', result: 'late' };
    },
  });
  const scripted = createScriptedModel(call('wait'), [say('Never')]);
  const first = openRuntime({ store, model: scripted.model, tools: { wait } });
  const id = await first.createThread();
  await first.ask('POST', `/${id}/messages`, { role: 'user', content: 'Hi' });
  await settle();
  const second = openRuntime({ store, model: createScriptedModel([say('Here')]).model });
  await second.rest(id);
  const rows = [
    'user: Hi',
    'assistant: [wait]',
    'tool error: There is no tool named wait. Use one of the tools you were given.',
    'assistant: Here',
  ];
  expect(outline(await second.messages(id))).toEqual(rows);
  isDone.resolve();
  await settle();
  expect(scripted.contexts).toHaveLength(1);
  expect(first.failures).toEqual([
    ['store', expect.stringContaining('Another process has saved the thread')],
  ]);
  expect(outline((await readThread(store, id)).messages)).toEqual(rows);
});

/** Two processes of one store: the first has a state of the thread that the second one then changes. */
async function openTwo(store = createMemoryThreadStore()) {
  let state: ThreadState | undefined;
  const take: ThreadEndpoints = {
    'take.ts': (_, taken) => {
      state = taken;
      return new Response();
    },
  };
  const first = openRuntime({ store, endpoints: take });
  const id = await first.createThread();
  await first.ask('GET', `/${id}/take`);
  const second = openRuntime({ store });
  await second.ask('GET', `/${id}`);
  const putInSecond = () => second.ask('PUT', `/${id}/env/CITY`, { value: 'Oslo', type: 'text' });
  return { id, state: state as unknown as ThreadState, putInSecond };
}

test('a tool that goes on after another process took its thread saves nothing, however often it tries', async () => {
  const store = createMemoryThreadStore();
  const { id, state, putInSecond } = await openTwo(store);
  await putInSecond();
  for (const value of [1, 2, 3])
    await expect(state.setValue('count', value)).rejects.toThrow('Another process');
  expect(await readThread(store, id)).toMatchObject({ env: { CITY: { value: 'Oslo' } }, values: {} });
});

test('a save after one that failed changes nothing if another process has saved meanwhile', async () => {
  const memory = createMemoryThreadStore();
  let isBroken = false;
  const save: typeof memory.save = (...saved) =>
    isBroken ? Promise.reject(new Error('down')) : memory.save(...saved);
  const { id, state, putInSecond } = await openTwo({ ...memory, save });
  isBroken = true;
  await expect(state.setValue('count', 1)).rejects.toThrow('down');
  isBroken = false;
  await putInSecond();
  await expect(state.setValue('count', 2)).rejects.toThrow('Another process');
  expect(await readThread(memory, id)).toMatchObject({ env: { CITY: { value: 'Oslo' } }, values: {} });
});

test('a save goes on after one that arrived although it failed', async () => {
  const memory = createMemoryThreadStore();
  let isCut = false;
  const save: typeof memory.save = async (...saved) => {
    const isSaved = await memory.save(...saved);
    if (isCut) throw new Error('connection lost');
    return isSaved;
  };
  const { id, state } = await openTwo({ ...memory, save });
  isCut = true;
  await expect(state.setValue('count', 1)).rejects.toThrow('connection lost');
  isCut = false;
  await state.setValue('count', 2);
  await state.setValue('last', 3);
  expect((await readThread(memory, id)).values).toEqual({ count: 2, last: 3 });
});

test('a session that has the id of a thread, and a thread that has the id of a session, change nothing', async () => {
  const store = createMemorySessionStore();
  const { createThread, json, failures } = openRuntime({ store });
  const id = await createThread();
  const session = createAgentSession({ id: THREAD_PREFIX + id, store, agent: async function* () {} });
  const events = session.execute({
    type: 'trigger',
    triggerName: 'user-message',
    input: { USER_MESSAGE: 'Hi' },
  });
  expect((await events.next()).value).toMatchObject({ type: 'error' });
  expect(await json('GET', `/${id}`)).toMatchObject([200, { id }]);

  const other = createAgentSession({ id: `${THREAD_PREFIX}mine`, store, agent: async function* () {} });
  for await (const _ of other.execute({ type: 'trigger', triggerName: 'user-message', input: {} })) void _;
  expect((await json('GET', '/mine'))[0]).toBe(500);
  expect(failures).toMatchObject([['request', expect.stringContaining('a session in place of this thread')]]);
});
