/** Subagents (specification 0.15): threads that a model creates, sends messages to, and hears from. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type {
  AgentDefinition,
  AnyAgentDefinition,
  SubagentToolConfig,
} from '../../../../src/backends/standard-agents/server/agent-definition.ts';
import { defineHook } from '../../../../src/backends/standard-agents/server/define-hook.ts';
import { defineTool } from '../../../../src/backends/standard-agents/server/define-tool.ts';
import { standardAgentsKit } from '../../../../src/backends/standard-agents/server/kit/standard-agents-kit.ts';
import type { ThreadRuntimeOptions } from '../../../../src/backends/standard-agents/server/thread-runtime-options.ts';
import { createMemoryThreadStore } from '../../../../src/backends/standard-agents/server/thread-store.ts';
import type { SessionStore } from '../../../../src/server/store/session-store.ts';
import { settle } from '../../../server/support.ts';
import { createDeferred } from '../../../support/deferred.ts';
import {
  call,
  createScriptedModel,
  type ModelStep,
  openRuntime,
  outline,
  readThread,
  say,
} from './open-runtime.ts';

interface Family {
  readonly subagent?: Partial<SubagentToolConfig>;
  readonly child?: Partial<AnyAgentDefinition>;
  readonly parent?: Partial<AnyAgentDefinition>;
  readonly store?: SessionStore;
  readonly runtime?: Partial<ThreadRuntimeOptions>;
}

const RESUMABLE = { resumable: { receives_messages: 'side_a' } } as const;

/** A runtime whose agent `helper` has the subagent `worker`. */
async function open(
  parentSteps: ModelStep[],
  childSteps: ModelStep[],
  { subagent, child, parent, runtime, store = createMemoryThreadStore() }: Family = {},
) {
  const [own, worker] = [createScriptedModel(...parentSteps), createScriptedModel(...childSteps)];
  const opened = openRuntime({
    store,
    agents: {
      helper: {
        type: 'ai_human',
        model: own.model,
        subagents: [{ name: 'worker', ...subagent }],
        ...parent,
      } as AnyAgentDefinition,
      worker: {
        type: 'ai_human',
        model: worker.model,
        toolDescription: 'Works.',
        ...child,
      } as AnyAgentDefinition,
    },
    ...runtime,
  });
  const children = async (id: string) => (await readThread(store, id)).children ?? [];
  return { ...opened, store, contexts: own.contexts, workerContexts: worker.contexts, children };
}

const create = (args: object = {}) =>
  call('subagent_create', { agent: 'worker', name: 'Ann', message: 'Find it', ...args });

test('agents that call each other without an end stop at 20 levels, with an error for the one that wants to go on', async () => {
  const store = createMemoryThreadStore();
  let asked = 0;
  const model: AgentDefinition['model'] = async function* ({ messages }) {
    asked += 1;
    if (messages.at(-1)?.role === 'tool') yield say(messages.at(-1)?.content ?? '');
    else yield* call('again', { message: 'Go' });
  };
  const again: AgentDefinition = { type: 'ai_human', model, subagents: [{ name: 'again' }] };
  const { createThread, send, messages, failures } = openRuntime({
    ...{ store, agents: { helper: again, again } },
  });
  const id = await createThread();
  await send(id, 'Go');
  const error = 'The subagent again was not created: this thread is 20 levels below the first one';
  expect((await messages(id)).at(-1)?.content).toContain(error);
  expect([asked, failures]).toEqual([42, [['tool', expect.stringContaining(error)]]]);
});

