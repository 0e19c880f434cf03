import { describe, expect, test } from 'vitest';
import type { ChoiceStore } from '../../src/server/store/choice-store.ts';
import { createMemorySessionStore } from '../../src/server/store/create-memory-session-store.ts';
import type { LoggedEvent } from '../../src/server/store/event-log.ts';
import { listOpenCalls } from '../../src/server/store/list-open-calls.ts';
import { createMemoryChoices } from '../../src/server/store/memory-choices.ts';
import type { OpenCallList, SessionRecord, SessionStore } from '../../src/server/store/session-store.ts';
import { compareWaiting, toWaitingSession } from '../../src/server/store/waiting-session.ts';
import { sessionStoreChecks } from '../../src/testing/session-store/session-store-checks.ts';
import { runStoreChecks } from './run-store-checks.ts';

/** The rows of a database. Each store over them stands for another process. */
interface Rows {
  readonly records: Map<string, SessionRecord>;
  readonly logs: Map<string, LoggedEvent[]>;
  readonly choices: ChoiceStore;
}

type PlainStore = SessionStore & Required<Pick<SessionStore, 'openLog' | 'listOpenCalls' | 'choices'>>;

const createRows = (): Rows => ({
  records: new Map(),
  logs: new Map(),
  choices: createMemoryChoices(1_000),
});

/** The simplest store that passes. The broken stores below replace one of its methods. */
function createPlainStore({ records, logs, choices }: Rows): PlainStore {
  const store: PlainStore = {
    choices,
    load: async (id) => structuredClone(records.get(id)) ?? null,
    async save(id, record) {
      if ((records.get(id)?.revision ?? 0) >= record.revision) return false;
      records.set(id, structuredClone(record));
      return true;
    },
    openLog(id, executionId, lastSeq) {
      const key = JSON.stringify([id, executionId]);
      return {
        append: ({ seq, event }) => void logs.set(key, [...(logs.get(key) ?? []), { seq, event }]),
        read(after) {
          const entries = logs.get(key) ?? [];
          const lastDeleted = (entries[0]?.seq ?? lastSeq + 1) - 1;
          return after < lastDeleted ? null : entries.filter(({ seq }) => seq > after);
        },
      };
    },
    listOpenCalls: (options) =>
      listOpenCalls(
        store,
        (from, count) =>
          [...records]
            .flatMap(([id, record]) => toWaitingSession(id, record) ?? [])
            .filter((session) => compareWaiting(session, from) >= 0)
            .sort(compareWaiting)
            .slice(0, count),
        options,
      ),
  };
  return store;
}

describe('the memory store', () => {
  runStoreChecks(() => createMemorySessionStore());
});

describe('a memory store whose log holds ten events', () => {
  runStoreChecks(() => createMemorySessionStore({ maxEvents: 10 }));
});

describe('a store without a log', () => {
  const rows = createRows();
  runStoreChecks(
    () => {
      const { load, save } = createPlainStore(rows);
      return { load, save };
    },
    { durable: true },
  );
});

describe('a store of rows', () => {
  const rows = createRows();
  runStoreChecks(() => createPlainStore(rows), { durable: true });
});

type Break = (store: PlainStore, rows: Rows) => Partial<SessionStore>;

/** Returns a store that applies a function to what it stores. */
const storing =
  (change: (json: string) => string): Break =>
  ({ save, openLog }) => ({
    save: (id, record) => save(id, JSON.parse(change(JSON.stringify(record)))),
    openLog: (...args) => {
      const log = openLog(...args);
      return { ...log, append: (entry) => log.append(JSON.parse(change(JSON.stringify(entry)))) };
    },
  });

const readingLog =
  (change: (entries: readonly LoggedEvent[], after: number) => readonly LoggedEvent[] | null): Break =>
  ({ openLog }) => ({
    openLog(...args) {
      const log = openLog(...args);
      const read = async (after: number) => change((await log.read(after)) ?? [], after);
      return { ...log, read };
    },
  });

