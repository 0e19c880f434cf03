import { describe, expect, it, vi } from 'vitest';
import type { Agent, ModelEvent } from '../../../src/server/agent.ts';
import { toSSEStream } from '../../../src/server/http/to-sse-stream.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import type { ServerSocket } from '../../../src/server/socket/listen-to-socket.ts';
import { serveSocket } from '../../../src/server/socket/serve-socket.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';
import {
  calls,
  continueWith,
  createListAgent,
  createSession,
  createTestClock,
  hello,
  run,
  settle,
  stop,
  text,
  withoutCursors,
} from '../support.ts';

const containsItself: Record<string, unknown> = {};
containsItself.again = containsItself;

const throwsWhenRead = {
  get value() {
    throw new Error('read too late');
  },
};

const failed = {
  type: 'error',
  errorType: 'provider_error',
  message: 'no',
  retryable: true,
  source: 'provider',
} as const;

describe('failures', () => {
  it('an agent that throws ends the turn with an error event', async () => {
    const agent: Agent = async function* () {
      yield* text('Hm');
      throw new Error('out of ideas');
    };
    const events = await run(createSession(agent), hello);
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      code: 'agent_failed',
      errorType: 'execution_error',
      message: 'out of ideas',
    });
  });

  it.each([(async () => 'Hm') as never, (() => {}) as never])(
    'an agent that returns no async iterable ends the turn with an error that says how to write it: %s',
    async (agent) => {
      expect((await run(createSession(agent), hello)).at(-1)).toMatchObject({
        code: 'agent_failed',
        message: expect.stringContaining('async function*'),
      });
    },
  );

  it.each([
    ['no return()', {}],
    [
      'a return() that throws',
      {
        return() {
          throw new Error('closed already');
        },
      },
    ],
  ])('an agent may return any async iterator, with %s', async (_, more) => {
    const events = [...text('Hi'), stop];
    const agent: Agent = () => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: events.shift() ?? stop }),
        ...more,
      }),
    });
    expect((await run(createSession(agent), hello)).at(-1)).toMatchObject({
      type: 'finish',
      finishReason: 'stop',
    });
  });

  it('a delta without text adds nothing to the history', async () => {
    const agent = createListAgent([
      { type: 'text-delta', id: 'u', delta: undefined as never },
      { type: 'text-delta', id: 'v', delta: '' },
      ...text('Hi'),
    ]);
    const session = createSession(agent);
    await run(session, hello);
    await run(session, hello);
    expect(agent.contexts[1]?.messages[1]).toEqual({ role: 'assistant', content: 'Hi' });
  });

  it.each([
    [{}, {}],
    [
      { retryAfter: 3, backendCode: 'busy', provider: { name: 'p', model: 'm' }, tool: { name: 't' } },
      { retryAfter: 3, code: 'busy', provider: { name: 'p', model: 'm' }, tool: { name: 't' } },
    ],
  ])('an AgentChatError keeps its classification and %j', async (more, seen) => {
    const agent: Agent = () => {
      throw new AgentChatError({
        code: 'backend_error',
        message: 'slow down',
        errorType: 'rate_limit_error',
        source: 'provider',
        retryable: true,
        ...more,
      });
    };
    const { cursor: _, ...last } = (await run(createSession(agent), hello)).at(-1) ?? {};
    expect(last).toEqual({
      ...{ type: 'error', message: 'slow down', errorType: 'rate_limit_error' },
      ...{ source: 'provider', retryable: true, code: 'agent_failed' },
      ...seen,
    });
  });

  it('an error event of the agent ends the turn', async () => {
    const events = await run(createSession(createListAgent([failed, ...text('never')])), hello);
    expect(withoutCursors(events).slice(1)).toEqual([failed]);
  });

  it.each([
    ['names', calls('ask').slice(0, 1)],
    ['announces', [{ type: 'tool-input-available', toolCallId: 'ask-id', toolName: 'ask', input: {} }]],
  ] as const)(
    'an agent that %s a call with an id of an earlier step makes another call, which gets its own answer',
    async (_, events) => {
      const step = [...events, { type: 'finish', finishReason: 'tool-calls' } as const];
      const agent = createListAgent(calls('ask'), step, step, [stop]);
      const session = createSession(agent);
      let asked = await run(session, hello);
      for (const answer of ['first', 'second', 'third'])
        asked = await run(
          session,
          continueWith(asked, () => answer),
        );
      expect(asked.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
      const answers = agent.contexts.at(-1)?.messages.filter(({ role }) => role === 'tool');
      expect(answers).toMatchObject([
        { toolCallId: 'ask-id', result: 'first' },
        { toolCallId: 'ask-id-2', result: 'second' },
        { toolCallId: 'ask-id-3', result: 'third' },
      ]);
    },
  );

  it('an agent that reuses call ids in each turn gets its answers, because a call is identified by execution and call id', async () => {
    const agent = createListAgent(calls('ask'), [stop], calls('ask'), [stop]);
    const session = createSession(agent);
    for (const result of ['first', 'second']) {
      const asked = await run(session, hello);
      expect(asked.at(-1)).toMatchObject({ finishReason: 'client-tool-calls' });
      await run(
        session,
        continueWith(asked, () => result),
      );
    }
    const answers = agent.contexts.at(-1)?.messages.filter((message) => message.role === 'tool');
    expect(answers?.map(({ toolCallId, result }) => [toolCallId, result])).toEqual([
      ['ask-id', 'first'],
      ['ask-id', 'second'],
    ]);
  });

  it('a turn without text leaves no empty message in the history', async () => {
    const agent = createListAgent([stop]);
    const session = createSession(agent);
    await run(session, hello);
    await run(session, hello);
    expect(agent.contexts[1]?.messages.map(({ role }) => role)).toEqual(['user', 'user']);
  });

  describe.each<ModelEvent>([failed, { type: 'finish', finishReason: 'error' }])('after %j', (failure) => {
    it.each([
      ['the same message replaces the failed turn', hello, ['user']],
      [
        'a failed turn keeps its partial text in the history when another message follows',
        { ...hello, input: { USER_MESSAGE: 'never mind' } },
        ['user', 'assistant', 'user'],
      ],
    ] as const)('the history of a failed turn: %s', async (_, next, roles) => {
      const agent = createListAgent([...text('Hm'), failure]);
      const session = createSession(agent);
      await run(session, hello);
      await run(session, next);
      expect(agent.contexts[1]?.messages.map(({ role }) => role)).toEqual(roles);
    });
  });

  it('a message repeated after tools ran continues from their results: the history has the message once, and no tool runs again', async () => {
    const agent = createListAgent(calls('charge'), [...text('Hm'), failed], [failed], [stop], [stop]);
    const charge = vi.fn(() => 'charged');
    const session = createSession(agent, { charge });
    for (let tries = 0; tries < 3; tries += 1) await run(session, hello);
    const turn = ['user', 'assistant', 'tool'];
    for (const { messages } of agent.contexts.slice(2)) {
      expect(messages.map(({ role }) => role)).toEqual(turn);
      expect(messages.at(-1)).toMatchObject({ toolCallId: 'charge-id', result: 'charged' });
    }
    expect(charge).toHaveBeenCalledOnce();
    // The same message after a completed turn is a new message.
    await run(session, hello);
    expect(agent.contexts.at(-1)?.messages.map(({ role }) => role)).toEqual([...turn, 'user']);
  });

  it('an agent may reuse the call ids of a turn that is repeated after tools ran', async () => {
    const agent = createListAgent(calls('look'), [failed], calls('look'), [stop]);
    const session = createSession(agent, { look: () => 'seen' });
    await run(session, hello);
    expect((await run(session, hello)).at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(agent.contexts.at(-1)?.messages.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool'],
      ...['assistant', 'tool'],
    ]);
  });

  it('the same message replaces a later turn that failed, and the history keeps the earlier turn', async () => {
    const agent = createListAgent([...text('one'), stop], [failed], [stop]);
    const session = createSession(agent);
    for (let turn = 0; turn < 3; turn += 1) await run(session, hello);
    expect(agent.contexts[2]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it.each([
    ['something that is no event', [null as never]],
    ['something that is no event', [{} as never]],
    ['the call id', [...calls('a').slice(0, 1), ...calls('a')]],
    ['a call that has no', [{ type: 'tool-request', toolCalls: [{ toolName: 'x' }] } as never]],
    [
      'a call that has no',
      [{ type: 'tool-request', toolCalls: [{ toolCallId: '', toolName: 'x' }] } as never],
    ],
    ['a call that has no', [{ type: 'tool-request', toolCalls: [{ toolCallId: 'a' }] } as never]],
    [
      'a call that has no',
      [{ type: 'tool-request', toolCalls: [{ toolCallId: 'a', toolName: '' }] } as never],
    ],
    ['without a list of toolCalls', [{ type: 'tool-request' } as never]],
  ])(
    'an agent that yields %s twice or wrongly ends the turn in invalid_agent_output',
    async (what, events) => {
      expect((await run(createSession(createListAgent(events)), hello)).at(-1)).toMatchObject({
        type: 'error',
        code: 'invalid_agent_output',
        message: expect.stringContaining(what),
      });
    },
  );

  describe.each<[string, unknown]>([
    ['a bigint in an update', { type: 'resource-update', name: 'n', value: { amount: 1n } }],
    ['a bigint for a text', { type: 'text-delta', id: 't', delta: 1n }],
    [
      'a result that contains itself',
      { type: 'tool-output-available', toolCallId: 'c', output: containsItself },
    ],
    [
      'a call with a bigint',
      { type: 'tool-request', toolCalls: [{ toolCallId: 'c', toolName: 'ask', args: { of: 1n } }] },
    ],
    ['a value whose toJSON throws', { type: 'resource-update', name: 'n', value: throwsWhenRead }],
    ['an error with a bigint', { type: 'error', message: 'no', provider: { name: 1n } }],
    ['itself for JSON', { type: 'notice', code: 'n', text: 't', toJSON: () => undefined }],
  ])('an agent that yields %s', (_, event) => {
    const failure = { type: 'error', code: 'agent_failed', message: expect.stringContaining('JSON') };
    const yielded = [...text('Hm'), event as ModelEvent, ...text('never'), stop];

    it('an event that JSON cannot carry fails the turn, in the response and after a resume', async () => {
      const reported: unknown[] = [];
      const store = createMemorySessionStore();
      const session = createAgentSession({
        id: 's',
        agent: createListAgent(yielded, [...text('Hi'), stop]),
        store,
        onError: (...failure) => reported.push(failure),
      });
      const body = await new Response(toSSEStream(session.execute(hello))).text();
      const received = body.split('\n\n').flatMap((frame) => /^data: (\{.*\})$/m.exec(frame)?.[1] ?? []);
      expect(received.map((data) => JSON.parse(data).type)).toEqual([
        'start',
        'text-start',
        'text-delta',
        'text-end',
        'error',
      ]);
      expect(JSON.parse(received.at(-1) ?? '')).toMatchObject(failure);
      expect(reported).toEqual([[expect.any(TypeError), expect.objectContaining({ source: 'agent' })]]);
      const { executionId } = JSON.parse(received[0] ?? '');
      const again = await run(session, { type: 'resume', executionId, cursor: '1' });
      expect(JSON.stringify(withoutCursors(again))).toBe(`[${received.slice(1).join()}]`);
      expect((await run(session, hello)).at(-1)).toMatchObject(stop);
      const record = await store.load('s');
      expect(JSON.parse(JSON.stringify(record))).toEqual(record);
    });

    it('an event that JSON cannot carry fails the turn over a socket, and the next message works', async () => {
      const frames: Record<string, unknown>[] = [];
      const socket: ServerSocket = { readyState: 1, send: (data) => void frames.push(JSON.parse(data)) };
      const session = createSession(createListAgent(yielded, [...text('Hi'), stop]));
      const handle = serveSocket(socket, session, { clock: createTestClock() });
      socket.onmessage?.({ data: JSON.stringify(hello) } as never);
      await settle();
      expect(frames.at(-1)).toMatchObject({ ...failure, seq: 5, executionId: 'id-1' });
      socket.onmessage?.({ data: JSON.stringify(hello) } as never);
      await settle();
      expect(frames.at(-1)).toMatchObject(stop);
      handle.dispose();
    });
  });
});
