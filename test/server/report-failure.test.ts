/** Errors of the app's own code reach the app's logs, in addition to the client or the agent. */
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/server/agent.ts';
import type { ServerFailure } from '../../src/server/report-failure.ts';
import { createAgentSession } from '../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../src/server/store/create-memory-session-store.ts';
import type { SessionStore } from '../../src/server/store/session-store.ts';
import type { ServerTools } from '../../src/server/tools/server-tool.ts';
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
  const reported: [unknown, ServerFailure][] = [];
  const session = createAgentSession({
    id: 's',
    agent,
    createId: () => 'run',
    onError: (error, failure) => reported.push([error, failure]),
    ...options,
  });
  return { session, reported };
}

describe('onError of a session', () => {
  it('onError gets the error of the agent, as it was thrown', async () => {
    const { session, reported } = open({ agent: fail });
    expect((await run(session, hello)).at(-1)).toMatchObject({ type: 'error', code: 'agent_failed' });
    expect(reported).toEqual([[thrown, { source: 'agent', sessionId: 's', executionId: 'run' }]]);
    expect(reported[0]?.[0]).toBe(thrown);
  });

  it('onError gets the error of a tool and the call it belongs to', async () => {
    const agent = createListAgent(calls('find', 'count'), [stop]);
    const { session, reported } = open({ agent, tools: { find: fail, count: () => 3 } });
    expect(types(await run(session, hello))).toContain('tool-output-error');
    const place = { sessionId: 's', executionId: 'run' };
    expect(reported).toEqual([
      [thrown, { source: 'tool', toolName: 'find', toolCallId: 'find-id', ...place }],
    ]);
  });

  it.each<[string, Partial<SessionStore>, string | undefined]>([
    ['does not load', { load: fail }, undefined],
    ['does not save the request of a client', { save: fail }, undefined],
    [
      'does not save how a run ended',
      { save: async (_, { revision }) => (revision > 1 ? fail() : true) },
      'run',
    ],
    ['does not log', { openLog: () => ({ append: fail, read: () => [] }) }, 'run'],
  ])('onError gets the error of a store that %s', async (_, broken, executionId) => {
    const { session, reported } = open({ store: { ...createMemorySessionStore(), ...broken } });
    expect((await run(session, hello)).at(-1)).toMatchObject({ type: 'error', code: 'store_failed' });
    const place = executionId === undefined ? {} : { executionId };
    expect(reported).toEqual([[thrown, { source: 'store', sessionId: 's', ...place }]]);
  });

  it('onError gets the error of a log that cannot be read', async () => {
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
    const { session, reported } = open({ agent, store: { ...store, openLog }, resumeWindowMs: 1_000 });
    const events = session.execute(hello);
    for (let read = 0; read < 2; read++) await events.next();
    const taken = events.next();
    const resumed = session.execute({ type: 'resume', executionId: 'run', cursor: '1' });
    expect((await resumed.next()).value).toMatchObject({ type: 'text-start' });
    // The earlier reader pulled the next event, so this reader has to read that event from the log.
    isBroken = true;
    gate.resolve();
    await Promise.all([taken, settle()]);
    expect((await resumed.next()).value).toMatchObject({ type: 'error', code: 'store_failed' });
    expect(reported).toEqual([[thrown, { source: 'store', sessionId: 's', executionId: 'run' }]]);
  });

  it('onError is not called for a tool that a stop cancelled', async () => {
    const called = createDeferred<AbortSignal>();
    const find: ServerTools[string] = (_, { signal }) => {
      called.resolve(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(thrown)));
    };
    const { session, reported } = open({ agent: createListAgent(calls('find')), tools: { find } });
    const events = session.execute(hello);
    await events.next();
    void events.next();
    const signal = await called.promise;
    await Promise.all([events.return(), settle()]);
    expect([signal.aborted, reported]).toEqual([true, []]);
  });

  it.each([1, 2])('onError is not called when two processes save at once, at save %i', async (at) => {
    const save = async (_: string, { revision }: { revision: number }) => revision < at;
    const { session, reported } = open({ store: { ...createMemorySessionStore(), save } });
    expect((await run(session, hello)).at(-1)).toMatchObject({ code: 'session_conflict' });
    expect(reported).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ['throws', fail],
    ['rejects', async () => fail()],
  ])('onError changes nothing when it %s itself', async (_, onError) => {
    const agent = createListAgent(calls('find', 'ask'), [stop]);
    const session = createAgentSession({ id: 's', agent, tools: { find: fail }, onError });
    const events = await run(session, hello);
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: 'client-tool-calls' });
    expect((await run(session, continueWith(events))).at(-1)).toMatchObject({ finishReason: 'stop' });
  });
});