describe('a subagent that is called once', () => {
  test('is a tool whose result is the last message of the subagent, and its rows are shown below the call', async () => {
    const { createThread, send, messages, contexts, workerContexts, children } = await open(
      [call('worker', { message: 'Find it' }), [say('Done')]],
      [[say('Found')]],
    );
    const id = await createThread();
    await send(id, 'Go');
    expect(contexts[0]?.tools).toMatchObject([{ name: 'worker', description: 'Works.' }]);
    expect(outline(workerContexts[0]?.messages ?? [])).toEqual(['user: Find it']);
    const rows = await messages(id);
    expect(outline(rows)).toEqual([
      'user: Go',
      'assistant: [worker]',
      'assistant: Found',
      'tool: Found',
      'assistant: Done',
    ]);
    expect(rows[2]).toMatchObject({ depth: 1, parent_id: 'worker-1', name: 'worker' });
    expect(outline(contexts[1]?.messages ?? [])).toEqual(['user: Go', 'assistant: [worker]', 'tool: Found']);
    expect(await children(id)).toMatchObject([{ name: 'worker', status: 'completed', resumable: false }]);
  });

  test('takes its message and its name from the arguments that its agent has', async () => {
    const { createThread, send, children, workerContexts } = await open(
      [call('worker', { topic: 'cats', title: 'Cat expert' }), [say('Done')]],
      [[say('Found')]],
      {
        subagent: { initUserMessageProperty: 'topic', initAgentNameProperty: 'title' },
        child: { toolArgs: z.object({ topic: z.string(), title: z.string() }) },
      },
    );
    const id = await createThread();
    await send(id, 'Go');
    expect([outline(workerContexts[0]?.messages ?? []), (await children(id))[0]?.displayName]).toEqual([
      ['user: cats'],
      'Cat expert',
    ]);
  });

  test('is an error for the parent when its session fails', async () => {
    const giveUp = defineTool({
      description: 'd',
      execute: () => ({ status: 'success', result: 'no access' }),
    });
    const { createThread, send, messages } = await open(
      [call('worker', { message: '' }), [say('Sorry')]],
      [call('giveUp')],
      {
        child: { tools: { giveUp }, sessionFail: 'giveUp' },
      },
    );
    const id = await createThread();
    await send(id, 'Go');
    expect(outline(await messages(id)).slice(-2)).toEqual(['tool error: no access', 'assistant: Sorry']);
  });

  test.each([
    ['a hook of its queue throws', 'hook', 'The hook h failed: no luck'],
    ['its store fails', 'store', 'down'],
  ])('is an error for the parent when %s', async (_, source, error) => {
    const memory = createMemoryThreadStore();
    const isRefused = (record: string) =>
      source === 'store' && record.includes('"level":1') && record.includes('Found');
    const store: SessionStore = {
      ...memory,
      save: (id, record) =>
        isRefused(JSON.stringify(record)) ? Promise.reject(new Error('down')) : memory.save(id, record),
    };
    const refuse = defineHook({
      hook: 'before_update_message',
      id: 'h',
      execute() {
        throw new Error('no luck');
      },
    });
    const { ask, createThread, messages, children, failures } = await open(
      [call('worker', { message: 'Find it' }), [say('Sorry')]],
      [[say('Found')]],
      { store, child: { hooks: source === 'hook' ? [refuse] : [] } },
    );
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Go' });
    for (let turn = 0; turn < 10; turn += 1) await settle();
    expect(outline(await messages(id)).slice(-2)).toEqual([`tool error: ${error}`, 'assistant: Sorry']);
    expect(failures).toContainEqual([source, error]);
    expect((await children(id))[0]?.status).toBe('failed');
  });

  test('stops with its parent', async () => {
    let isStopped = false;
    const { ask, createThread, rest, messages, children } = await open(
      [call('worker', { message: '' })],
      [
        async function* ({ signal }) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          isStopped = true;
          yield say('');
        },
      ],
    );
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Go' });
    await settle();
    await ask('POST', `/${id}/stop`);
    await rest(id);
    await settle();
    expect([isStopped, outline(await messages(id)).at(-1)]).toEqual([
      true,
      'tool error: Stopped by the user',
    ]);
    expect((await children(id))[0]?.status).toBe('failed');
  });

  test('whose process died goes on in the next one, and is not created twice', async () => {
    const store = createMemoryThreadStore();
    const stuck: ModelStep = async function* () {
      await new Promise(() => {});
      yield say('');
    };
    const before = await open([call('worker', { message: 'Find it' })], [stuck], { store });
    const id = await before.createThread();
    await before.ask('POST', `/${id}/messages`, { role: 'user', content: 'Go' });
    await settle();
    const [first] = await before.children(id);
    const after = await open([[say('Done')]], [[say('Found')]], { store });
    await after.rest(id);
    expect(outline(await after.messages(id))).toEqual([
      'user: Go',
      'assistant: [worker]',
      'assistant: Found',
      'tool: Found',
      'assistant: Done',
    ]);
    expect(await after.children(id)).toEqual([{ ...first, status: 'completed' }]);
    expect(outline(after.workerContexts[0]?.messages ?? [])).toEqual(['user: Find it']);
  });
});

