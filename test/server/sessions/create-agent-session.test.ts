import { describe, expect, it } from 'vitest';
import type { Agent, ModelEvent } from '../../../src/server/agent.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createDeferred } from '../../support/deferred.ts';
import {
  calls,
  collect,
  continueWith,
  createListAgent,
  createSession,
  hello,
  requestIn,
  run,
  settle,
  stop,
  text,
  types,
  withoutCursors,
} from '../support.ts';

describe('a plain turn', () => {
  it('a turn starts, forwards the events of the agent, and finishes', async () => {
    const agent = createListAgent([...text('Hi'), { type: 'notice', code: 'n', text: 'note' }, stop]);
    expect(withoutCursors(await run(createSession(agent), hello))).toEqual([
      { type: 'start', executionId: 'id-1', messageId: 'id-2' },
      ...text('Hi'),
      { type: 'notice', code: 'n', text: 'note' },
      { type: 'finish', finishReason: 'stop', executionId: 'id-1' },
    ]);
    expect(agent.contexts[0]).toMatchObject({
      sessionId: 's',
      executionId: 'id-1',
      messages: [{ role: 'user', content: 'hello' }],
      trigger: { name: 'user-message', input: { USER_MESSAGE: 'hello' } },
    });
  });

  it('a turn numbers every event', async () => {
    const events = await run(createSession(createListAgent([...text('Hi')])), hello);
    expect(events.map((event) => event.cursor)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('a turn keeps the finish reason of the agent and drops its start and cursors', async () => {
    const agent = createListAgent([
      { type: 'start', executionId: 'theirs', messageId: 'theirs' },
      { type: 'finish', finishReason: 'length', cursor: '99' },
    ]);
    expect(withoutCursors(await run(createSession(agent), hello))).toEqual([
      { type: 'start', executionId: 'id-1', messageId: 'id-2' },
      { type: 'finish', finishReason: 'length', executionId: 'id-1' },
    ]);
  });

  it('a session gives the agent the whole conversation', async () => {
    const agent = createListAgent([...text('Hi'), stop]);
    const session = createSession(agent);
    await run(session, hello);
    await run(session, { type: 'trigger', triggerName: 'refund', input: { order: 7 } });
    expect(agent.contexts[1]?.messages).toMatchObject([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'Hi' },
      { role: 'user', content: 'refund {"order":7}', trigger: 'refund', input: { order: 7 } },
    ]);
  });

  it('a session returns the model-content of a message to the agent and sends it to no client', async () => {
    const content = [{ type: 'reasoning', signature: 'secret' }];
    const agent = createListAgent([{ type: 'model-content', content }], [...text('Hi')]);
    const session = createSession(agent);
    const events = await run(session, hello);
    await run(session, hello);
    expect(types(events)).toEqual(['start', 'finish']);
    expect(agent.contexts[1]?.messages[1]).toEqual({ role: 'assistant', content: '', modelContent: content });
  });

  it('a session leaves the text of a worker out of the answer that the agent gets back', async () => {
    const worker: ModelEvent = { type: 'text-delta', id: 'w', delta: 'worker words', workerId: 'w' };
    const agent = createListAgent([worker, ...text('Hello.')], [...text('Hi')]);
    const session = createSession(agent);
    expect(await run(session, hello)).toContainEqual(expect.objectContaining(worker));
    await run(session, hello);
    expect(agent.contexts[1]?.messages[1]).toEqual({ role: 'assistant', content: 'Hello.' });
  });

  it('a session sends the tasks of its agent, and how a call of a server tool is shown', async () => {
    const shown: ModelEvent[] = [
      { type: 'todo-update', todos: [{ id: '1', content: 'Add', status: 'in_progress' }] },
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'add', title: 'Adding', display: 'title' },
    ];
    const session = createSession(createListAgent([...shown, ...text('Hi')]));
    const events = await run(session, hello);
    for (const event of shown) expect(events).toContainEqual(expect.objectContaining(event));
  });

  it('a session gives the agent the files of a message', async () => {
    const agent = createListAgent([stop]);
    const file = { id: 'f', mediaType: 'image/png', url: 'https://example.com/f.png' };
    await run(createSession(agent), {
      ...hello,
      input: { USER_MESSAGE: 'see', FILES: [file, { id: 'no url' }] },
    });
    expect(agent.contexts[0]?.messages[0]).toMatchObject({ content: 'see', files: [file] });
  });

  it('a session adds up the usage of the invocations of an execution', async () => {
    const agent = createListAgent(
      [{ type: 'usage', usage: { inputTokens: 10, outputTokens: 1, model: 'm' } }, ...calls('add')],
      [{ type: 'usage', usage: { inputTokens: 5, reasoningTokens: 2, model: 'm' } }, stop],
    );
    const events = await run(createSession(agent, { add: () => 1 }), hello);
    expect(events.flatMap((event) => (event.type === 'usage' ? [event.usage] : []))).toEqual([
      { inputTokens: 10, outputTokens: 1, model: 'm' },
      { inputTokens: 15, outputTokens: 1, reasoningTokens: 2, model: 'm' },
    ]);
  });
});

describe('server tools', () => {
  it('server tools run in parallel, with outputs in the order of the request', async () => {
    const gates = { slow: createDeferred<string>(), fast: createDeferred<string>() };
    const started: string[] = [];
    const tool = (name: 'slow' | 'fast') => () => {
      started.push(name);
      return gates[name].promise;
    };
    const agent = createListAgent(calls('slow', 'fast'), [...text('done'), stop]);
    const events = collect(createSession(agent, { slow: tool('slow'), fast: tool('fast') }).execute(hello));
    await settle();
    expect(started).toEqual(['slow', 'fast']);
    gates.fast.resolve('f');
    gates.slow.resolve('s');
    expect(withoutCursors(await events).slice(1, 3)).toEqual([
      { type: 'tool-output-available', toolCallId: 'slow-id', output: 's' },
      { type: 'tool-output-available', toolCallId: 'fast-id', output: 'f' },
    ]);
    expect(agent.contexts[1]?.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { toolCallId: 'slow-id', toolName: 'slow', args: { of: 'slow' } },
          { toolCallId: 'fast-id', toolName: 'fast', args: { of: 'fast' } },
        ],
      },
      { role: 'tool', toolCallId: 'slow-id', toolName: 'slow', result: 's' },
      { role: 'tool', toolCallId: 'fast-id', toolName: 'fast', result: 'f' },
    ]);
  });

  it('server tools get arguments, call id, name and signal', async () => {
    let got: unknown[] = [];
    const tools = {
      look: (...args: unknown[]) => {
        got = args;
      },
    };
    await run(createSession(createListAgent(calls('look'), [stop]), tools), hello);
    expect(got).toEqual([
      { of: 'look' },
      { toolCallId: 'look-id', toolName: 'look', signal: expect.any(AbortSignal) },
    ]);
  });

  it('a server tool that returns nothing answers null', async () => {
    const events = await run(createSession(createListAgent(calls('quiet'), [stop]), { quiet() {} }), hello);
    expect(withoutCursors(events)[1]).toEqual({
      type: 'tool-output-available',
      toolCallId: 'quiet-id',
      output: null,
    });
  });

  it.each([
    ['an error', () => Promise.reject(new Error('no network')), 'no network'],
    ['an empty error', () => Promise.reject(new Error('')), 'Tool execution failed'],
    ['nothing', () => Promise.reject(undefined), 'Tool execution failed'],
    ['an object with a message', () => Promise.reject({ code: 1, message: 'denied' }), 'denied'],
    ['a value JSON cannot carry', () => ({ big: 1n }), 'result.big is a bigint, which JSON cannot carry'],
  ])('server tools answer with an error text when they throw %s', async (_, tool, error) => {
    const agent = createListAgent(calls('bad'), [stop]);
    const events = await run(createSession(agent, { bad: tool }), hello);
    expect(withoutCursors(events)[1]).toEqual({ type: 'tool-output-error', toolCallId: 'bad-id', error });
    expect(agent.contexts[1]?.messages.at(-1)).toEqual({
      role: 'tool',
      toolCallId: 'bad-id',
      toolName: 'bad',
      error,
    });
  });

  it('a call of constructor goes to the client, because server tools are own properties', async () => {
    const events = await run(createSession(createListAgent(calls('constructor', 'toString'))), hello);
    expect(types(events)).toEqual(['start', 'client-tool-request', 'finish']);
  });

  it('a session limits the rounds of tool calls, and the history has no open call afterwards', async () => {
    let round = 0;
    const agent: Agent & { last?: unknown } = async function* (context) {
      agent.last = context.messages;
      yield { type: 'tool-request', toolCalls: [{ toolCallId: `c${++round}`, toolName: 'again', args: {} }] };
    };
    const session = createSession(agent, { again: () => 'more' }, { maxToolRounds: 2 });
    const events = await run(session, hello);
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'tool_rounds_exceeded', retryable: false });
    expect(types(events).filter((type) => type === 'tool-output-available')).toHaveLength(2);
    await run(session, hello);
    expect(JSON.stringify(agent.last)).toContain('"toolCallId":"c3","toolName":"again","error":"Not run');
  });

  it('a session with maxToolRounds 0 runs no tool', async () => {
    let count = 0;
    const tools = { add: () => ++count };
    const session = createSession(createListAgent(calls('add')), tools, { maxToolRounds: 0 });
    expect((await run(session, hello)).at(-1)).toMatchObject({ code: 'tool_rounds_exceeded' });
    expect(count).toBe(0);
  });

  it.each<[string, ModelEvent[]]>([
    ['finishes with tool-calls', [{ type: 'finish', finishReason: 'tool-calls' }]],
    ['finishes with client-tool-calls', [{ type: 'finish', finishReason: 'client-tool-calls' }]],
    ['just returns', []],
  ])(
    'a session takes announced calls for requested when the agent %s without a tool-request',
    async (_, ending) => {
      const announce = (toolCallId: string): ModelEvent => ({
        type: 'tool-input-available',
        toolCallId,
        toolName: 'add',
        input: { x: 1 },
      });
      const itself: ModelEvent = { type: 'tool-output-available', toolCallId: 'a', output: 'itself' };
      const agent = createListAgent([announce('a'), itself, announce('b'), ...ending], [stop]);
      const events = await run(createSession(agent, { add: (args) => args }), hello);
      expect(withoutCursors(events).slice(2)).toEqual([
        itself,
        announce('b'),
        { type: 'tool-output-available', toolCallId: 'b', output: { x: 1 } },
        { type: 'finish', finishReason: 'stop', executionId: expect.any(String) },
      ]);
      expect(agent.contexts).toHaveLength(2);
    },
  );

  it.each(['stop', 'length'] as const)(
    'a session ignores announced calls when the agent finishes with %s',
    async (finishReason) => {
      const announced: ModelEvent = {
        type: 'tool-input-available',
        toolCallId: 'a',
        toolName: 'add',
        input: {},
      };
      const agent = createListAgent([announced, { type: 'finish', finishReason }]);
      const events = await run(createSession(agent, { add: () => 3 }), hello);
      expect(types(events)).toEqual(['start', 'tool-input-available', 'finish']);
      expect(agent.contexts).toHaveLength(1);
    },
  );

  it.each([
    ['found', { type: 'tool-output-available', output: 'found' }, { result: 'found' }],
    ['0', { type: 'tool-output-available', output: 0 }, { result: 0 }],
    ['an error', { type: 'tool-output-error', error: 'no network' }, { error: 'no network' }],
  ] as const)(
    'a session calls the agent again with the calls it answered itself, %s, with and without other calls',
    async (_, given, seen) => {
      const web = (toolCallId: string): ModelEvent[] => [
        { type: 'tool-input-available', toolCallId, toolName: 'web', input: {} },
        { ...given, toolCallId },
      ];
      const agent = createListAgent(
        [...web('w1'), { type: 'finish', finishReason: 'tool-calls' }],
        [...web('w2'), ...calls('add').slice(0, 1), stop],
        [stop],
      );
      await run(createSession(agent, { add: () => 3 }), hello);
      expect(agent.contexts).toHaveLength(3);
      expect(agent.contexts[2]?.messages.filter((message) => message.role === 'tool')).toEqual([
        { role: 'tool', toolCallId: 'w1', toolName: 'web', ...seen },
        { role: 'tool', toolCallId: 'w2', toolName: 'web', ...seen },
        { role: 'tool', toolCallId: 'add-id', toolName: 'add', result: 3 },
      ]);
    },
  );

  it('a session does not run calls that the agent answered itself', async () => {
    const agent = createListAgent([
      { type: 'tool-input-available', toolCallId: 'w', toolName: 'web', input: {} },
      { type: 'tool-output-available', toolCallId: 'w', output: 'found' },
      ...text('There.'),
      stop,
    ]);
    const events = await run(createSession(agent, { web: () => 'never' }), hello);
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect(agent.contexts).toHaveLength(1);
  });
});

