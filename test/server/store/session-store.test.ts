import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type { Agent } from '../../../src/server/agent.ts';
import { type AgentSession, createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { LoggedEvent } from '../../../src/server/store/event-log.ts';
import { createMemoryEventLog } from '../../../src/server/store/memory-logs.ts';
import type { SessionRecord, SessionStore } from '../../../src/server/store/session-store.ts';
import { createDeferred } from '../../support/deferred.ts';
import {
  calls,
  continueWith,
  createListAgent,
  hello,
  requestIn,
  run,
  settle,
  stop,
  text,
  types,
  withoutCursors,
} from '../support.ts';

/** A store like a database: JSON in, JSON out, compare and set. `restart` stands for a restart of the process. */
function createJsonStore(rows = new Map<string, string>()) {
  const store: SessionStore = {
    async load(id) {
      const row = rows.get(id);
      return row === undefined ? null : (JSON.parse(row) as SessionRecord);
    },
    async save(id, record) {
      const row = rows.get(id);
      if (row !== undefined && (JSON.parse(row) as SessionRecord).revision >= record.revision) return false;
      rows.set(id, JSON.stringify(record));
      return true;
    },
  };
  return { store, restart: () => createJsonStore(new Map(rows)).store };
}

const hangingAgent: Agent = async function* () {
  yield* text('Hm');
  await new Promise(() => {});
};

const turn = () => createListAgent([...text('Hm'), ...calls('ask', 'add')], [...text('Done'), stop]);

describe('sessions with the same id and store', () => {
  it('sessions with the same id and store are one conversation', async () => {
    const store = createMemorySessionStore();
    const agent = turn();
    const session = () => createAgentSession({ id: 's', agent, store, tools: { add: () => 1 } });
    const first = await run(session(), hello);
    expect((await run(session(), continueWith(first))).at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(await run(session(), continueWith(first))).toEqual([
      expect.objectContaining({ code: 'already_answered' }),
    ]);
  });

  it('a session sees the run that another session object of its id started', async () => {
    const store = createMemorySessionStore();
    const agent = createListAgent([...text('Hi'), stop]);
    const session = () => createAgentSession({ id: 's', agent, store });
    const old = session().execute(hello);
    await old.next();
    const next = session().execute(hello);
    await next.next();
    expect((await old.next()).value).toMatchObject({ type: 'finish', finishReason: 'stop' });
    await next.return();
  });

  it('sessions with different ids are separate conversations', async () => {
    const store = createMemorySessionStore();
    const agent = turn();
    const first = await run(createAgentSession({ id: 'a', agent, store }), hello);
    expect(await run(createAgentSession({ id: 'b', agent, store }), continueWith(first))).toEqual([
      expect.objectContaining({ code: 'unknown_execution' }),
    ]);
  });
});

describe('after a restart of the process', () => {
  it('open calls can be answered once after a restart', async () => {
    const agent = turn();
    const { store, restart } = createJsonStore();
    const first = await run(createAgentSession({ id: 's', agent, store, tools: { add: () => 1 } }), hello);
    const session = createAgentSession({ id: 's', agent, store: restart(), tools: { add: () => 1 } });
    const { executionId } = first[0] as { executionId: string };
    expect(await run(session, { type: 'resume', executionId, cursor: first.at(-1)?.cursor })).toEqual([
      { type: 'finish', finishReason: 'client-tool-calls', executionId },
    ]);
    const second = await run(session, continueWith(first));
    expect(second[0]?.cursor).toBe(String(Number(first.at(-1)?.cursor) + 1));
    expect(agent.contexts[1]?.messages.filter((message) => message.role === 'tool')).toHaveLength(2);
    expect(await run(session, continueWith(first))).toEqual([
      expect.objectContaining({ code: 'already_answered' }),
    ]);
  });

  describe('after a restart that lost the events', () => {
    async function endTurn() {
      const rows = new Map<string, string>();
      const agent = createListAgent([...text('Hm'), ...calls('ask', 'add', 'fail')], [...text('Done'), stop]);
      const tools = { add: () => 1, fail: () => Promise.reject(new Error('broken')) };
      const open = () => createAgentSession({ id: 's', agent, store: createJsonStore(rows).store, tools });
      const first = await run(open(), hello);
      const { executionId } = requestIn(first);
      const resumeAfter = ({ cursor }: AgentEvent) => run(open(), { type: 'resume', executionId, cursor });
      return { open, first, resumeAfter };
    }

    it('a resume asks the open question as it was, wherever the process died after saving it', async () => {
      const { open, first, resumeAfter } = await endTurn();
      expect(types(first).slice(3)).toEqual([
        ...['text-end', 'tool-output-available', 'tool-output-error'],
        ...['client-tool-request', 'finish'],
      ]);
      for (const [index, event] of first.entries()) {
        if (index >= 3 && index < first.length - 1)
          expect(await resumeAfter(event)).toEqual(first.slice(index + 1));
      }
      expect((await run(open(), continueWith(first))).at(-1)).toMatchObject({ finishReason: 'stop' });
    });

    it('a resume asks the open question and sends events_lost when earlier events are lost', async () => {
      const { first, resumeAfter } = await endTurn();
      for (const [index, event] of first.slice(0, 3).entries()) {
        const [lost, ...events] = await resumeAfter(event);
        expect(lost, `after event ${index}`).toMatchObject({ type: 'notice', code: 'events_lost' });
        expect(events).toEqual(first.slice(4));
      }
    });

    it('a resume sends the answer of a finished turn whole to a client that has none of it', async () => {
      const { open, first, resumeAfter } = await endTurn();
      const second = await run(open(), continueWith(first));
      const whole = [second[0], ...text('Done', 'step-1'), second.at(-1)];
      for (const event of [first.at(-1), second[0]]) {
        expect(withoutCursors(await resumeAfter(event as AgentEvent))).toEqual(
          withoutCursors(whole as AgentEvent[]),
        );
      }
    });

    it('a resume sends the end of a turn to a client that missed no other event, and refuses others as cursor_expired', async () => {
      const { open, first, resumeAfter } = await endTurn();
      const second = await run(open(), continueWith(first));
      const [last] = second.slice(-1) as [AgentEvent];
      for (const event of second.slice(1, -2)) {
        expect(await resumeAfter(event)).toEqual([
          expect.objectContaining({ code: 'cursor_expired', retryable: false }),
        ]);
      }
      for (const event of second.slice(-2, -1)) expect(await resumeAfter(event)).toEqual([last]);
      expect(await resumeAfter(last)).toEqual(withoutCursors([last]));
    });

    it('a resume sends the failure or the stop of a turn after events_lost when earlier events are lost', async () => {
      const failed = {
        type: 'error',
        message: 'Overloaded',
        errorType: 'provider_error',
        retryable: true,
      } as const;
      const agent = createListAgent([...text('Hm'), { ...failed, source: 'provider' }]);
      const rows = new Map<string, string>();
      const open = () => createAgentSession({ id: 's', agent, store: createJsonStore(rows).store });
      const lost = expect.objectContaining({ type: 'notice', code: 'events_lost' });
      const [start, ...rest] = await run(open(), hello);
      const { executionId } = start as { executionId: string };
      const resume = { type: 'resume', executionId, cursor: start?.cursor };
      expect(await run(open(), resume)).toEqual([lost, rest.at(-1)]);
      const session = open();
      const reader = session.execute(hello);
      const started = (await reader.next()).value as { executionId: string; cursor: string };
      await reader.next();
      await run(session, { type: 'stop', executionId: started.executionId });
      const after = { type: 'resume', executionId: started.executionId, cursor: started.cursor };
      expect(await run(open(), after)).toEqual([lost, expect.objectContaining({ finishReason: 'stop' })]);
    });
  });

  it('a resume does not need the events of an attempt whose process died', async () => {
    const agent = turn();
    const rows = new Map<string, string>();
    const open = () => createAgentSession({ id: 's', agent, store: createJsonStore(rows).store });
    const first = await run(open(), hello);
    const { executionId } = requestIn(first);
    const lost = open().execute(continueWith(first));
    for (let count = 0; count < 3; count += 1) await lost.next();
    await lost.return();
    const session = open();
    const resume = { type: 'resume', executionId, cursor: first.at(-1)?.cursor };
    expect(await run(session, resume)).toMatchObject([{ code: 'run_interrupted' }]);
    const again = await run(session, continueWith(first));
    const received = await run(session, resume);
    expect(received.filter(({ type }) => type !== 'tool-result-acknowledged')).toEqual(again);
  });

  it('a process whose log has only the beginning of an execution sends events_lost after a resume', async () => {
    const rows = new Map<string, string>();
    const agent = createListAgent(calls('ask'), [...text('Hm'), ...calls('more')]);
    const [one, other] = [0, 1].map(() => {
      return createAgentSession({ id: 's', agent, store: createJsonStore(rows).store });
    }) as [AgentSession, AgentSession];
    const first = await run(one, hello);
    const second = await run(other, continueWith(first));
    const { executionId, cursor } = requestIn(first);
    const lost = expect.objectContaining({ code: 'events_lost' });
    expect(await run(one, { type: 'resume', executionId, cursor })).toEqual([lost, ...second.slice(-2)]);
  });

  it('a run under way at the restart counts as interrupted, and its cursors are not reused', async () => {
    const agent = turn();
    const { store, restart } = createJsonStore();
    const first = await run(createAgentSession({ id: 's', agent, store }), hello);
    const { executionId } = first[0] as { executionId: string };
    const lost = createAgentSession({ id: 's', agent, store }).execute(continueWith(first));
    await lost.next();
    await lost.next();
    const last = (await lost.next()).value;
    const session = createAgentSession({ id: 's', agent, store: restart() });
    expect(await run(session, { type: 'resume', executionId, cursor: last?.cursor })).toEqual([
      expect.objectContaining({ code: 'server_restarted' }),
    ]);
    const again = await run(session, continueWith(first));
    expect(again.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(Number(again[0]?.cursor)).toBeGreaterThan(Number(last?.cursor));
    await lost.return();
  });

  it('a server tool that may have run before the restart is not run again', async () => {
    let runs = 0;
    const agent = createListAgent(calls('ask'), calls('charge'), [stop]);
    const tools = {
      charge: () => {
        runs += 1;
        return new Promise<never>(() => {});
      },
    };
    const { store, restart } = createJsonStore();
    const first = await run(createAgentSession({ id: 's', agent, store, tools }), hello);
    const lost = createAgentSession({ id: 's', agent, store, tools }).execute(continueWith(first));
    await lost.next();
    void lost.next();
    await settle();
    expect(runs).toBe(1);
    const events = await run(
      createAgentSession({ id: 's', agent, store: restart(), tools }),
      continueWith(first),
    );
    expect(events.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(runs).toBe(1);
    expect(agent.contexts[2]?.messages.at(-1)).toMatchObject({
      toolCallId: 'charge-id',
      error: 'Interrupted before the result was known',
    });
    await lost.return();
  });

  it('a message repeated after the restart is in the history once, and its tool is not run again', async () => {
    const agent = createListAgent(calls('charge'), [stop]);
    const charge = vi.fn(() => new Promise<never>(() => {}));
    const { store, restart } = createJsonStore();
    const lost = createAgentSession({ id: 's', agent, store, tools: { charge } }).execute(hello);
    await lost.next();
    void lost.next();
    await settle();
    await run(createAgentSession({ id: 's', agent, store: restart(), tools: { charge } }), hello);
    expect(charge).toHaveBeenCalledOnce();
    expect(agent.contexts[1]?.messages).toEqual([
      expect.objectContaining({ role: 'user' }),
      expect.objectContaining({ role: 'assistant' }),
      expect.objectContaining({ error: 'Interrupted before the result was known' }),
    ]);
    await lost.return();
  });
});

describe('a session that comes back to a process', () => {
  it('a session continues from the record of another process, although a run here still waits for its reader', async () => {
    const rows = new Map<string, string>();
    const agent = turn();
    const open = ({ store } = createJsonStore(rows), current: Agent = agent) =>
      createAgentSession({ id: 's', agent: current, store, tools: { add: () => 1 }, resumeWindowMs: 60_000 });
    const here = createJsonStore(rows);
    const left = open(here, hangingAgent).execute({ ...hello, input: { USER_MESSAGE: 'first' } });
    await left.next();
    await left.return();
    const asked = await run(open(), hello);
    const answered = await run(open(here), continueWith(asked));
    expect(types(answered)).toContain('start');
    expect(answered.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(agent.contexts.at(-1)?.messages.at(-2)).toMatchObject({ toolCallId: 'ask-id', result: 'ask ok' });
  });

  it('a session does not overwrite the record of another process, also when the store does not compare revisions', async () => {
    const rows = new Map<string, SessionRecord>();
    const agent = turn();
    const openStore = (): SessionStore => ({
      load: async (id) => rows.get(id) ?? null,
      save: async (id, record) => Boolean(rows.set(id, record)),
    });
    const open = (store: SessionStore, current: Agent) =>
      createAgentSession({ id: 's', agent: current, store, resumeWindowMs: 60_000 });
    const here = openStore();
    const left = open(here, hangingAgent).execute({ ...hello, input: { USER_MESSAGE: 'first' } });
    await left.next();
    await left.return();
    const asked = await run(open(openStore(), agent), hello);
    expect((await run(open(here, agent), continueWith(asked))).at(-1)).toMatchObject({
      finishReason: 'stop',
    });
    expect(agent.contexts).toHaveLength(2);
  });
});

describe('a store', () => {
  it.each([
    ['JSON', () => createJsonStore().store],
    ['memory', createMemorySessionStore],
  ])('a store of %s that two processes share lets one continue win', async (_, createStore) => {
    const agent = turn();
    const store = createStore();
    const first = await run(createAgentSession({ id: 's', agent, store }), hello);
    // Another store object with the same rows stands for another process.
    const other: SessionStore = { load: store.load, save: store.save };
    const sessions = [store, other].map((store) => createAgentSession({ id: 's', agent, store }));
    const outcomes = await Promise.all(sessions.map((session) => run(session, continueWith(first))));
    expect(outcomes.map((events) => events[0]?.type).sort()).toEqual(['error', 'start']);
    expect(agent.contexts).toHaveLength(2);
  });

  it('of two processes that share a store, the one that did not save last reads the record again', async () => {
    const { store } = createJsonStore();
    const agent = createListAgent(calls('ask'), text('Hm'), calls('more'), [stop]);
    const [here, there] = [store, { ...store }].map((store) =>
      createAgentSession({ id: 's', agent, store, resumeWindowMs: 60_000 }),
    ) as [AgentSession, AgentSession];
    const first = await run(here, hello);
    for await (const { type } of here.execute(continueWith(first))) if (type === 'text-start') break;
    const second = await run(there, continueWith(first));
    expect((await run(here, continueWith(second))).at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(agent.contexts).toHaveLength(4);
  });

  it('a client can resume a run while the store cannot be read', async () => {
    const inner = createMemorySessionStore();
    let broken = false;
    const store: SessionStore = {
      ...inner,
      load: (id) => (broken ? Promise.reject(new Error('offline')) : inner.load(id)),
    };
    const agent = createListAgent([...text('Hi'), stop]);
    const session = createAgentSession({ id: 's', agent, store, resumeWindowMs: 60_000 });
    let executionId = '';
    for await (const event of session.execute(hello)) {
      if (event.type === 'start') executionId = event.executionId ?? '';
      if (event.type === 'text-start') break;
    }
    broken = true;
    expect((await run(session, { type: 'resume', executionId, cursor: 2 })).at(-1)).toMatchObject({
      finishReason: 'stop',
    });
  });

  it.each([
    [2, { type: 'finish', finishReason: 'stop' }, 1],
    [3, { type: 'error', code: 'session_conflict', retryable: true }, 0],
  ])('a store that another process changed %i times in between: %j', async (conflicts, last, invocations) => {
    const inner = createMemorySessionStore();
    let saves = 0;
    const store: SessionStore = {
      load: inner.load,
      save: async (id, record) => ++saves > conflicts && inner.save(id, record),
    };
    const agent = createListAgent([stop]);
    expect((await run(createAgentSession({ id: 's', agent, store }), hello)).at(-1)).toMatchObject(last);
    expect(agent.contexts).toHaveLength(invocations);
  });

  it('a store that throws makes one retryable error', async () => {
    const store: SessionStore = {
      load: () => Promise.reject(new Error('disk full')),
      save: async () => true,
    };
    const agent = turn();
    expect(await run(createAgentSession({ id: 's', agent, store }), hello)).toEqual([
      expect.objectContaining({
        code: 'store_failed',
        retryable: true,
      }),
    ]);
    expect(agent.contexts).toEqual([]);
  });

  it('a store that fails to save accepted answers leaves the calls open', async () => {
    const inner = createMemorySessionStore();
    let broken = false;
    let tries = 0;
    const store: SessionStore = {
      load: inner.load,
      save(id, record) {
        if (!broken) return inner.save(id, record);
        tries += 1;
        return Promise.reject(new Error('offline'));
      },
    };
    const agent = turn();
    const session = createAgentSession({ id: 's', agent, store });
    const first = await run(session, hello);
    broken = true;
    expect(await run(session, continueWith(first))).toEqual([
      expect.objectContaining({ code: 'store_failed' }),
    ]);
    // The store may have saved the answers all the same. The client resumes to see the outcome, and decides about a retry.
    expect(tries).toBe(1);
    broken = false;
    expect((await run(session, continueWith(first))).at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(agent.contexts).toHaveLength(2);
  });

  it('a store that fails to save a stop makes an error event', async () => {
    const inner = createMemorySessionStore();
    let isFailing = false;
    const save: SessionStore['save'] = (...args) =>
      isFailing ? Promise.reject(new Error('offline')) : inner.save(...args);
    const session = createAgentSession({ id: 's', agent: turn(), store: { ...inner, save } });
    await run(session, hello);
    isFailing = true;
    expect(await run(session, { type: 'stop' })).toMatchObject([{ code: 'store_failed' }]);
  });

  it('the agent is not called when the store fails to save the restart of a failed request', async () => {
    const inner = createMemorySessionStore();
    let broken = false;
    const store: SessionStore = {
      ...inner,
      save: (...args) => (broken ? Promise.reject(new Error('offline')) : inner.save(...args)),
    };
    const agent = createListAgent(calls('ask'), [{ type: 'finish', finishReason: 'error' }]);
    const session = createAgentSession({ id: 's', agent, store });
    const first = await run(session, hello);
    await run(session, continueWith(first));
    broken = true;
    expect(await run(session, continueWith(first))).toMatchObject([{ code: 'store_failed' }]);
    expect(agent.contexts).toHaveLength(2);
  });

  it('a memory store drops the least recently used sessions', async () => {
    const store = createMemorySessionStore({ maxSessions: 2 });
    const agent = createListAgent([stop]);
    for (const id of ['a', 'b', 'a', 'c']) await run(createAgentSession({ id, agent, store }), hello);
    expect([await store.load('a'), await store.load('b')].map((record) => record !== null)).toEqual([
      true,
      false,
    ]);
  });

  it('a memory store drops sessions with an open question last', async () => {
    const store = createMemorySessionStore({ maxSessions: 3 });
    const asking = createListAgent(calls('ask'), [stop]);
    const asked = await run(createAgentSession({ id: 'waits', agent: asking, store }), hello);
    const strangers = Array.from({ length: 1_000 }, (_, index) => `stranger-${index}`);
    const agent = createListAgent([stop]);
    for (const id of strangers) await run(createAgentSession({ id, agent, store }), hello);
    const open = (id: string) => createAgentSession({ id, agent: asking, store });
    expect((await run(open('waits'), continueWith(asked))).at(-1)).toMatchObject({ finishReason: 'stop' });
    // Its question is answered now, so it is dropped in its turn.
    for (const id of strangers.slice(0, 3)) await run(createAgentSession({ id, agent, store }), hello);
    expect(await store.load('waits')).toBeNull();
  });

  it('a memory store full of open questions drops the least recently used one, and never the session it saves', async () => {
    const store = createMemorySessionStore({ maxSessions: 2 });
    const agent = createListAgent(calls('ask'));
    for (const id of ['a', 'b']) {
      await run(createAgentSession({ id, agent: createListAgent(calls('ask')), store }), hello);
    }
    await run(createAgentSession({ id: 'c', agent: createListAgent([stop]), store }), hello);
    const held = await Promise.all(['a', 'b', 'c'].map((id) => store.load(id)));
    expect(held.map((record) => record?.execution?.state)).toEqual([undefined, 'waiting', 'done']);
    expect(agent.contexts).toEqual([]);
  });

  it('a memory store counts a resume as use, so an open question stays', async () => {
    const store = createMemorySessionStore({ maxSessions: 2 });
    const agent = createListAgent(calls('ask'), [stop]);
    const open = (id: string) => createAgentSession({ id, agent, store });
    const asked = await run(open('a'), hello);
    await run(open('b'), hello);
    const { executionId, cursor } = requestIn(asked);
    await run(open('a'), { type: 'resume', executionId, cursor });
    await run(open('c'), hello);
    expect((await run(open('a'), continueWith(asked))).at(-1)).toMatchObject({ finishReason: 'stop' });
  });
});

describe('the memory of a process', () => {
  it('a process holds no state of an idle session besides its store', async () => {
    const store = createMemorySessionStore({ maxSessions: 1 });
    const agent: Agent = async function* () {
      yield* text('Hi');
    };
    const say = async (id: string) => {
      const input = { USER_MESSAGE: 'hello' };
      await run(createAgentSession({ id, agent, store }), { ...hello, input });
      return new WeakRef(input);
    };
    const said = await say('a');
    await say('b');
    await settle();
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    expect(said.deref()).toBeUndefined();
  });
});

describe('the event log', () => {
  it('a memory log is dropped with the least recently used session', () => {
    const { openLog } = createMemorySessionStore({ maxSessions: 2 });
    const event = { type: 'notice', code: 'n', text: '' } as const;
    for (const id of ['a', 'b', 'a', 'c']) openLog?.(id, 'x', 0).append({ seq: 1, event });
    expect(['a', 'b'].map((id) => openLog?.(id, 'x', 1).read(0))).toEqual([
      expect.arrayContaining([{ seq: 1, event }]),
      null,
    ]);
  });

  it('a log has each event before its reader, and the reader gets the event once although a resume read it from the log', async () => {
    const inner = createMemorySessionStore();
    const logged: LoggedEvent[] = [];
    let gate = createDeferred();
    const store: SessionStore = {
      ...inner,
      openLog: () => ({
        append(entry) {
          logged.push(entry);
          return gate.promise;
        },
        read: (seq) => logged.filter((entry) => entry.seq > seq),
      }),
    };
    gate.resolve();
    const session = createAgentSession({ id: 's', agent: createListAgent([...text('Hi'), stop]), store });
    const reader = session.execute(hello);
    const { value: start } = await reader.next();
    gate = createDeferred();
    let isRead = false;
    void reader.next().then(() => {
      isRead = true;
    });
    await settle();
    expect([logged.length, isRead]).toEqual([2, false]);
    const { executionId } = start as { executionId: string };
    const resumed = run(session, { type: 'resume', executionId, cursor: 1 });
    await settle();
    gate.resolve();
    expect((await resumed).map(({ cursor }) => cursor)).toEqual(['2', '3', '4', '5']);
  });

  it('a memory log holds at least its limit and at most twice its limit', () => {
    const log = createMemoryEventLog(3);
    const event = { type: 'notice', code: 'n', text: '' } as const;
    for (let seq = 1; seq <= 6; seq += 1) log.append({ seq, event });
    expect(log.read(2)).toBeNull();
    expect(log.read(3)).toEqual([4, 5, 6].map((seq) => ({ seq, event })));
    expect(log.read(6)).toEqual([]);
  });

  it('a log that is younger than its execution reports missing events', () => {
    const log = createMemoryEventLog(3, 10);
    expect([log.read(9), log.read(10)]).toEqual([null, []]);
  });
});
