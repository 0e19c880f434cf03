import { describe, expect, it } from 'vitest';
import { createAgentSession } from '../../src/server/agent-session.ts';
import { createMemoryEventLog } from '../../src/server/event-log.ts';
import {
  createMemorySessionStore,
  type SessionRecord,
  type SessionStore,
} from '../../src/server/session-store.ts';
import { calls, continueWith, createListAgent, hello, run, settle, stop, text } from './support.ts';

/** As a database would: JSON in, JSON out, compare and set. Its process can be restarted. */
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

const turn = () => createListAgent([...text('Hm'), ...calls('ask', 'add')], [...text('Done'), stop]);

describe('sessions with the same id and store', () => {
  it('are one conversation', async () => {
    const store = createMemorySessionStore();
    const agent = turn();
    const session = () => createAgentSession({ id: 's', agent, store, tools: { add: () => 1 } });
    const first = await run(session(), hello);
    expect((await run(session(), continueWith(first))).at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(await run(session(), continueWith(first))).toEqual([
      expect.objectContaining({ code: 'already_answered' }),
    ]);
  });

  it('see the run that another one started', async () => {
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

  it('are apart from those of another id', async () => {
    const store = createMemorySessionStore();
    const agent = turn();
    const first = await run(createAgentSession({ id: 'a', agent, store }), hello);
    expect(await run(createAgentSession({ id: 'b', agent, store }), continueWith(first))).toEqual([
      expect.objectContaining({ code: 'unknown_execution' }),
    ]);
  });
});

describe('after a restart of the process', () => {
  it('open calls can still be answered, once', async () => {
    const agent = turn();
    const { store, restart } = createJsonStore();
    const first = await run(createAgentSession({ id: 's', agent, store, tools: { add: () => 1 } }), hello);
    const session = createAgentSession({ id: 's', agent, store: restart(), tools: { add: () => 1 } });
    const { executionId } = first[0] as { executionId: string };
    expect(await run(session, { type: 'resume', executionId, cursor: first.at(-1)?.cursor })).toEqual([
      { type: 'finish', finishReason: 'client-tool-calls', executionId },
    ]);
    expect(await run(session, { type: 'resume', executionId, cursor: '1' })).toEqual([
      expect.objectContaining({ code: 'cursor_expired' }),
    ]);
    const second = await run(session, continueWith(first));
    expect(second[0]?.cursor).toBe(String(Number(first.at(-1)?.cursor) + 1));
    expect(agent.contexts[1]?.messages.filter((message) => message.role === 'tool')).toHaveLength(2);
    expect(await run(session, continueWith(first))).toEqual([
      expect.objectContaining({ code: 'already_answered' }),
    ]);
  });

  it('a run that was under way counts as interrupted, and its cursors are not used again', async () => {
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
      expect.objectContaining({ code: 'run_interrupted' }),
    ]);
    const again = await run(session, continueWith(first));
    expect(again.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(Number(again[0]?.cursor)).toBeGreaterThan(Number(last?.cursor));
    await lost.return();
  });

  it('a server tool that may have run is not run again', async () => {
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
});

describe('a store', () => {
  it('that two processes share lets one continue win', async () => {
    const agent = turn();
    const rows = createJsonStore();
    const first = await run(createAgentSession({ id: 's', agent, store: rows.store }), hello);
    // The same rows behind another store object: another process.
    const other: SessionStore = { load: rows.store.load, save: rows.store.save };
    const sessions = [rows.store, other].map((store) => createAgentSession({ id: 's', agent, store }));
    const outcomes = await Promise.all(sessions.map((session) => run(session, continueWith(first))));
    expect(outcomes.map((events) => events[0]?.type).sort()).toEqual(['error', 'start']);
    expect(agent.contexts).toHaveLength(2);
  });

  it('that throws is a retryable error and nothing else', async () => {
    const store: SessionStore = {
      load: () => Promise.reject(new Error('disk full')),
      save: async () => true,
    };
    const agent = turn();
    expect(await run(createAgentSession({ id: 's', agent, store }), hello)).toEqual([
      expect.objectContaining({
        code: 'store_failed',
        retryable: true,
        message: expect.stringContaining('disk full'),
      }),
    ]);
    expect(agent.contexts).toEqual([]);
  });

  it('that fails to keep an acceptance leaves the calls open', async () => {
    const inner = createMemorySessionStore();
    let broken = false;
    const store: SessionStore = {
      load: inner.load,
      save: (id, record) => (broken ? Promise.reject(new Error('offline')) : inner.save(id, record)),
    };
    const agent = turn();
    const session = createAgentSession({ id: 's', agent, store });
    const first = await run(session, hello);
    broken = true;
    expect(await run(session, continueWith(first))).toEqual([
      expect.objectContaining({ code: 'store_failed' }),
    ]);
    broken = false;
    expect((await run(session, continueWith(first))).at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(agent.contexts).toHaveLength(2);
  });

  it('in memory forgets the sessions unused for longest', async () => {
    const store = createMemorySessionStore({ maxSessions: 2 });
    const agent = createListAgent([stop]);
    for (const id of ['a', 'b', 'a', 'c']) await run(createAgentSession({ id, agent, store }), hello);
    expect([await store.load('a'), await store.load('b')].map((record) => record !== null)).toEqual([
      true,
      false,
    ]);
  });
});

describe('the event log', () => {
  it('keeps at least its limit and at most twice that', () => {
    const log = createMemoryEventLog(3);
    const event = { type: 'notice', code: 'n', text: '' } as const;
    for (let seq = 1; seq <= 6; seq += 1) log.append({ seq, event });
    expect(log.read(2)).toBeNull();
    expect(log.read(3)).toEqual([4, 5, 6].map((seq) => ({ seq, event })));
    expect(log.read(6)).toEqual([]);
  });

  it('that is younger than its execution does not pretend to be complete', () => {
    const log = createMemoryEventLog(3, 10);
    expect([log.read(9), log.read(10)]).toEqual([null, []]);
  });
});