describe('client tools', () => {
  it('a session asks the client for calls without a server tool and sends the results of server tools with them', async () => {
    const agent = createListAgent([...text('Let me see'), ...calls('ask', 'add')], [...text('Thanks'), stop]);
    const session = createSession(agent, { add: () => 3 });
    const first = await run(session, hello);
    expect(withoutCursors(first).slice(4)).toEqual([
      { type: 'tool-output-available', toolCallId: 'add-id', output: 3 },
      {
        type: 'client-tool-request',
        partial: true,
        executionId: 'id-1',
        toolCalls: [{ toolCallId: 'ask-id', toolName: 'ask', args: { of: 'ask' } }],
        serverToolResults: [{ toolCallId: 'add-id', toolName: 'add', result: 3 }],
      },
      { type: 'finish', finishReason: 'client-tool-calls', executionId: 'id-1' },
    ]);
    const second = await run(
      session,
      continueWith(first, () => 'yes'),
    );
    expect(withoutCursors(second)).toEqual([
      { type: 'start', executionId: 'id-1', messageId: 'id-2' },
      ...text('Thanks'),
      { type: 'finish', finishReason: 'stop', executionId: 'id-1' },
    ]);
    expect(agent.contexts[1]?.messages.slice(2)).toEqual([
      { role: 'tool', toolCallId: 'ask-id', toolName: 'ask', result: 'yes' },
      { role: 'tool', toolCallId: 'add-id', toolName: 'add', result: 3 },
    ]);
    // Event 9 acknowledges the answer for a client that resumes. This client knows it from the `start`.
    expect([...first, ...second].map((event) => Number(event.cursor))).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7],
      ...[8, 10, 11, 12, 13],
    ]);
  });

  it('calls keep unknown keys, and server results keep the order of the calls', async () => {
    const place = { outputVariable: 'V', blockIndex: 2 };
    const agent = createListAgent([
      {
        type: 'tool-request',
        toolCalls: ['ask', 'add'].map((toolName) => ({ toolCallId: toolName, toolName, args: {}, ...place })),
      },
    ]);
    const events = await run(createSession(agent, { add: () => 3 }), hello);
    expect(requestIn(events)).toMatchObject({
      toolCalls: [{ toolCallId: 'ask', ...place }],
      serverToolResults: [{ toolCallId: 'add', result: 3, ...place }],
    });
  });

  it.each([
    ['result 0', { result: 0 }, { result: 0 }],
    ['result false', { result: false }, { result: false }],
    ['no result at all', {}, { result: null }],
    ['an error', { error: 'User cancelled', result: 'ignored' }, { error: 'User cancelled' }],
    ['an empty error', { error: '', result: 1 }, { result: 1 }],
  ])('a session gives the agent %s of the client', async (_, given, seen) => {
    const agent = createListAgent(calls('ask'), [stop]);
    const session = createSession(agent);
    const { executionId } = (await run(session, hello))[0] as { executionId: string };
    await run(session, { type: 'continue', executionId, toolResults: [{ toolCallId: 'ask-id', ...given }] });
    expect(agent.contexts[1]?.messages.at(-1)).toEqual({
      role: 'tool',
      toolCallId: 'ask-id',
      toolName: 'ask',
      ...seen,
    });
  });
});