describe('a subagent that can be resumed', () => {
  test('is created with a name and an id, and gets messages in the same thread', async () => {
    let reference = '';
    const { createThread, send, messages, children, workerContexts, contexts, json } = await open(
      [
        create(),
        [say('Wait')],
        async function* () {
          yield* call('subagent_message', { id: reference, message: 'And why?' });
        },
        [say('Done')],
      ],
      [[say('Found')], [say('Because')]],
      { subagent: RESUMABLE },
    );
    const id = await createThread();
    await send(id, 'Go');
    const [entry] = await children(id);
    reference = entry?.reference ?? '';
    expect(entry).toMatchObject({ name: 'worker', displayName: 'Ann', resumable: true, status: 'completed' });
    await send(id, 'Ask why');
    expect(contexts[0]?.tools.map(({ name }) => name)).toEqual(['subagent_create', 'subagent_message']);
    const rows = await messages(id);
    expect(
      rows.filter(({ role }) => role === 'tool').map(({ content }) => JSON.parse(content ?? '')),
    ).toEqual([
      { id: reference, result: 'Found' },
      { id: reference, result: 'Because' },
    ]);
    expect(rows.filter(({ depth }) => depth === 1).map(({ parent_id, name }) => [parent_id, name])).toEqual([
      ['subagent_create-1', 'Ann'],
      ['subagent_message-1', 'Ann'],
    ]);
    expect(outline(workerContexts[1]?.messages ?? [])).toEqual([
      'user: Find it',
      'assistant: Found',
      'user: And why?',
    ]);
    expect((await json('GET', `/${reference}`))[1]).toMatchObject({
      agent_id: 'worker',
      session: { message: 'Because' },
    });
  });

  test.each([
    ['an empty name', create({ name: ' ' }), /name must be a text/],
    ['an unknown agent', create({ agent: 'constructor' }), /agent: Invalid input: expected "worker"/],
    ['an unknown id', call('subagent_message', { id: 'x', message: '' }), /no subagent with the id x/],
  ])('refuses %s', async (_, chunks, message) => {
    const { createThread, send, messages, children } = await open([chunks, [say('Sorry')]], [], {
      subagent: RESUMABLE,
    });
    const id = await createThread();
    await send(id, 'Go');
    expect(outline(await messages(id)).at(-2)).toMatch(message);
    expect(await children(id)).toEqual([]);
  });

  test('is not created when there are as many as there may be', async () => {
    const twice = [
      ...create(),
      ...call('subagent_create', { agent: 'worker', name: 'Bob', message: '' }, 'c2'),
    ];
    const { createThread, send, messages, children } = await open([twice, [say('Done')]], [[say('Found')]], {
      subagent: { resumable: { receives_messages: 'side_a', maxInstances: 1 } },
    });
    const id = await createThread();
    await send(id, 'Go');
    const [entry] = await children(id);
    expect(outline(await messages(id)).at(-2)).toContain(
      `Send one of them a message: Ann (${entry?.reference})`,
    );
  });

  test('that does not block reports its result later, in a message that people do not see', async () => {
    const { createThread, send, rest, messages, children } = await open(
      [create(), [say('Started')], [say('Thanks')]],
      [[say('Found')]],
      {
        subagent: { ...RESUMABLE, blocking: false },
      },
    );
    const id = await createThread();
    await send(id, 'Go');
    await settle();
    await rest(id);
    const [entry] = await children(id);
    const rows = outline(await messages(id, '?includeSilent=true&depth=0'));
    expect(rows).toContain(`user: The subagent Ann (${entry?.reference}) has finished: Found`);
    expect(rows.at(-1)).toBe('assistant: Thanks');
    expect(outline(await messages(id))).not.toContainEqual(expect.stringContaining('has finished'));
  });

  test('that breaks off while it works on its own is reported as failed after an earlier success', async () => {
    let isBroken = false;
    let reference = '';
    const refuse = defineHook({
      hook: 'before_update_message',
      id: 'h',
      execute() {
        if (isBroken) throw new Error('no luck');
        return null;
      },
    });
    const { createThread, send, rest, messages, children } = await open(
      [
        create(),
        [say('Started')],
        [say('Thanks')],
        async function* () {
          yield* call('subagent_message', { id: reference, message: 'And why?' });
        },
        [say('Asked')],
      ],
      [[say('Found')]],
      { subagent: { ...RESUMABLE, blocking: false }, child: { hooks: [refuse] } },
    );
    const id = await createThread();
    await send(id, 'Go');
    for (let turn = 0; turn < 5; turn += 1) await settle();
    reference = (await children(id))[0]?.reference ?? '';
    isBroken = true;
    await send(id, 'Ask why');
    for (let turn = 0; turn < 5; turn += 1) await settle();
    await rest(id);
    const rows = outline(await messages(id, '?includeSilent=true&depth=0'));
    expect(rows.filter((row) => row.startsWith('user: The subagent Ann'))).toEqual([
      `user: The subagent Ann (${reference}) has finished: Found`,
      `user: The subagent Ann (${reference}) has failed: The hook h failed: no luck`,
    ]);
    expect((await children(id))[0]?.status).toBe('failed');
  });

  test('with explicit communication reports only what it tells its parent', async () => {
    const tell = defineTool({
      description: 'd',
      async execute(state) {
        await state.notifyParent('Important. Please answer.');
        return { status: 'success', result: (await state.getParentThread())?.agentId ?? 'none' };
      },
    });
    const { createThread, send, rest, messages } = await open(
      [create(), [say('Started')], [say('Noted')]],
      [call('tell'), [say('Found')]],
      {
        subagent: {
          blocking: false,
          resumable: { receives_messages: 'side_a', parentCommunication: 'explicit' },
        },
        child: { tools: { tell } },
      },
    );
    const id = await createThread();
    await send(id, 'Go');
    await settle();
    await rest(id);
    const rows = outline(await messages(id, '?includeSilent=true'));
    expect(rows).toContainEqual(
      expect.stringMatching(/^user: Message from the subagent Ann \(.*\): Important/),
    );
    expect(rows).not.toContainEqual(expect.stringContaining('has finished'));
  });

  test('that ended when its parent was not there is reported once the parent is there', async () => {
    const store = createMemoryThreadStore();
    const dying: SessionStore = {
      ...store,
      save: (id, record) =>
        JSON.stringify(record).includes('has finished') ? new Promise(() => {}) : store.save(id, record),
    };
    const isFound = createDeferred<void>();
    const find: ModelStep = async function* () {
      await isFound.promise;
      yield say('Found');
    };
    const family = { subagent: { ...RESUMABLE, blocking: false } };
    const before = await open([create(), [say('Started')]], [find], { ...family, store: dying });
    const id = await before.createThread();
    await before.send(id, 'Go');
    isFound.resolve();
    for (let turn = 0; turn < 5; turn += 1) await settle();
    const after = await open([[say('Thanks')]], [], { subagent: { ...RESUMABLE, blocking: false }, store });
    await after.rest(id);
    for (let turn = 0; turn < 5; turn += 1) await settle();
    await after.rest(id);
    const rows = outline(await after.messages(id, '?includeSilent=true&depth=0'));
    expect(rows.filter((row) => row.includes('has finished'))).toHaveLength(1);
    expect(rows.at(-1)).toBe('assistant: Thanks');
  });

  test('of two sides gets its messages on the side that its parent names', async () => {
    const [a, b] = [
      createScriptedModel([say('Better')]),
      createScriptedModel([say('Review')], call('end', {})),
    ];
    const end = defineTool({ description: 'd', execute: () => ({ status: 'success', result: 'Good' }) });
    const own = createScriptedModel(create(), [say('Done')]);
    const { createThread, send, messages } = openRuntime({
      agents: {
        helper: {
          type: 'ai_human',
          model: own.model,
          subagents: [{ name: 'worker', resumable: { receives_messages: 'side_b' } }],
        },
        worker: {
          type: 'dual_ai',
          sideA: { model: a.model },
          sideB: { model: b.model, tools: { end }, sessionStop: 'end' },
        },
      },
    });
    const id = await createThread();
    await send(id, 'Go');
    expect(outline(b.contexts[0]?.messages ?? [])).toEqual(['user: Find it']);
    expect(outline(a.contexts[0]?.messages ?? [])).toEqual(['assistant: Find it', 'user: Review']);
    expect(outline(await messages(id)).at(-2)).toMatch(/"result":"Good"/);
  });
});

