/** The rules for `load` and `save`. */
import type { SessionStore } from '../../server/store/session-store.ts';
import { createId } from '../../shared/ids.ts';
import { createEveryJsonValue, createSampleRecord } from './sample-record.ts';
import { assertEqual, type OpenSessionStore, type StoreCheck } from './store-check.ts';

export const recordChecks: readonly StoreCheck[] = [
  { name: 'load resolves to null for a session that was never saved', check: loadUnknown },
  { name: 'load returns the record that was saved last', check: loadSaved },
  { name: 'a save with a revision that is taken resolves to false and changes nothing', check: saveTaken },
  { name: 'of saves of one revision at the same time, one wins', check: saveTogether },
  { name: 'sessions with similar ids are separate', check: saveSimilarIds },
  { name: 'a record keeps every JSON value', check: saveEveryValue },
  { name: 'a record of a megabyte is stored whole', check: saveMegabyte },
  { name: 'a change of a saved or loaded object does not change the stored record', check: changeObjects },
];

async function loadUnknown(openStore: OpenSessionStore): Promise<void> {
  const store = await openStore();
  assertEqual(await store.load(createId()), null, 'load() of an unknown session must resolve to null');
}

async function loadSaved(openStore: OpenSessionStore): Promise<void> {
  const store = await openStore();
  const sessionId = createId();
  const records = [
    createSampleRecord(1, 'first'),
    createSampleRecord(2, 'second', { state: 'running', open: [] }),
    { version: 2 as const, revision: 3, messages: [], execution: null, calls: {} },
  ];
  for (const record of records) {
    assertEqual(await store.save(sessionId, record), true, 'save() of a later revision must resolve to true');
    assertEqual(await store.load(sessionId), record, 'load() must return the record that was saved');
  }
}

async function saveTaken(openStore: OpenSessionStore): Promise<void> {
  const store = await openStore();
  const sessionId = createId();
  const latest = createSampleRecord(2, 'second');
  await store.save(sessionId, createSampleRecord(1, 'first'));
  await store.save(sessionId, latest);
  for (const revision of [1, 2]) {
    const saved = await store.save(sessionId, createSampleRecord(revision, 'late'));
    assertEqual(saved, false, `save() of revision ${revision} must resolve to false when 2 is stored`);
    assertEqual(await store.load(sessionId), latest, 'A save that resolves to false must change nothing');
  }
}

async function saveTogether(openStore: OpenSessionStore): Promise<void> {
  const store = await openStore();
  await assertOneWins([store]);
}

/** Lets several processes save the first revision of a session at the same time, and then the second one. */
export async function assertOneWins(stores: readonly SessionStore[]): Promise<void> {
  const sessionId = createId();
  for (const revision of [1, 2]) {
    const records = Array.from({ length: 10 }, (_, index) =>
      createSampleRecord(revision, `revision ${revision} of ${index}`),
    );
    const saves = records.map((record, index) => stores[index % stores.length]?.save(sessionId, record));
    const outcomes = await Promise.all(saves);
    const winners = records.filter((_, index) => outcomes[index] === true);
    assertEqual(winners.length, 1, `One of ten saves of revision ${revision} must resolve to true`);
    const stored = await stores[0]?.load(sessionId);
    assertEqual(stored, winners[0], 'The record must be that of the save that resolved to true');
  }
}

async function saveSimilarIds(openStore: OpenSessionStore): Promise<void> {
  const store = await openStore();
  const base = `Session-${createId()}`;
  const endings = [
    '',
    ' ',
    '/',
    '/..',
    '\\',
    '%',
    "'",
    '\u0000',
    'é',
    'e\u0301',
    '\ud83d',
    '\ude00',
    '\ufffd',
  ];
  const ids = [base.toLowerCase(), ...endings.map((ending) => base + ending)];
  for (const id of ids) {
    const saved = await store.save(id, createSampleRecord(1, id));
    assertEqual(saved, true, `save() must take the session ${JSON.stringify(id)} for a new one`);
  }
  for (const id of ids) {
    const claim = `load() must return the record of the session ${JSON.stringify(id)}`;
    assertEqual(await store.load(id), createSampleRecord(1, id), claim);
  }
}

async function saveEveryValue(openStore: OpenSessionStore): Promise<void> {
  await assertIsStored(await openStore(), createEveryJsonValue());
}

async function saveMegabyte(openStore: OpenSessionStore): Promise<void> {
  await assertIsStored(await openStore(), { text: '0123456789 äöü '.repeat(70_000) });
}

async function assertIsStored(store: SessionStore, result: Readonly<Record<string, unknown>>): Promise<void> {
  const sessionId = createId();
  for (const [key, value] of Object.entries(result)) {
    const record = createSampleRecord(1, 'Hi', { result: value });
    const id = `${sessionId}-${key}`;
    await store.save(id, record);
    const claim = `load() must return the result in ${JSON.stringify(key)} as it was saved`;
    assertEqual((await store.load(id))?.calls['add-1']?.end?.result, value, claim);
  }
  const whole = createSampleRecord(1, 'Hi', { trigger: { name: 'all', input: result } });
  await store.save(sessionId, whole);
  assertEqual(
    await store.load(sessionId),
    whole,
    'load() must return every key of the input as it was saved',
  );
}

async function changeObjects(openStore: OpenSessionStore): Promise<void> {
  const store = await openStore();
  const sessionId = createId();
  const saved = createSampleRecord(1, 'as saved');
  await store.save(sessionId, saved);
  // A store may also freeze what it returns. Reflect.set does nothing then.
  Reflect.set(saved.messages, 0, 'changed after save()');
  const expected = createSampleRecord(1, 'as saved');
  const loaded = await store.load(sessionId);
  assertEqual(loaded, expected, 'A change of the saved object must not reach the store');
  Reflect.set(loaded?.messages ?? [], 0, 'changed after load()');
  assertEqual(await store.load(sessionId), expected, 'A change of a loaded object must not reach the store');
}
