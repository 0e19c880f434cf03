import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type { Agent, AgentContext } from '../../../src/server/agent.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionRecord, SessionStore } from '../../../src/server/store/session-store.ts';
import { createDeferred } from '../../support/deferred.ts';
import {
  calls,
  collect,
  createListAgent,
  createTestClock,
  hello,
  run,
  settle,
  stop,
  text,
  types,
} from '../support.ts';

/** Yields the text 'one', then waits for ever and ignores its signal. */
function createHangingAgent() {
  const contexts: AgentContext[] = [];
  const agent: Agent = async function* (context) {
    contexts.push(context);
    yield* text('one');
    await new Promise<never>(() => {});
  };
  return { agent, contexts };
}

/** A store that does not compare revisions; the store of a single process need not. */
function createPlainStore(): SessionStore {
  const rows = new Map<string, SessionRecord>();
  return {
    load: async (id) => rows.get(id) ?? null,
    save: async (id, record) => Boolean(rows.set(id, record)),
  };
}

async function startRun(resumeWindowMs?: number) {
  const clock = createTestClock();
  const { agent, contexts } = createHangingAgent();
  const more = resumeWindowMs === undefined ? {} : { resumeWindowMs };
  const session = createAgentSession({ id: 's', agent, clock, store: createPlainStore(), ...more });
  const events = session.execute(hello);
  const seen: AgentEvent[] = [];
  for (let count = 0; count < 4; count += 1) {
    const { value } = await events.next();
    if (value) seen.push(value);
  }
  const executionId = seen[0]?.type === 'start' ? (seen[0].executionId ?? '') : '';
  return { clock, session, events, seen, executionId, signal: contexts[0]?.signal, contexts };
}

describe('a run is pulled', () => {
  it('a run does nothing before the first next(), and never runs ahead', async () => {
    let yielded = 0;
    const session = createAgentSession({
      id: 's',
      async *agent() {
        for (;;) {
          yielded += 1;
          yield { type: 'notice', code: 'n', text: String(yielded) };
        }
      },
    });
    const events = session.execute(hello);
    await settle();
    expect(yielded).toBe(0);
    for (let count = 0; count < 4; count += 1) await events.next();
    await settle();
    expect(yielded).toBe(3);
    await events.return();
  });

  it('return() before the first next() starts no run', async () => {
    const { agent, contexts } = createHangingAgent();
    const events = createAgentSession({ id: 's', agent }).execute(hello);
    await events.return();
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(contexts).toEqual([]);
  });
});