test('the hooks of both agents hear of a new subagent, which has the variables of its parent', async () => {
  const log: unknown[] = [];
  const hook = defineHook({
    hook: 'after_subagent_created',
    id: 'h',
    execute: async (state, child) =>
      log.push([
        state.agentId,
        child.agentId,
        await child.env('CITY'),
        (await state.getChildThread(child.threadId))?.agentId,
      ]),
  });
  const { ask, createThread, send } = await open(
    [call('worker', { message: '' }), [say('Done')]],
    [[say('Found')]],
    {
      parent: { hooks: [hook] },
      child: {
        hooks: [
          defineHook({ hook: 'after_thread_created', id: 'c', execute: (state) => log.push(state.agentId) }),
        ],
      },
    },
  );
  const id = await createThread();
  await ask('PUT', `/${id}/env/CITY`, { value: 'Oslo', type: 'text' });
  await send(id, 'Go');
  expect(log).toEqual(['worker', ['helper', 'worker', 'Oslo', 'worker']]);
});

test('a secret that only the subagent has reaches its parent in no way', async () => {
  const leak = defineTool({
    description: 'd',
    async execute(state) {
      await state.setEnv('KEY', 'sk-of-the-child');
      await state.notifyParent(`The key is ${await state.env('KEY')}`);
      state.emit('key', await state.env('KEY'));
      return { status: 'success', result: await state.env('KEY') };
    },
  });
  const { createThread, send, messages, follow, contexts } = await open(
    [call('worker', { message: '' }), [say('Done')]],
    [call('leak')],
    { child: { tools: { leak }, sessionStop: 'leak' } },
  );
  const id = await createThread();
  const frames = await follow(id);
  await send(id, 'Go');
  const rows = await messages(id, '?includeSilent=true');
  expect(outline(rows).filter((row) => row.includes('••••••'))).toHaveLength(3);
  expect(JSON.stringify([rows, frames, contexts.map((context) => context.messages)])).not.toContain(
    'sk-of-the-child',
  );
});

