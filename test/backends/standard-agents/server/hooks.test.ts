/** Hooks (specification 0.15, `HookSignatures`): when each is called, with what, and what becomes of what it returns. */
import { expect, test } from 'vitest';
import type { AgentDefinition } from '../../../../src/backends/standard-agents/server/agent-definition.ts';
import {
  defineHook,
  type HookDefinition,
} from '../../../../src/backends/standard-agents/server/define-hook.ts';
import { defineTool } from '../../../../src/backends/standard-agents/server/define-tool.ts';
import { createMemoryThreadStore } from '../../../../src/backends/standard-agents/server/thread-store.ts';
import { MASK } from '../../../../src/shared/secrets.ts';
import {
  call,
  createScriptedModel,
  type ModelStep,
  openRuntime,
  outline,
  readThread,
  say,
} from './open-runtime.ts';

const echo = defineTool({
  description: 'd',
  execute: async (state) => ({
    status: 'success',
    result: `key ${await state.env('KEY').catch(() => 'none')}`,
  }),
});
const fail = defineTool({ description: 'd', execute: () => ({ status: 'error', error: 'no disk' }) });

async function start(hooks: HookDefinition[], steps: ModelStep[], more: Partial<AgentDefinition> = {}) {
  const scripted = createScriptedModel(...steps);
  const store = createMemoryThreadStore();
  const agent: AgentDefinition = {
    type: 'ai_human',
    model: scripted.model,
    tools: { echo, fail },
    hooks,
    ...more,
  };
  const opened = openRuntime({ store, agents: { helper: agent } });
  return { ...opened, ...scripted, store, id: await opened.createThread() };
}

test('after_thread_created prepares a thread before its first message', async () => {
  const prepare = defineHook({
    hook: 'after_thread_created',
    id: 'prepare',
    execute: (state) => state.setEnv('KEY', 'Oslo', { type: 'text' }),
  });
  const { send, messages, id } = await start([prepare], [call('echo'), [say('Done')]]);
  await send(id, 'Go');
  expect(outline(await messages(id))).toContain('tool: key Oslo');
});

test('the three hooks of a model request change its rows, its history and its system message', async () => {
  const hooks = [
    defineHook({ hook: 'filter_messages', id: 'last', execute: (_, rows) => rows.slice(-1) }),
    defineHook({
      hook: 'prefilter_llm_history',
      id: 'loud',
      execute: (_, rows) => rows.map((row) => ({ ...row, content: row.content?.toUpperCase() ?? null })),
    }),
    defineHook({
      hook: 'after_system_message',
      id: 'polite',
      execute: async (_, text) => `${text} Be polite.`,
    }),
    defineHook({ hook: 'after_system_message', id: 'same', execute: () => null }),
  ];
  const { send, messages, contexts, id } = await start(hooks, [[say('One')], [say('Two')]], {
    prompt: 'Help.',
  });
  await send(id, 'first');
  await send(id, 'second');
  expect(outline(contexts[1]?.messages ?? [])).toEqual(['user: SECOND']);
  expect(contexts[1]?.system).toBe('Help. Be polite.');
  expect(outline(await messages(id))).toEqual([
    'user: first',
    'assistant: One',
    'user: second',
    'assistant: Two',
  ]);
});

test('the hooks of rows change what is stored, and see it without secrets once it is', async () => {
  const log: unknown[] = [];
  const hooks = [
    defineHook({
      hook: 'before_create_message',
      id: 'hide-numbers',
      execute: (_, row) => ({
        ...row,
        id: 'other',
        status: 'failed',
        content: row.content?.replace(/\d+/g, '#') ?? null,
      }),
    }),
    defineHook({
      hook: 'before_update_message',
      id: 'sign',
      execute: (_, __, updates) =>
        updates.content ? { ...updates, content: `${updates.content} - Bot` } : updates,
    }),
    defineHook({
      hook: 'after_create_message',
      id: 'log',
      execute: (_, { role, content }) => log.push(['created', role, content]),
    }),
    defineHook({
      hook: 'after_update_message',
      id: 'log',
      execute: (_, { role, content }) => log.push(['updated', role, content]),
    }),
  ];
  const { ask, send, messages, id } = await start(hooks, [call('echo'), [say('Done')]]);
  await ask('PUT', `/${id}/env/KEY`, { value: 'a secret' });
  await send(id, 'My number is 42');
  expect(outline(await messages(id))).toEqual([
    'user: My number is #',
    'assistant: [echo]',
    `tool: key ${MASK}`,
    'assistant: Done - Bot',
  ]);
  expect(new Set((await messages(id)).map(({ status }) => status))).toEqual(new Set(['completed']));
  expect(log).toEqual([
    ...[
      ['created', 'user', 'My number is #'],
      ['updated', 'user', 'My number is #'],
    ],
    ...[
      ['created', 'assistant', null],
      ['updated', 'assistant', null],
    ],
    ['created', 'tool', `key ${MASK}`],
    ...[
      ['created', 'assistant', null],
      ['updated', 'assistant', 'Done - Bot'],
    ],
  ]);
});