describe('options', () => {
  it.each([
    [{ id: '' }, 'id must be'],
    [{ agent: {} }, 'agent must be'],
    [{ tools: [] }, 'tools must be'],
    [{ maxToolRounds: Number.NaN }, 'maxToolRounds must be'],
    [{ maxToolRounds: -1 }, 'maxToolRounds must be'],
    [{ tools: { ask: 'interactive' } }, "tools['ask'] must be a function"],
  ])('createAgentSession throws for options like %j', (wrong, message) => {
    const options = { id: 's', agent: createListAgent([]), ...wrong } as never;
    expect(() => createAgentSession(options)).toThrow(message);
  });

  it('createAgentSession throws without options', () => {
    expect(() => createAgentSession(undefined as never)).toThrow('id must be');
  });
});

it('a text that is repeated at its end is that text in the history, also where deltas were lost', async () => {
  const agent = createListAgent(
    [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'One three.' },
      { type: 'text-end', id: 't', text: 'One two three.' },
    ],
    [...text('Second'), stop],
  );
  const session = createSession(agent);
  const events = await run(session, hello);
  expect(events).toContainEqual(expect.objectContaining({ type: 'text-end', text: 'One two three.' }));
  await run(session, hello);
  expect(agent.contexts[1]?.messages[1]).toMatchObject({ role: 'assistant', content: 'One two three.' });
});