test('a question of a subagent reaches the person of its parent, whose answer reaches the subagent once', async () => {
  const kit = standardAgentsKit({
    tools: { confirm: { description: 'Asks.', args: z.object({ text: z.string() }) } },
  });
  // Both threads ask in a call of one id.
  const both = [...call('worker', { message: '' }), ...call('confirm', { text: 'Own' })];
  const { createThread, send, follow, json, rest, messages, children } = await open(
    [both, [say('Done')]],
    [call('confirm', { text: 'Inner' }), [say('Found')]],
    {
      parent: { tools: kit.tools },
      child: { tools: kit.tools },
      runtime: { endpoints: kit.endpoints, onStop: kit.abortPending },
    },
  );
  const id = await createThread();
  const frames = await follow(id);
  const sending = send(id, 'Go');
  for (let turn = 0; turn < 5; turn += 1) await settle();
  const [, { calls }] = await json('GET', `/${id}/client-tools`);
  const [entry] = await children(id);
  const innerId = `${entry?.reference}:confirm-1`;
  expect(calls).toMatchObject([{ id: innerId, args: { text: 'Inner' } }]);
  expect(frames.filter((frame) => frame.type === 'custom')).toMatchObject([
    { eventType: 'client_tool_request', data: { id: innerId } },
  ]);
  const answer = () =>
    json('POST', `/${id}/client-tools/${encodeURIComponent(innerId)}`, {
      outcome: 'submitted',
      result: 'yes',
    });
  expect([await answer(), await answer()]).toMatchObject([
    [200, {}],
    [409, {}],
  ]);
  await sending;
  const [, own] = await json('GET', `/${id}/client-tools`);
  expect(own.calls).toMatchObject([{ id: 'confirm-1', args: { text: 'Own' } }]);
  await json('POST', `/${id}/client-tools/confirm-1`, { outcome: 'submitted', result: 'ok' });
  await rest(id);
  const rows = await messages(id);
  expect(
    rows
      .filter(({ role, depth }) => role === 'tool' && depth === 1)
      .map(({ tool_call_id, content }) => [tool_call_id?.startsWith(`${entry?.reference}:`), content]),
  ).toContainEqual([true, '"yes"']);
  expect(outline(rows).slice(-3)).toEqual([
    'assistant: [client_tool_answer]',
    'tool: "ok"',
    'assistant: Done',
  ]);
});