test('the hooks of a tool get its call and change its result, each what the one before made of it', async () => {
  const seen: unknown[] = [];
  const hooks = [
    defineHook({
      hook: 'after_tool_call_success',
      id: 'success',
      execute: (state, { function: { name } }, result) => {
        seen.push([name, result.result, state.execution !== null]);
        return { ...result, result: `${result.result}!` };
      },
    }),
    defineHook({
      hook: 'after_tool_call_failure',
      id: 'recover',
      execute: (_, { id }, { error }) => ({ status: 'success', result: `${id} recovered from ${error}` }),
    }),
    defineHook({
      hook: 'before_store_tool_result',
      id: 'quote',
      execute: (_, __, result) => ({ ...result, result: `"${result.result}"` }),
    }),
  ];
  const { send, messages, id } = await start(hooks, [[...call('echo'), ...call('fail')], [say('Done')]]);
  await send(id, 'Go');
  expect(seen).toEqual([['echo', 'key none', true]]);
  expect(outline(await messages(id)).slice(2, 4)).toEqual([
    'tool: "key none!"',
    'tool: "fail-1 recovered from no disk"',
  ]);
});

const broken = () => {
  throw new Error('no luck');
};

test('the error of a hook fails the message of the model, which is not stored', async () => {
  const hook = defineHook({
    hook: 'before_update_message',
    id: 'h',
    execute: (_, __, { tool_calls }) => (tool_calls === undefined ? null : broken()),
  });
  const { send, messages, failures, id } = await start([hook], [[say('Secret')]]);
  await send(id, 'Go');
  expect((await messages(id)).at(-1)).toMatchObject({
    status: 'failed',
    content: null,
    metadata: { error: 'The hook h failed: no luck' },
  });
  expect(failures).toEqual([['model', 'The hook h failed: no luck']]);
});

test.each(['filter_messages', 'prefilter_llm_history'] as const)(
  'the error of %s fails the message, and the model is not asked',
  async (name) => {
    const { send, messages, contexts, id } = await start(
      [defineHook({ hook: name, id: 'h', execute: broken })],
      [],
    );
    await send(id, 'Go');
    expect((await messages(id)).at(-1)).toMatchObject({
      status: 'failed',
      metadata: { error: 'The hook h failed: no luck' },
    });
    expect(contexts).toEqual([]);
  },
);

test('the error of the hook of a result is the result, and that of a hook that looks is only reported', async () => {
  const hooks = [
    defineHook({ hook: 'before_store_tool_result', id: 'h', execute: broken }),
    defineHook({
      hook: 'after_create_message',
      id: 'look',
      execute: (_, { role }) => (role === 'user' ? broken() : null),
    }),
  ];
  const { send, messages, failures, id } = await start(hooks, [call('echo'), [say('Done')]]);
  await send(id, 'Go');
  expect(outline(await messages(id)).slice(2)).toEqual([
    'tool error: The hook h failed: no luck',
    'assistant: Done',
  ]);
  expect(failures).toEqual([
    ['hook', 'The hook look failed: no luck'],
    ['tool', 'The hook h failed: no luck'],
  ]);
});

test('an error of after_thread_created is reported without secrets, and the client has its thread', async () => {
  const hook = defineHook({
    hook: 'after_thread_created',
    id: 'h',
    async execute(state) {
      await state.setEnv('KEY', 'a secret');
      throw new Error('refused a secret');
    },
  });
  const later = defineHook({
    hook: 'after_thread_created',
    id: 'later',
    execute: (state) => state.setValue('later', true),
  });
  const { json, failures, store, id } = await start([hook, later], []);
  expect(await json('GET', `/${id}`)).toMatchObject([200, { id }]);
  expect(failures).toEqual([['hook', `The hook h failed: refused ${MASK}`]]);
  expect((await readThread(store, id)).values).toEqual({ later: true });
});

test('a message that a hook refuses is answered with 500 and is not in the thread', async () => {
  const hook = defineHook({ hook: 'before_create_message', id: 'h', execute: broken });
  const { json, messages, id } = await start([hook], []);
  expect((await json('POST', `/${id}/messages`, { role: 'user', content: 'Hi' }))[0]).toBe(500);
  expect(await messages(id)).toEqual([]);
});

test('a message that is sent twice while a hook has it is in the thread once', async () => {
  const hook = defineHook({ hook: 'before_create_message', id: 'slow', execute: async () => null });
  const { ask, rest, messages, id } = await start([hook], [[say('Hello')]]);
  const post = () => ask('POST', `/${id}/messages`, { role: 'user', content: 'Hi', id: 'm1' });
  await Promise.all([post(), post()]);
  await rest(id);
  expect(outline(await messages(id))).toEqual(['user: Hi', 'assistant: Hello']);
});

test('a save while a hook has a message of the queue keeps the message', async () => {
  const hook = defineHook({
    hook: 'before_update_message',
    id: 'save',
    execute: async (state, _, { tool_calls }) => {
      if (tool_calls !== undefined) return;
      await state.setValue('saved', true);
      const { queue, messages } = await readThread(store, id);
      expect(queue.length + messages.length).toBe(1);
    },
  });
  const { send, messages, store, failures, id } = await start([hook], [[say('Hello')]]);
  await send(id, 'Hi');
  expect([outline(await messages(id)), failures]).toEqual([['user: Hi', 'assistant: Hello'], []]);
});

test.each([
  [
    { hook: 'constructor', id: 'h', execute: broken },
    /constructor is no hook. Use one of after_thread_created/,
  ],
  [{ hook: 'filter_messages', id: '', execute: broken }, /filter_messages needs an id/],
  [{ hook: 'filter_messages', id: 'h' }, /execute of h must be a function/],
])('defineHook refuses %j', (definition, message) => {
  expect(() => defineHook(definition as never)).toThrow(message);
});
