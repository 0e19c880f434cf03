/**
 * What people and tools gave, as long as their execution needs it: the store has it without its secrets. Only the process that got a value
 * has all of it. Another process, or this one after a crash, asks again.
 */
import type { CallRecord, StoredSteps } from './call-record.ts';
import type { SessionRecord, SessionStore } from './session-store.ts';

type WholeCalls = ReadonlyMap<string, CallRecord>;

/** The calls of the sessions of this process whose stored form lacks something. */
const kept = /* @__PURE__ */ new WeakMap<SessionStore, Map<string, WholeCalls>>();

/** The execution is over: no agent, tool or repeated request needs its values. */
const OVER = ['done', 'stopped'];

/** Keeps what the stored form of a record lacks. To be called after each save. `store` is the one that the app made. */
export function keepWholeValues(
  store: SessionStore,
  sessionId: string,
  record: SessionRecord,
  stored: SessionRecord,
): void {
  const isOver = record.execution === null || OVER.includes(record.execution.state);
  const calls = new Map(
    isOver ? [] : Object.entries(record.calls).filter(([key, call]) => stored.calls[key] !== call),
  );
  const sessions = kept.get(store) ?? new Map<string, WholeCalls>();
  kept.set(store, sessions);
  if (calls.size > 0) sessions.set(sessionId, calls);
  else sessions.delete(sessionId);
}

/** Returns the record with the values that this process has kept. */
export function withWholeValues(
  store: SessionStore,
  sessionId: string,
  record: SessionRecord,
): SessionRecord {
  const calls = kept.get(store)?.get(sessionId);
  if (calls === undefined) return record;
  const whole = [...calls].flatMap(([key, call]) => {
    const stored = record.calls[key];
    return stored === undefined ? [] : [[key, restore(stored, call)] as const];
  });
  return { ...record, calls: { ...record.calls, ...Object.fromEntries(whole) } };
}

function restore(stored: CallRecord, whole: CallRecord): CallRecord {
  const { answer, end, steps } = stored;
  return {
    ...stored,
    ...(answer?.redacted && whole.answer?.at === answer.at && { answer: whole.answer }),
    ...(end?.redacted && whole.end && { end: whole.end }),
    ...(steps && { steps: restoreSteps(steps, whole.steps ?? {}) }),
  };
}

function restoreSteps(stored: StoredSteps, whole: StoredSteps): StoredSteps {
  return Object.fromEntries(
    Object.entries(stored).map(([key, step]) => [
      key,
      step.type === 'done' && step.redacted ? (whole[key] ?? step) : step,
    ]),
  );
}