describe('a stop of the thread while a subagent works on its own', () => {
  async function start(
    childSteps: ModelStep[],
    child: (kit: ReturnType<typeof standardAgentsKit>) => object,
  ) {
    const kit = standardAgentsKit({ tools: { ask: { description: 'd' } } });
    const opened = await open([call('worker', { message: 'Find it' }), [say('Done')]], childSteps, {
      ...{ subagent: { blocking: false }, child: child(kit), runtime: { kit } },
    });
    const id = await opened.createThread();
    await opened.send(id, 'Go');
    await settle();
    const questions = async () => (await opened.json('GET', `/${id}/client-tools`))[1].calls;
    return { ...opened, id, questions };
  }

  test('ends the question of the subagent, and the thread rests', async () => {
    const { ask, rest, children, contexts, id, questions } = await start([call('ask')], ({ tools }) => ({
      tools,
    }));
    expect(await questions()).toHaveLength(1);
    await ask('POST', `/${id}/stop`);
    await rest(id);
    expect(await questions()).toEqual([]);
    expect([await children(id), contexts.length]).toMatchObject([[{ status: 'failed' }], 2]);
  });

  test('ends the tool of the subagent, and the thread rests', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const wait = defineTool({
      description: 'd',
      execute: (state) => {
        signals.push(state.execution?.abortSignal);
        return createDeferred<never>().promise;
      },
    });
    const { ask, rest, children, contexts, id } = await start([call('wait')], () => ({ tools: { wait } }));
    await ask('POST', `/${id}/stop`);
    await rest(id);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    expect([await children(id), contexts.length]).toMatchObject([[{ status: 'failed' }], 2]);
  });
});
