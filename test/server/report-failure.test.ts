/** What the app's own code threw reaches its logs, whoever else is told of it. */
import { describe, expect, it } from 'vitest';
import type { Agent, ServerTools } from '../../src/server/agent.ts';
import type { ServerFailure } from '../../src/server/report-failure.ts';
import { createAgentSession } from '../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore, type SessionStore } from '../../src/server/sessions/session-store.ts';
import { createDeferred } from '../support/deferred.ts';
import { calls, continueWith, createListAgent, hello, run, settle, stop, types } from './support.ts';

const thrown = new Error('the database is gone');
const fail = (): never => {
  throw thrown;
};

interface Options {
  readonly agent?: Agent;
  readonly tools?: ServerTools;
  readonly store?: SessionStore;
  readonly resumeWindowMs?: number;
}

function open({ agent = createListAgent([stop]), ...options }: Options) {
  const heard: [unknown, ServerFailure][] = [];
  const session = createAgentSession({
    id: 's',
    agent,
    createId: () => 'run',
    onError: (error, failure) => heard.push([error, failure]),
    ...options,
  });
  return { session, heard };
}

describe('onError of a session', () => {
  it('hears what the agent threw, as it was thrown', async () => {
    const { session, heard } = open({ agent: fail });
    expect((await run(session, hello)).at(-1)).toMatchObject({ type: 'error', code: 'agent_failed' });
    expect(heard).toEqual([[thrown, { source: 'agent', sessionId: 's', executionId: 'run' }]]);
    expect(heard[0]?.[0]).toBe(thrown);
  });

  it('hears what a tool threw, and which call it was', async () => {
    const agent = createListAgent(calls('find', 'count'), [stop]);
    const { session, heard } = open({ agent, tools: { find: fail, count: () => 3 } });
    expect(types(await run(session, hello))).toContain('tool-output-error');
    const place = { sessionId: 's', executionId: 'run' };
    expect(heard).toEqual([[thrown, { source: 'tool', toolName: 'find', toolCallId: 'find-id', ...place }]]);
  });

  it.each<[string, Partial<SessionStore>, string | undefined]>([
    ['does not load', { load: fail }, undefined],
    ['does not save what a client asked', { save: fail }, undefined],
    [
      'does not save how a run ended',
      { save: async (_, { revision }) => (revision > 1 ? fail() : true) },
      'run',
    ],
    ['does not log', { openLog: () => ({ append: fail, read: () => [] }) }, 'run'],
  ])('hears of a store that %s', async (_, broken, executionId) => {
    const { session, heard } = open({ store: { ...createMemorySessionStore(), ...broken } });
    expect((await run(session, hello)).at(-1)).toMatchObject({ type: 'error', code: 'store_failed' });
    const place = executionId === undefined ? {} : { executionId };
    expect(heard).toEqual([[thrown, { source: 'store', sessionId: 's', ...place }]]);
  });

  it('hears of a log that cannot be read again', async () => {
    const store = createMemorySessionStore();
    let isBroken = false;
    const openLog: SessionStore['openLog'] = (...args) => {
      const log = (store.openLog as NonNullable<SessionStore['openLog']>)(...args);
      return { append: (entry) => log.append(entry), read: (seq) => (isBroken ? fail() : log.read(seq)) };
    };
    const gate = createDeferred();
    const agent: Agent = async function* () {
      yield { type: 'text-start', id: 't' };
      await gate.promise;
      yield { type: 'text-end', id: 't' };
    };
    const { session, heard } = open({ agent, store: { ...store, openLog }, resumeWindowMs: 1_000 });
    const events = session.execute(hello);
    for (let read = 0; read < 2; read++) await events.next();
    const taken = events.next();
    const resumed = session.execute({ type: 'resume', executionId: 'run', cursor: '1' });
    expect((await resumed.next()).value).toMatchObject({ type: 'text-start' });
    // The reader before asked for the next event: this one has to read it from the log.
    isBroken = true;
    gate.resolve();
    await Promise.all([taken, settle()]);
    expect((await resumed.next()).value).toMatchObject({ type: 'error', code: 'store_failed' });
    expect(heard).toEqual([[thrown, { source: 'store', sessionId: 's', executionId: 'run' }]]);
  });

  it('is not told of a tool that a stop called off', async () => {
    const called = createDeferred<AbortSignal>();
    const find: ServerTools[string] = (_, { signal }) => {
      called.resolve(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(thrown)));
    };
    const { session, heard } = open({ agent: createListAgent(calls('find')), tools: { find } });
    const events = session.execute(hello);
    await events.next();
    void events.next();
    const signal = await called.promise;
    await Promise.all([events.return(), settle()]);
    expect([signal.aborted, heard]).toEqual([true, []]);
  });

  it.each([1, 2])('is not told of two processes that saved at once, at save %i', async (at) => {
    const save = async (_: string, { revision }: { revision: number }) => revision < at;
    const { session, heard } = open({ store: { ...createMemorySessionStore(), save } });
    expect((await run(session, hello)).at(-1)).toMatchObject({ code: 'session_conflict' });
    expect(heard).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ['throws', fail],
    ['rejects', async () => fail()],
  ])('changes nothing when it %s itself', async (_, onError) => {
    const agent = createListAgent(calls('find', 'ask'), [stop]);
    const session = createAgentSession({ id: 's', agent, tools: { find: fail }, onError });
    const events = await run(session, hello);
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: 'client-tool-calls' });
    expect((await run(session, continueWith(events))).at(-1)).toMatchObject({ finishReason: 'stop' });
  });
});