describe('a reader that goes away', () => {
  it('a reader that goes away ends the run at once, also while an event is awaited', async () => {
    const { events, signal, session, executionId } = await startRun();
    const waiting = events.next();
    // Only now the session pulls the event from the agent.
    await settle();
    await events.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(signal?.aborted).toBe(true);
    const resumed = await run(session, { type: 'resume', executionId, cursor: '4' });
    expect(resumed).toEqual([expect.objectContaining({ code: 'run_interrupted', retryable: true })]);
  });

  it('a reader that goes away from an ended run leaves no timer', async () => {
    const clock = createTestClock();
    const session = createAgentSession({ id: 's', agent: createListAgent(), clock, resumeWindowMs: 5_000 });
    const events = session.execute(hello);
    for (let count = 0; count < 3; count += 1) await events.next();
    await events.return();
    expect(clock.waiting()).toBe(0);
  });

  it('a message that ends a waiting run cancels the timer of its resume window', async () => {
    const { clock, events, session } = await startRun(5_000);
    await events.return();
    expect(clock.waiting()).toBe(1);
    const next = session.execute({ ...hello, input: { USER_MESSAGE: 'again' } });
    await next.next();
    expect(clock.waiting()).toBe(0);
    await next.return();
  });

  it.each([
    ['a repeated message is in the history once', hello, ['user']],
    ['another message follows the first', { ...hello, input: { USER_MESSAGE: 'again' } }, ['user', 'user']],
  ])('a reader that goes away before the first text ends the run, and %s', async (_, message, roles) => {
    const contexts: AgentContext[] = [];
    const agent: Agent = async function* (context) {
      contexts.push(context);
      if (contexts.length === 1) await new Promise<never>(() => {});
      yield stop;
    };
    const session = createAgentSession({ id: 's', agent, clock: createTestClock(), resumeWindowMs: 5_000 });
    const events = session.execute(hello);
    await events.next();
    const waiting = events.next();
    await settle();
    await events.return();
    expect((await waiting).done).toBe(true);
    expect((await run(session, message)).at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(contexts[1]?.messages.map(({ role }) => role)).toEqual(roles);
  });

  it('a reader that goes away between two rounds ends the run without another invocation, and its calls are closed', async () => {
    const agent = createListAgent(calls('add', 'slow', 'ask'), [stop]);
    const gate = createDeferred<never>();
    const session = createAgentSession({ id: 's', agent, tools: { add: () => 3, slow: () => gate.promise } });
    const events = session.execute(hello);
    const { value: start } = await events.next();
    const { executionId } = start as { executionId: string };
    const waiting = events.next();
    await settle();
    await events.return();
    expect((await waiting).done).toBe(true);
    expect(agent.contexts).toHaveLength(1);
    // The client is not asked for calls of a batch that the run did not finish.
    expect(await run(session, { type: 'resume', executionId, cursor: 1 })).toMatchObject([
      { code: 'run_interrupted' },
    ]);
    const next = session.execute({ ...hello, input: { USER_MESSAGE: 'again' } });
    await next.next();
    await next.next();
    expect(agent.contexts[1]?.messages.slice(2, -1)).toMatchObject([
      { toolCallId: 'add-id', result: 3 },
      { toolCallId: 'slow-id', error: 'Superseded by a new message' },
      { toolCallId: 'ask-id', error: 'Superseded by a new message' },
    ]);
  });

  it('a reader that goes away after a server tool ends the run before the agent is called again', async () => {
    const agent = createListAgent(calls('add'));
    const session = createAgentSession({ id: 's', agent, tools: { add: () => 3 } });
    const events = session.execute(hello);
    await events.next();
    expect((await events.next()).value).toMatchObject({ type: 'tool-output-available' });
    await events.return();
    expect(agent.contexts).toHaveLength(1);
  });

  it('a reader that goes away can resume the run inside the window', async () => {
    const { clock, events, signal, session, executionId, seen } = await startRun(5_000);
    const waiting = events.next();
    await settle();
    await events.return();
    expect((await waiting).done).toBe(true);
    clock.advance(4_999);
    expect(signal?.aborted).toBe(false);
    const resumed = session.execute({ type: 'resume', executionId, cursor: '2' });
    expect((await resumed.next()).value).toEqual(seen[2]);
    clock.advance(60_000);
    expect(signal?.aborted).toBe(false);
    await resumed.return();
    clock.advance(5_000);
    expect(signal?.aborted).toBe(true);
  });

  it('a resume after the reader went away misses no event', async () => {
    const gate = createDeferred();
    const session = createAgentSession({
      id: 's',
      resumeWindowMs: 1_000,
      clock: createTestClock(),
      async *agent() {
        await gate.promise;
        yield* text('late');
      },
    });
    const events = session.execute(hello);
    const start = (await events.next()).value;
    const executionId = start?.type === 'start' ? (start.executionId ?? '') : '';
    const waiting = events.next();
    await events.return();
    await waiting;
    gate.resolve();
    await settle();
    const rest = await run(session, { type: 'resume', executionId, cursor: '1' });
    expect(types(rest)).toEqual(['text-start', 'text-delta', 'text-end', 'finish']);
  });
});

describe('an aborted signal', () => {
  it('an aborted signal ends the run, and the stream with finish{stop}', async () => {
    const { agent, contexts } = createHangingAgent();
    const controller = new AbortController();
    const session = createAgentSession({ id: 's', agent, resumeWindowMs: 60_000, clock: createTestClock() });
    const events = collect(session.execute(hello, { signal: controller.signal }));
    await settle();
    controller.abort();
    expect((await events).at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect(contexts[0]?.signal.aborted).toBe(true);
  });

  it('a signal that aborts while the message is saved ends the run before the agent is called', async () => {
    const { agent, contexts } = createHangingAgent();
    const gate = createDeferred();
    const inner = createMemorySessionStore();
    const store = {
      ...inner,
      save: (...args: Parameters<typeof inner.save>) => gate.promise.then(() => inner.save(...args)),
    };
    const controller = new AbortController();
    const session = createAgentSession({ id: 's', agent, store });
    const events = collect(session.execute(hello, { signal: controller.signal }));
    await settle();
    controller.abort();
    gate.resolve();
    expect(types(await events)).toEqual(['finish']);
    expect(contexts).toEqual([]);
  });

  it('a signal that was aborted before the request starts no run', async () => {
    const { agent, contexts } = createHangingAgent();
    const signal = AbortSignal.abort();
    const events = await collect(createAgentSession({ id: 's', agent }).execute(hello, { signal }));
    expect(events).toEqual([{ type: 'finish', finishReason: 'stop' }]);
    expect(contexts).toEqual([]);
  });

  it('an aborted signal reaches server tools, and a tool that ignores it does not hold the run', async () => {
    let toolSignal: AbortSignal | undefined;
    const session = createAgentSession({
      id: 's',
      async *agent() {
        yield { type: 'tool-request', toolCalls: [{ toolCallId: 'a', toolName: 'slow', args: {} }] };
      },
      tools: {
        slow: (_, { signal }) => {
          toolSignal = signal;
          return new Promise(() => {});
        },
      },
    });
    const controller = new AbortController();
    const events = collect(session.execute(hello, { signal: controller.signal }));
    await settle();
    controller.abort();
    expect(types(await events)).toEqual(['start', 'finish']);
    expect(toolSignal?.aborted).toBe(true);
  });
});

describe('stop', () => {
  it.each([0, 60_000])('a stop ends the run at once with a window of %i ms', async (window) => {
    const { session, events, signal, executionId } = await startRun(window);
    const waiting = events.next();
    await settle();
    expect(await run(session, { type: 'stop', executionId })).toEqual([]);
    expect((await waiting).value).toMatchObject({
      type: 'finish',
      finishReason: 'stop',
      executionId,
      cursor: '5',
    });
    expect((await events.next()).done).toBe(true);
    expect(signal?.aborted).toBe(true);
  });

  it('a stop yields its finish after the stop is saved', async () => {
    const saved = createDeferred();
    const plain = createPlainStore();
    const { agent } = createHangingAgent();
    const store: SessionStore = {
      ...plain,
      async save(id, record) {
        if (record.execution?.state === 'stopped') await saved.promise;
        return plain.save(id, record);
      },
    };
    const session = createAgentSession({ id: 's', agent, store });
    const events = session.execute(hello);
    for (let count = 0; count < 4; count += 1) await events.next();
    let hasFinished = false;
    const waiting = events.next().finally(() => {
      hasFinished = true;
    });
    await settle();
    const stopping = run(session, { type: 'stop' });
    await settle();
    expect(hasFinished).toBe(false);
    saved.resolve();
    expect((await waiting).value).toMatchObject({ type: 'finish', finishReason: 'stop' });
    await stopping;
  });

  it('a stop ends a run that has no reader', async () => {
    const { session, events, signal, executionId } = await startRun(60_000);
    await events.return();
    await run(session, { type: 'stop' });
    expect(signal?.aborted).toBe(true);
    const resumed = await run(session, { type: 'resume', executionId, cursor: '4' });
    expect(resumed).toMatchObject([{ type: 'finish', finishReason: 'stop' }]);
  });

  it('a stop without a run changes nothing, before and after a run', async () => {
    const agent = createListAgent(text('one'));
    const store = createMemorySessionStore();
    const session = createAgentSession({ id: 's', agent, store });
    for (const executionId of [undefined, 'gone'])
      expect(await run(session, { type: 'stop', executionId })).toEqual([]);
    await run(session, hello);
    const done = await store.load('s');
    expect(await run(session, { type: 'stop' })).toEqual([]);
    expect(await store.load('s')).toEqual(done);
  });
});

describe('one execution at a time', () => {
  it('a new message ends the earlier run, and the history has its partial text', async () => {
    const { session, events, contexts } = await startRun();
    const waiting = events.next();
    const next = session.execute({ ...hello, input: { USER_MESSAGE: 'again' } });
    expect((await next.next()).value).toMatchObject({ type: 'start' });
    expect((await waiting).value).toMatchObject({ type: 'finish', finishReason: 'stop' });
    await next.next();
    expect(contexts[0]?.signal.aborted).toBe(true);
    expect(contexts[1]?.messages.map((message) => message.role === 'tool' || message.content)).toEqual([
      'hello',
      'one',
      'again',
    ]);
    await next.return();
  });

  it.each([
    ['is in the history once if only tools had run', calls('look'), ['user', 'assistant', 'tool']],
    ['is a new message if the agent was in the middle of a text', text('one'), ['user', 'assistant', 'user']],
  ] as const)('the message of the current run, sent again, %s', async (_, said, roles) => {
    const contexts: AgentContext[] = [];
    const agent: Agent = async function* (context) {
      contexts.push(context);
      if (contexts.length === 1) yield* said;
      await new Promise<never>(() => {});
    };
    const session = createAgentSession({ id: 's', agent, tools: { look: () => 'seen' } });
    const first = session.execute(hello);
    for (const _event of ['start', ...said].slice(0, 2)) await first.next();
    void first.next();
    await settle();
    const repeated = session.execute(hello);
    await repeated.next();
    void repeated.next();
    await settle();
    expect(contexts.at(-1)?.messages.map(({ role }) => role)).toEqual(roles);
    await Promise.all([first.return(), repeated.return()]);
  });

  it('a resume finds the run that replaced another one', async () => {
    const { session } = await startRun();
    const next = session.execute({ ...hello, input: { USER_MESSAGE: 'again' } });
    const { value: start } = await next.next();
    const { executionId } = start as { executionId: string };
    const resumed = session.execute({ type: 'resume', executionId, cursor: 1 });
    expect((await resumed.next()).value).toMatchObject({ type: 'text-start', cursor: '2' });
    await resumed.return();
  });

  it('an assistant message that is interrupted before its first text leaves no empty message', async () => {
    const { agent, contexts } = createHangingAgent();
    const session = createAgentSession({ id: 's', agent });
    const first = session.execute(hello);
    await first.next();
    expect((await first.next()).value).toMatchObject({ type: 'text-start' });
    await first.return();
    const next = session.execute({ ...hello, input: { USER_MESSAGE: 'again' } });
    await next.next();
    await next.next();
    expect(contexts.at(-1)?.messages.map(({ role }) => role)).toEqual(['user', 'user']);
    await next.return();
  });

  it.each([
    ['another message follows', []],
    ['a stop and another message follow', [{ type: 'stop' }]],
  ])('the history keeps an interrupted assistant message when %s', async (_, before) => {
    const { session, events, contexts } = await startRun();
    await events.return();
    for (const request of before) await run(session, request);
    const next = session.execute({ ...hello, input: { USER_MESSAGE: 'again' } });
    await next.next();
    await next.next();
    expect(contexts[1]?.messages).toHaveLength(3);
    await next.return();
  });
});
