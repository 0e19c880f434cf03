/** The rules for `openLog`. A store without it passes, because the session logs in memory then. */
import type { AgentEvent } from '../../core/protocol/events.ts';
import type { EventLog, LoggedEvent } from '../../server/store/event-log.ts';
import type { SessionStore } from '../../server/store/session-store.ts';
import { createId } from '../../shared/ids.ts';
import { createEveryJsonValue, createSampleRecord } from './sample-record.ts';
import { assertEqual, type OpenSessionStore, type StoreCheck } from './store-check.ts';

export const logChecks: readonly StoreCheck[] = [
  {
    name: 'a log returns the events after a cursor in order',
    check: (openStore) => withLog(openStore, readAfterCursors),
  },
  {
    name: 'a log that is opened again has its events and takes further ones',
    check: (openStore) => withLog(openStore, openAgain),
  },
  {
    name: 'a log returns null instead of an incomplete list',
    check: (openStore) => withLog(openStore, readWhenFull),
  },
  {
    name: 'a log returns null for events that it never had',
    check: (openStore) => withLog(openStore, readUnknownEvents),
  },
  {
    name: 'logs of different sessions and executions are separate',
    check: (openStore) => withLog(openStore, readOtherLogs),
  },
  { name: 'a log keeps every JSON value', check: (openStore) => withLog(openStore, readEveryValue) },
];

type StoreWithLog = SessionStore & Required<Pick<SessionStore, 'openLog'>>;

async function withLog(
  openStore: OpenSessionStore,
  check: (store: StoreWithLog) => Promise<void>,
): Promise<void> {
  const store = await openStore();
  if (hasLog(store)) await check(store);
}

export function hasLog(store: SessionStore): store is StoreWithLog {
  return store.openLog !== undefined;
}

/** Opens the log of an execution as a session does: the record of the execution is saved before. */
export async function openSampleLog(
  store: StoreWithLog,
  sessionId: string,
  executionId: string,
  revision = 1,
): Promise<EventLog> {
  await store.save(sessionId, createSampleRecord(revision, 'Hi', { id: executionId }));
  return store.openLog(sessionId, executionId, 0);
}

export function createEntry(seq: number, text = `event ${seq}`): LoggedEvent {
  return { seq, event: { type: 'text-delta', id: 't', delta: text } };
}

export async function appendAll(log: EventLog, entries: readonly LoggedEvent[]): Promise<void> {
  for (const entry of entries) await log.append(entry);
}

async function readAfterCursors(store: StoreWithLog): Promise<void> {
  const log = await openSampleLog(store, createId(), 'execution-1');
  assertEqual(await log.read(0), [], 'read(0) of a new log must return no events');
  // 10 after 9 shows a log that compares numbers as text. The numbers have gaps after a crash.
  const entries = [1, 2, 9, 10, 1_000_011].map((seq) => createEntry(seq));
  await appendAll(log, entries);
  for (const cursor of [0, 1, 2, 5, 9, 10, 500, 1_000_011]) {
    const later = entries.filter(({ seq }) => seq > cursor);
    assertEqual(await log.read(cursor), later, `read(${cursor}) must return the events after it in order`);
  }
}

async function openAgain(store: StoreWithLog): Promise<void> {
  const sessionId = createId();
  await appendAll(await openSampleLog(store, sessionId, 'execution-1'), [createEntry(1), createEntry(2)]);
  await assertGoesOn(store, sessionId);
}

/** Opens a log that has the events 1 and 2, reads it and appends a third event. */
export async function assertGoesOn(store: StoreWithLog, sessionId: string): Promise<void> {
  const log = store.openLog(sessionId, 'execution-1', 2);
  const earlier = [createEntry(1), createEntry(2)];
  assertEqual(await log.read(0), earlier, 'A log that is opened again must return its events');
  await log.append(createEntry(3));
  assertEqual(await log.read(1), [createEntry(2), createEntry(3)], 'It must take further events');
}

async function readWhenFull(store: StoreWithLog): Promise<void> {
  const log = await openSampleLog(store, createId(), 'execution-1');
  const entries = Array.from({ length: 50 }, (_, index) => createEntry(index + 1));
  await appendAll(log, entries);
  for (let cursor = 0; cursor <= 50; cursor += 1) {
    const found = await log.read(cursor);
    // The last event, at least, must be there.
    if (found === null && cursor < 49) continue;
    assertEqual(found, entries.slice(cursor), `read(${cursor}) of 50 events must return all of them or null`);
  }
}

async function readUnknownEvents(store: StoreWithLog): Promise<void> {
  const sessionId = createId();
  await store.save(sessionId, createSampleRecord(1, 'Hi', { id: 'execution-1', lastSeq: 5 }));
  const log = store.openLog(sessionId, 'execution-1', 5);
  assertEqual(await log.read(4), null, 'read(4) must return null when the log never had event 5');
  assertEqual(await log.read(5), [], 'read(5) must return no events when 5 is the last one');
  await log.append(createEntry(6));
  assertEqual(await log.read(4), null, 'read(4) must return null when the log begins with event 6');
  assertEqual(await log.read(5), [createEntry(6)], 'read(5) must return event 6');
}

async function readOtherLogs(store: StoreWithLog): Promise<void> {
  const [sessionId, other] = [createId(), createId()];
  const [first, foreign] = [createEntry(1, 'first execution'), createEntry(1, 'other session')];
  await appendAll(await openSampleLog(store, sessionId, 'execution-1'), [first]);
  await appendAll(await openSampleLog(store, other, 'execution-1'), [foreign]);

  const log = await openSampleLog(store, sessionId, 'execution-2', 2);
  assertEqual(await log.read(0), [], 'The log of a new execution must begin without events');
  await log.append(createEntry(1, 'second execution'));
  const second = [createEntry(1, 'second execution')];
  assertEqual(await log.read(0), second, 'A log must return the events of its own execution alone');

  const foreignEvents = await store.openLog(other, 'execution-1', 1).read(0);
  assertEqual(foreignEvents, [foreign], 'A log must return the events of its own session alone');
  const earlier = await store.openLog(sessionId, 'execution-1', 1).read(0);
  // The log of an earlier execution may be deleted.
  if (earlier !== null) assertEqual(earlier, [first], 'The log of an earlier execution must not change');
}

async function readEveryValue(store: StoreWithLog): Promise<void> {
  const log = await openSampleLog(store, createId(), 'execution-1');
  const event: AgentEvent = {
    type: 'tool-output-available',
    toolCallId: 'c',
    output: createEveryJsonValue(),
  };
  await log.append({ seq: 1, event });
  assertEqual(await log.read(0), [{ seq: 1, event }], 'read() must return the event as it was appended');
}