const keyedBy =
  (toKey: (id: string) => string): Break =>
  ({ load, save }) => ({
    load: (id) => load(toKey(id)),
    save: (id, record) => save(toKey(id), record),
  });

const overwrite: Break = (_, { records }) => ({
  save: async (id, record) => Boolean(records.set(id, structuredClone(record))),
});

/** Loads, then saves: another save can come in between. */
const saveInTwoSteps: Break = ({ load }, { records }) => ({
  async save(id, record) {
    if (((await load(id))?.revision ?? 0) >= record.revision) return false;
    records.set(id, structuredClone(record));
    return true;
  },
});

const choosing =
  (change: (choices: ChoiceStore) => Partial<ChoiceStore>): Break =>
  ({ choices }) => ({ choices: { ...choices, ...change(choices) } });

/** Every process has rows of its own. */
const forget: Break = () => createPlainStore(createRows());

const listing =
  (change: (list: OpenCallList) => OpenCallList): Break =>
  ({ listOpenCalls: list }) => ({ listOpenCalls: async (options) => change(await list(options)) });

const OPEN_CALLS = 'the open calls are those of waiting sessions that have no answer and have not expired';

const BROKEN: readonly (readonly [check: string, fault: string, breakStore: Break, complaint: string])[] = [
  [
    'load resolves to null for a session that was never saved',
    'resolves to an empty record',
    ({ load }) => ({
      load: async (id) =>
        (await load(id)) ?? { version: 2 as const, revision: 0, messages: [], execution: null, calls: {} },
    }),
    'load() of an unknown session must resolve to null',
  ],
  [
    'load returns the record that was saved last',
    'keeps the first record',
    ({ save }, { records }) => ({ save: async (id, record) => records.has(id) || save(id, record) }),
    'load() must return the record that was saved. Expected: {"version":2,"revision":2',
  ],
  [
    'load returns the record that was saved last',
    'drops the keys of messages',
    storing((json) => json.replace(/,"receivedKeys":\[.*?\]/, '')),
    'load() must return the record that was saved',
  ],
  [
    'load returns the record that was saved last',
    'does not say that it saved',
    ({ save }) => ({ save: (id, record) => save(id, record).then(() => undefined as unknown as boolean) }),
    'save() of a later revision must resolve to true. Expected: true. Received: undefined',
  ],
  [
    'a save with a revision that is taken resolves to false and changes nothing',
    'overwrites',
    overwrite,
    'save() of revision 1 must resolve to false when 2 is stored',
  ],
  [
    'a save with a revision that is taken resolves to false and changes nothing',
    'overwrites and reports a conflict',
    (store, rows) => ({
      save: async (id, record) => (await overwrite(store, rows).save?.(id, record)) === false,
    }),
    'A save that resolves to false must change nothing',
  ],
  [
    'of saves of one revision at the same time, one wins',
    'compares before it awaits',
    saveInTwoSteps,
    'One of ten saves of revision 1 must resolve to true. Expected: 1. Received: 10',
  ],
  [
    'sessions with similar ids are separate',
    'ignores case',
    keyedBy((id) => id.toLowerCase()),
    'save() must take the session "Session-',
  ],
  [
    'sessions with similar ids are separate',
    'replaces lone surrogates',
    keyedBy((id) => id.replaceAll(/[\ud800-\udfff]/g, '\ufffd')),
    '\\ude00" for a new one',
  ],
  [
    'a record keeps every JSON value',
    'replaces NUL',
    storing((json) => json.replaceAll(/(?<!\\)\\u0000/g, '?')),
    'load() must return the result in "text" as it was saved',
  ],
  [
    'a record keeps every JSON value',
    'replaces lone surrogates',
    storing((json) => json.replaceAll(/\\ud[89a-f]../g, '\ufffd')),
    'load() must return the result in "halvesOfEmoji" as it was saved',
  ],
  [
    'a record of a megabyte is stored whole',
    'cuts texts at 64 kB',
    storing((json) => json.replaceAll(/"[^"]{65535,}"/g, (text) => `${text.slice(0, 65_535)}"`)),
    'load() must return the result in "text" as it was saved. Expected: "0123456789',
  ],
  [
    'a change of a saved or loaded object does not change the stored record',
    'holds the saved object',
    ({ save }, { records }) => ({
      save: async (id, record) => (await save(id, record)) && Boolean(records.set(id, record)),
    }),
    'A change of the saved object must not reach the store',
  ],
  [
    'a change of a saved or loaded object does not change the stored record',
    'returns the stored object',
    (_, { records }) => ({ load: async (id) => records.get(id) ?? null }),
    'A change of a loaded object must not reach the store',
  ],
  [
    'a log returns the events after a cursor in order',
    'orders by the text of the number',
    readingLog((entries) => [...entries].sort((a, b) => (`${a.seq}` < `${b.seq}` ? -1 : 1))),
    'read(0) must return the events after it in order',
  ],
  [
    'a log returns the events after a cursor in order',
    'returns the event at the cursor too',
    ({ openLog }) => ({
      openLog(...args) {
        const log = openLog(...args);
        return { ...log, read: (after) => log.read(Math.max(0, after - 1)) };
      },
    }),
    'read(1) must return the events after it in order',
  ],
  [
    'a log that is opened again has its events and takes further ones',
    'opens an empty log each time',
    () => ({ openLog: (...args) => createPlainStore(createRows()).openLog(...args) }),
    'A log that is opened again must return its events',
  ],
  [
    'a log returns null instead of an incomplete list',
    'returns the last ten events, whatever the cursor',
    readingLog((entries) => entries.slice(-10)),
    'read(0) of 50 events must return all of them or null',
  ],
  [
    'a log returns null instead of an incomplete list',
    'returns null always',
    readingLog(() => null),
    'read(49) of 50 events must return all of them or null',
  ],
  [
    'a log returns null for events that it never had',
    'takes an empty log for a complete one',
    readingLog((entries) => entries),
    'read(4) must return null when the log never had event 5',
  ],
  [
    'logs of different sessions and executions are separate',
    'has one log for each session',
    ({ openLog }) => ({ openLog: (id, _, lastSeq) => openLog(id, '', lastSeq) }),
    'The log of a new execution must begin without events',
  ],
  [
    'logs of different sessions and executions are separate',
    'has one log for each execution id',
    ({ openLog }) => ({ openLog: (_, executionId, lastSeq) => openLog('', executionId, lastSeq) }),
    'A log must return the events of its own session alone',
  ],
  [
    'a log keeps every JSON value',
    'replaces NUL',
    storing((json) => json.replaceAll(/(?<!\\)\\u0000/g, '?')),
    'read() must return the event as it was appended',
  ],
  [
    OPEN_CALLS,
    'lists the calls that have an answer',
    ({ listOpenCalls: list }, { records }) => ({
      async listOpenCalls(options) {
        for (const { calls } of records.values())
          for (const call of Object.values(calls)) Reflect.deleteProperty(call, 'answer');
        return list(options);
      },
    }),
    'listOpenCalls() must list the calls without an answer that have not expired',
  ],
  [
    OPEN_CALLS,
    'lists the calls of a turn that was stopped',
    storing((json) => json.replace('"stopped"', '"waiting"')),
    "listOpenCalls() must list no call of an execution in the state 'stopped'",
  ],
  [
    'no byte of the store has a secret that redactStored removes',
    'saves nothing, so that nothing is asked',
    () => ({ save: async () => false }),
    'The session must ask its questions',
  ],
  [
    'the open calls come with the oldest first, page by page',
    'lists the latest call first',
    listing(({ calls, ...rest }) => ({ ...rest, calls: [...calls].reverse() })),
    'A long page must have the same calls',
  ],
  [
    'the open calls come with the oldest first, page by page',
    'has one page',
    listing(({ calls }) => ({ calls })),
    'Pages of one call must have every call once',
  ],
  [
    'a page begins after the last call of the page before although that call was answered meanwhile',
    'begins each page with the first call',
    ({ listOpenCalls: list }) => ({ listOpenCalls: ({ after: _, ...options } = {}) => list(options) }),
    'The `next` of a page must not be that of the page before',
  ],
  [
    'a list for a person has only the calls that the session lets this person answer',
    'lists all calls to everybody',
    ({ listOpenCalls: list }) => ({ listOpenCalls: ({ principal: _, ...options } = {}) => list(options) }),
    'The list must have the call b of one session',
  ],
  ['another process lists the open calls', 'is in memory', forget, 'Another process must list the call a'],
  [
    'a session asks, and takes the answer once',
    'stores nothing after the question',
    ({ save }, { records }) => ({
      save: async (id, record) => records.get(id)?.execution?.state === 'waiting' || save(id, record),
    }),
    'The same answer must be refused the second time',
  ],
  [
    'a person has the choices that were saved last, one for each tool',
    'has one choice for each person',
    choosing((choices) => ({
      async save(person, choice) {
        for (const { toolName } of await choices.list(person)) await choices.remove(person, toolName);
        await choices.save(person, choice);
      },
    })),
    'list() must return the choices of the person',
  ],
  [
    'a choice about some calls of a tool stands beside the one about all of them',
    'has one choice for each tool',
    choosing((choices) => ({
      async save(person, choice) {
        await choices.remove(person, choice.toolName);
        await choices.save(person, choice);
      },
    })),
    'save() must replace the choice with the same digest and scope alone',
  ],
  [
    'a choice that was removed is gone, and the others stay',
    'removes nothing',
    choosing(() => ({ remove: async () => {} })),
    'list() must return the choices of the person',
  ],
  [
    'the choices of people with similar ids are separate',
    'trims the ids',
    choosing((choices) => ({
      list: (person) => choices.list(person.trim()),
      save: (person, choice) => choices.save(person.trim(), choice),
    })),
    'list() must return the choices of the person',
  ],
  [
    'another process finds the choices',
    'is in memory',
    forget,
    'list() must return the choices of the person',
  ],
  [
    'another process finds the record and its revision',
    'is in memory',
    forget,
    'load() in another process must return the record',
  ],
  [
    'of saves of one revision by two processes at the same time, one wins',
    'compares before it awaits',
    saveInTwoSteps,
    'One of ten saves of revision 1 must resolve to true',
  ],
  [
    'another process finds the log and goes on with it',
    'has its log in memory',
    () => {
      const { openLog } = createPlainStore(createRows());
      return { openLog };
    },
    'A log that is opened again must return its events',
  ],
  [
    'a process that still reads an earlier execution leaves the current log alone',
    'deletes the other logs of a session when one is opened',
    ({ openLog }, { logs }) => ({
      openLog(id, executionId, lastSeq) {
        for (const key of logs.keys()) if (key.includes(id) && !key.includes(executionId)) logs.delete(key);
        return openLog(id, executionId, lastSeq);
      },
    }),
    'The log of the current execution must still have its events',
  ],
  [
    'a session asks, and takes the answer once, with a restart before each request',
    'is in memory',
    forget,
    'The session must ask its question. Received: [{"type":"error"',
  ],
];

describe('a broken store', () => {
  test.each(BROKEN)('"%s" fails for a store that %s', async (name, _, breakStore, complaint) => {
    const rows = createRows();
    const openStore = () => {
      const store = createPlainStore(rows);
      return { ...store, ...breakStore(store, rows) };
    };
    const check = sessionStoreChecks(openStore, { durable: true }).find((one) => one.name === name);
    await expect(check?.run()).rejects.toThrow(complaint);
  });

  test('each check has a store that fails it', () => {
    const names = sessionStoreChecks(() => createMemorySessionStore(), { durable: true }).map(
      ({ name }) => name,
    );
    expect([...new Set(BROKEN.map(([name]) => name))].sort()).toEqual([...names].sort());
  });
});
