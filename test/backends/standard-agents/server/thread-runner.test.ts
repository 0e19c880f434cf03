/** How a thread runs: steps, tools, the queue, stops, and what survives the end of the process. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelChunk } from '../../../../src/backends/standard-agents/server/agent-definition.ts';
import { defineTool, type ToolSet } from '../../../../src/backends/standard-agents/server/define-tool.ts';
import type { ThreadState } from '../../../../src/backends/standard-agents/server/thread-state.ts';
import { createMemoryThreadStore } from '../../../../src/backends/standard-agents/server/thread-store.ts';
import { settle } from '../../../server/support.ts';
import { createDeferred } from '../../../support/deferred.ts';
import { call, createScriptedModel, openRuntime, outline, readThread, say } from './open-runtime.ts';

const echo = defineTool({
  description: 'Returns its text.',
  args: z.object({ text: z.string() }),
  execute: (_, { text }) => ({ status: 'success', result: text }),
});

describe('tool calls', () => {
  test('calls of one message run one after the other in their order, and their results are saved before the next', async () => {
    const store = createMemoryThreadStore();
    const log: string[] = [];
    const tool = (name: string) =>
      defineTool({
        description: name,
        async execute(state) {
          const saved = await readThread(store, state.threadId);
          log.push(
            `${name} starts after ${saved.messages.filter(({ role }) => role === 'tool').length} results`,
          );
          await settle();
          log.push(`${name} ends`);
          return { status: 'success', result: name };
        },
      });
    const { model, contexts } = createScriptedModel([...call('slow'), ...call('fast')], [say('Done')]);
    const { createThread, send, messages } = openRuntime({
      model,
      store,
      tools: { fast: tool('fast'), slow: tool('slow') },
    });
    const id = await createThread();
    await send(id, 'Go');
    expect(log).toEqual([
      'slow starts after 0 results',
      'slow ends',
      'fast starts after 1 results',
      'fast ends',
    ]);
    const rows = ['user: Go', 'assistant: [slow] [fast]', 'tool: slow', 'tool: fast'];
    expect(outline(await messages(id))).toEqual([...rows, 'assistant: Done']);
    expect(outline(contexts[1]?.messages ?? [])).toEqual(rows);
  });

  test('a result row names its call, its tool and its status, and has the attachments of the tool', async () => {
    const attachment = {
      id: 'f',
      type: 'file',
      path: '/attachments/f',
      name: 'f',
      mimeType: 'x/y',
      size: 1,
    } as const;
    const draw = defineTool({
      description: 'd',
      execute: () => ({ status: 'success', attachments: [attachment] }),
    });
    const { model } = createScriptedModel(call('draw', {}, 'c7'), [say('Done')]);
    const { createThread, send, messages } = openRuntime({ model, tools: { draw } });
    const id = await createThread();
    await send(id, 'Go');
    const rows = await messages(id);
    expect(JSON.parse(rows[1]?.tool_calls ?? '')).toEqual([
      { id: 'c7', type: 'function', function: { name: 'draw', arguments: '{}' } },
    ]);
    expect(rows[2]).toMatchObject({
      role: 'tool',
      name: 'draw',
      tool_call_id: 'c7',
      tool_status: 'success',
      content: '',
      attachments: JSON.stringify([attachment]),
    });
  });

  test.each<[string, ToolSet, ModelChunk[], string]>([
    [
      'a tool that throws',
      { bad: defineTool({ description: 'd', execute: () => Promise.reject(new Error('no disk')) }) },
      call('bad'),
      'no disk',
    ],
    [
      'a tool that returns an error',
      { bad: defineTool({ description: 'd', execute: () => ({ status: 'error', error: 'no luck' }) }) },
      call('bad'),
      'no luck',
    ],
    [
      'a tool that returns an error without a text',
      { bad: defineTool({ description: 'd', execute: () => ({ status: 'error' }) }) },
      call('bad'),
      'The tool failed without a message',
    ],
    [
      'a tool that returns no result',
      { bad: { description: 'd', execute: (() => 'text') as never } },
      call('bad'),
      "The tool bad must return { status: 'success', result } or { status: 'error', error }",
    ],
    [
      'invalid arguments',
      { echo },
      call('echo', { text: 1 }),
      'The arguments of echo are invalid: text: Invalid input: expected string, received number',
    ],
    [
      'an unknown tool',
      {},
      call('constructor'),
      'There is no tool named constructor. Use one of the tools you were given.',
    ],
  ])('%s becomes an error that the model reads, and the run goes on', async (_, tools, chunks, error) => {
    const { model, contexts } = createScriptedModel(chunks, [say('I see')]);
    const { createThread, send, messages } = openRuntime({ model, tools });
    const id = await createThread();
    await send(id, 'Go');
    const [, , result, reply] = await messages(id);
    expect(result).toMatchObject({ role: 'tool', tool_status: 'error', content: error });
    expect(reply).toMatchObject({ content: 'I see' });
    expect(contexts[1]?.messages.at(-1)?.content).toBe(error);
  });

  test('only an error that a tool throws is reported to the app', async () => {
    const tools = {
      throws: defineTool({ description: 'd', execute: () => Promise.reject(new Error('no disk')) }),
      fails: defineTool({ description: 'd', execute: () => ({ status: 'error', error: 'no luck' }) }),
    };
    const { model } = createScriptedModel([...call('throws'), ...call('fails')], [say('I see')]);
    const { createThread, send, failures } = openRuntime({ model, tools });
    await send(await createThread(), 'Go');
    expect(failures).toEqual([['tool', 'no disk']]);
  });

  test('tools of one execution share a context, and the next execution has a new one', async () => {
    const count = defineTool({
      description: 'd',
      execute({ context }) {
        context.count = Number(context.count ?? 0) + 1;
        return { status: 'success', result: String(context.count) };
      },
    });
    const steps = [
      [...call('count', {}, 'a'), ...call('count', {}, 'b')],
      [say('1')],
      call('count', {}, 'c'),
      [say('2')],
    ];
    const { createThread, send, messages } = openRuntime({
      model: createScriptedModel(...steps).model,
      tools: { count },
    });
    const id = await createThread();
    await send(id, 'Go');
    await send(id, 'Again');
    const results = (await messages(id)).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual(['1', '2', '1']);
  });
});

describe('the model', () => {
  test('the model is told of the tools with the JSON Schema of their arguments', async () => {
    const { model, contexts } = createScriptedModel([say('Hi')]);
    const ping = defineTool({ description: 'Pings.', execute: () => ({ status: 'success' }) });
    const { createThread, send } = openRuntime({ model, tools: { echo, ping } });
    await send(await createThread(), 'Hi');
    expect(contexts[0]?.tools).toEqual([
      {
        name: 'echo',
        description: 'Returns its text.',
        parameters: expect.objectContaining({
          type: 'object',
          properties: { text: { type: 'string' } },
          required: ['text'],
        }),
      },
      { name: 'ping', description: 'Pings.' },
    ]);
  });

  test('reasoning, and extra content of a call, come back unchanged', async () => {
    const extraContent = { google: { thought_signature: 'abc' } };
    const chunks: ModelChunk[] = [
      { type: 'reasoning-delta', delta: 'Let me ' },
      { type: 'reasoning-delta', delta: 'think' },
      { type: 'tool-call-start', id: 'c1', name: 'echo', extraContent },
      { type: 'tool-call-done', id: 'c1', arguments: { text: 'x' } },
    ];
    const { model, contexts } = createScriptedModel(chunks, [say('Done')]);
    const { createThread, send, messages } = openRuntime({ model, tools: { echo } });
    const id = await createThread();
    await send(id, 'Go');
    const [, asking] = await messages(id);
    expect(asking?.reasoning_content).toBe('Let me think');
    expect(JSON.parse(contexts[1]?.messages[1]?.tool_calls ?? '')[0].extraContent).toEqual(extraContent);
  });

  test('a tool that the provider ran is shown and never run here', async () => {
    const tool = { id: 'p1', name: 'echo', status: 'completed', result: { output: 'found' } } as const;
    let runs = 0;
    const own = defineTool({
      description: 'd',
      execute() {
        runs += 1;
        return { status: 'success' };
      },
    });
    const begun = { ...tool, status: 'in_progress', result: {} } as const;
    const { model } = createScriptedModel([
      { type: 'provider-tool-done', tool: begun },
      { type: 'provider-tool-done', tool },
      say('Found it'),
    ]);
    const { createThread, send, messages, follow } = openRuntime({ model, tools: { echo: own } });
    const id = await createThread();
    const frames = await follow(id);
    await send(id, 'Go');
    const reply = (await messages(id))[1];
    expect(reply).toMatchObject({ content: 'Found it', metadata: { providerTools: [tool] } });
    expect(frames).toContainEqual({ type: 'provider-tool-done', messageId: reply?.id, tool });
    expect(runs).toBe(0);
  });

  test('messages of a subagent are shown below the reply, and the model does not read them', async () => {
    const { model, contexts } = createScriptedModel(
      [
        {
          type: 'subagent-message',
          message: { role: 'assistant', content: 'nested', depth: 1, name: 'scout' },
        },
        say('One'),
      ],
      [say('Two')],
    );
    const { createThread, send, messages } = openRuntime({ model });
    const id = await createThread();
    await send(id, 'Go');
    await send(id, 'Again');
    const rows = await messages(id);
    expect(rows[2]).toMatchObject({ content: 'nested', depth: 1, name: 'scout', parent_id: rows[1]?.id });
    expect(outline(contexts[1]?.messages ?? [])).toEqual(['user: Go', 'assistant: One', 'user: Again']);
  });

  test('a model that fails leaves a failed message, its calls are not run, and the next message gets a reply', async () => {
    const { model, contexts } = createScriptedModel(
      async function* () {
        yield say('Hel');
        yield* call('echo', { text: 'x' });
        throw new Error('overloaded');
      },
      [say('Hello')],
    );
    const { createThread, send, messages, failures } = openRuntime({ model, tools: { echo } });
    const id = await createThread();
    await send(id, 'Hi');
    expect((await messages(id))[1]).toMatchObject({
      content: 'Hel',
      status: 'failed',
      tool_calls: null,
      metadata: { error: 'overloaded' },
    });
    expect(failures).toEqual([['model', 'overloaded']]);
    await send(id, 'Hi again');
    expect(outline(await messages(id))).toEqual([
      'user: Hi',
      'assistant: Hel',
      'user: Hi again',
      'assistant: Hello',
    ]);
    expect(outline(contexts[1]?.messages ?? [])).toEqual(['user: Hi', 'user: Hi again']);
  });

  test('a tool call that has no start fails the message', async () => {
    const { model } = createScriptedModel([{ type: 'tool-call-done', id: 'c1', arguments: {} }]);
    const { createThread, send, messages } = openRuntime({ model });
    const id = await createThread();
    await send(id, 'Hi');
    expect((await messages(id))[1]).toMatchObject({
      status: 'failed',
      metadata: { error: 'The model ended the tool call c1 without a tool-call-start' },
    });
  });
});

describe('the queue', () => {
  test('a message that arrives while a tool runs waits, is listed as pending, and is read before the next model request', async () => {
    const gate = createDeferred();
    const wait = defineTool({
      description: 'd',
      async execute() {
        await gate.promise;
        return { status: 'success', result: 'waited' };
      },
    });
    const { model, contexts } = createScriptedModel(call('wait'), [say('Both')]);
    const { ask, createThread, rest, messages } = openRuntime({ model, tools: { wait } });
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'First' });
    await settle();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Second', id: 'second' });
    expect((await messages(id)).at(-1)).toMatchObject({ id: 'second', status: 'pending' });
    expect(contexts).toHaveLength(1);
    gate.resolve();
    await rest(id);
    const rows = ['user: First', 'assistant: [wait]', 'tool: waited', 'user: Second'];
    expect(outline(contexts[1]?.messages ?? [])).toEqual(rows);
    expect(outline(await messages(id))).toEqual([...rows, 'assistant: Both']);
  });

  test('a message that arrives while the model writes starts the next step', async () => {
    const gate = createDeferred();
    const { model, contexts } = createScriptedModel(
      async function* () {
        yield say('One');
        await gate.promise;
      },
      [say('Two')],
    );
    const { ask, createThread, rest, messages } = openRuntime({ model });
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'First' });
    await settle();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Second' });
    gate.resolve();
    await rest(id);
    expect(outline(await messages(id))).toEqual([
      'user: First',
      'assistant: One',
      'user: Second',
      'assistant: Two',
    ]);
    expect(contexts).toHaveLength(2);
  });

  test('queueMessage of an endpoint starts an execution, hidden from people if it is silent', async () => {
    const { model, contexts } = createScriptedModel([say('Hello')]);
    const { ask, createThread, rest, messages } = openRuntime({
      model,
      endpoints: {
        'nudge.post.ts': async (_, state) => {
          await state.queueMessage({ role: 'system', content: 'Greet.', silent: true });
          return new Response();
        },
      },
    });
    const id = await createThread();
    await ask('POST', `/${id}/nudge`);
    await rest(id);
    expect(outline(await messages(id))).toEqual(['assistant: Hello']);
    expect(outline(await messages(id, '?includeSilent=true'))).toEqual([
      'system: Greet.',
      'assistant: Hello',
    ]);
    // The model reads what people do not see.
    expect(contexts[0]?.messages.map(({ content }) => content)).toEqual(['Greet.']);
  });

  test('queueTool runs tools in their order as if the model had called them, and then asks the model', async () => {
    const { model, contexts } = createScriptedModel([say('Read both')]);
    const { ask, createThread, rest, messages } = openRuntime({
      model,
      tools: { echo },
      endpoints: {
        'run.post.ts': async (_, state) => {
          await Promise.all([state.queueTool('echo', { text: 'a' }), state.queueTool('echo', { text: 'b' })]);
          return new Response();
        },
      },
    });
    const id = await createThread();
    await ask('POST', `/${id}/run`);
    await rest(id);
    expect(outline(await messages(id))).toEqual([
      'assistant: [echo] [echo]',
      'tool: a',
      'tool: b',
      'assistant: Read both',
    ]);
    expect(contexts).toHaveLength(1);
  });

  test('a tool can queue a further tool', async () => {
    const first = defineTool({
      description: 'd',
      async execute(state) {
        await state.queueTool('echo', { text: 'second' });
        return { status: 'success', result: 'first' };
      },
    });
    const { model } = createScriptedModel(call('first'), [say('Done')]);
    const { createThread, send, messages } = openRuntime({ model, tools: { first, echo } });
    const id = await createThread();
    await send(id, 'Go');
    expect(outline(await messages(id))).toEqual([
      'user: Go',
      'assistant: [first]',
      'tool: first',
      'assistant: [echo]',
      'tool: second',
      'assistant: Done',
    ]);
  });
});

describe('stopping', () => {
  test('stop ends the model, keeps its text and does not run its calls', async () => {
    const started = createDeferred();
    const { model, contexts } = createScriptedModel(
      async function* () {
        yield say('Hel');
        yield* call('echo', { text: 'x' });
        started.resolve();
        await new Promise(() => {});
      },
      [say('Hello')],
    );
    const { json, createThread, send, ask, rest, messages, failures } = openRuntime({
      model,
      tools: { echo },
    });
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Hi' });
    await started.promise;
    expect(await json('POST', `/${id}/stop`)).toEqual([202, {}]);
    await rest(id);
    expect(contexts[0]?.signal.aborted).toBe(true);
    const rows = ['user: Hi', 'assistant: Hel [echo]', 'tool error: Stopped by the user'];
    expect(outline(await messages(id))).toEqual(rows);
    await send(id, 'Again');
    expect(outline(contexts[1]?.messages ?? [])).toEqual([...rows, 'user: Again']);
    expect(failures).toEqual([]);
  });

  test('stop gives every open call a result and runs none of the calls that had not begun', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const wait = defineTool({
      description: 'd',
      execute(state) {
        signals.push(state.execution?.abortSignal);
        return new Promise(() => {});
      },
    });
    const { model } = createScriptedModel([...call('wait', {}, 'a'), ...call('wait', {}, 'b')]);
    const { ask, createThread, rest, messages } = openRuntime({ model, tools: { wait } });
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Hi' });
    await settle();
    await ask('POST', `/${id}/stop`);
    await rest(id);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    expect(outline(await messages(id))).toEqual([
      'user: Hi',
      'assistant: [wait] [wait]',
      'tool error: Stopped by the user',
      'tool error: Stopped by the user',
    ]);
  });

  test('a tool that was stopped and goes on changes nothing in the next execution', async () => {
    const gates = [createDeferred(), createDeferred()] as const;
    const late = defineTool({
      description: 'd',
      async execute(state) {
        await gates[0].promise;
        state.execution?.stop();
        throw new Error('late');
      },
    });
    const { model } = createScriptedModel(
      call('late'),
      async function* () {
        await gates[1].promise;
        yield* call('echo', { text: 'x' });
      },
      [say('Fine')],
    );
    const { ask, createThread, rest, messages, failures } = openRuntime({ model, tools: { late, echo } });
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Hi' });
    await settle();
    await ask('POST', `/${id}/stop`);
    await rest(id);
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Go on' });
    await settle();
    gates[0].resolve();
    await settle();
    gates[1].resolve();
    await rest(id);
    expect(outline(await messages(id))).toEqual([
      'user: Hi',
      'assistant: [late]',
      'tool error: Stopped by the user',
      'user: Go on',
      'assistant: [echo]',
      'tool: x',
      'assistant: Fine',
    ]);
    expect(failures).toEqual([]);
  });

  test('an empty message of a stopped model is not in the history', async () => {
    const { model, contexts } = createScriptedModel(
      async function* () {
        await new Promise(() => {});
      },
      [say('Hello')],
    );
    const { ask, createThread, send, rest } = openRuntime({ model });
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Hi' });
    await settle();
    await ask('POST', `/${id}/stop`);
    await rest(id);
    await send(id, 'Again');
    expect(outline(contexts[1]?.messages ?? [])).toEqual(['user: Hi', 'user: Again']);
  });

  test('a message that waited in the queue is answered after the stop', async () => {
    const { model } = createScriptedModel(
      async function* () {
        await new Promise(() => {});
      },
      [say('Hello')],
    );
    const { ask, createThread, rest, messages } = openRuntime({ model });
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'First' });
    await settle();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Second' });
    await ask('POST', `/${id}/stop`);
    await rest(id);
    expect(outline(await messages(id)).slice(-2)).toEqual(['user: Second', 'assistant: Hello']);
  });

  test('a tool that stops its execution lets the other calls run, and the model is not asked again', async () => {
    const pause = defineTool({
      description: 'd',
      execute(state) {
        state.execution?.stop();
        return { status: 'success', result: 'paused' };
      },
    });
    const { model, contexts } = createScriptedModel(
      [...call('pause'), ...call('echo', { text: 'x' })],
      [say('On')],
    );
    const { createThread, send, messages } = openRuntime({ model, tools: { pause, echo } });
    const id = await createThread();
    await send(id, 'Go');
    expect(outline(await messages(id))).toEqual([
      'user: Go',
      'assistant: [pause] [echo]',
      'tool: paused',
      'tool: x',
    ]);
    await send(id, 'Go on');
    expect(contexts).toHaveLength(2);
  });
});

describe('after the end of the process', () => {
  test('a thread goes on with the calls that have no result, and asks the model once for them', async () => {
    const store = createMemoryThreadStore();
    const ran: string[] = [];
    const step = (name: string, isStuck: boolean) =>
      defineTool({
        description: 'd',
        async execute() {
          ran.push(name);
          if (isStuck) await new Promise(() => {});
          return { status: 'success', result: name };
        },
      });
    const calls = [...call('one'), ...call('two')];
    const before = openRuntime({
      model: createScriptedModel(calls).model,
      store,
      tools: { one: step('one', false), two: step('two', true) },
    });
    const id = await before.createThread();
    await before.ask('POST', `/${id}/messages`, { role: 'user', content: 'Go' });
    await settle();
    expect(ran).toEqual(['one', 'two']);
    const after = openRuntime({
      model: createScriptedModel([say('Done')]).model,
      store,
      tools: { one: step('one', false), two: step('two', false) },
    });
    await after.rest(id);
    expect(ran).toEqual(['one', 'two', 'two']);
    expect(outline(await after.messages(id))).toEqual([
      'user: Go',
      'assistant: [one] [two]',
      'tool: one',
      'tool: two',
      'assistant: Done',
    ]);
  });

  test('a message that was accepted while the model wrote is not lost, and the model writes its message again', async () => {
    const store = createMemoryThreadStore();
    const stuck = createScriptedModel(async function* () {
      yield say('Hel');
      await new Promise(() => {});
    });
    const before = openRuntime({ model: stuck.model, store });
    const id = await before.createThread();
    await before.ask('POST', `/${id}/messages`, { role: 'user', content: 'First' });
    await settle();
    await before.ask('POST', `/${id}/messages`, { role: 'user', content: 'Second' });
    const after = openRuntime({ model: createScriptedModel([say('Both')]).model, store });
    await after.rest(id);
    expect(outline(await after.messages(id))).toEqual(['user: First', 'user: Second', 'assistant: Both']);
  });

  test('messages of a subagent are not shown twice when the model writes its message again', async () => {
    const store = createMemoryThreadStore();
    const nested = {
      type: 'subagent-message',
      message: { role: 'assistant', content: 'nested', depth: 1 },
    } as const;
    const stuck = createScriptedModel(async function* () {
      yield nested;
      await new Promise(() => {});
    });
    const endpoints = {
      'save.ts': async (_: Request, state: ThreadState) => {
        await state.setValue('saved', true);
        return new Response();
      },
    };
    const before = openRuntime({ model: stuck.model, store, endpoints });
    const id = await before.createThread();
    await before.ask('POST', `/${id}/messages`, { role: 'user', content: 'Go' });
    await settle();
    await before.ask('GET', `/${id}/save`);
    expect((await readThread(store, id)).messages).toHaveLength(3);
    const after = openRuntime({ model: createScriptedModel([nested, say('Done')]).model, store });
    await after.rest(id);
    expect(outline(await after.messages(id))).toEqual(['user: Go', 'assistant: Done', 'assistant: nested']);
  });

  test('an idle thread stays idle', async () => {
    const store = createMemoryThreadStore();
    const before = openRuntime({ model: createScriptedModel([say('Hello')]).model, store });
    const id = await before.createThread();
    await before.send(id, 'Hi');
    const after = openRuntime({ store });
    await after.rest(id);
    expect(outline(await after.messages(id))).toEqual(['user: Hi', 'assistant: Hello']);
    expect(after.failures).toEqual([]);
  });

  test('a store that fails ends the execution, is reported, and the next message goes on', async () => {
    const store = createMemoryThreadStore();
    let isBroken = false;
    const save: typeof store.save = async (id, record) => {
      if (isBroken) throw new Error('disk full');
      return store.save(id, record);
    };
    const breakStore = defineTool({
      description: 'd',
      execute() {
        isBroken = true;
        return { status: 'success', result: 'broken' };
      },
    });
    const { model } = createScriptedModel(call('breakStore'), [say('Going on')]);
    const { createThread, send, messages, failures } = openRuntime({
      model,
      tools: { breakStore },
      store: { ...store, save },
    });
    const id = await createThread();
    await send(id, 'Go');
    expect(failures).toEqual([['store', 'disk full']]);
    isBroken = false;
    await send(id, 'Go on');
    expect(outline(await messages(id))).toEqual([
      'user: Go',
      'assistant: [breakStore]',
      'tool: broken',
      'user: Go on',
      'assistant: Going on',
    ]);
  });
});
