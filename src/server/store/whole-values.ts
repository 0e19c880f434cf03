/**
 * What people and tools gave, as long as their execution needs it: the store has it without its secrets. Only the process that got a value
 * has all of it. Another process, or this one after a crash, asks again.
 */
import type { CallRecord, StoredSteps } from './call-record.ts';
import type { SessionRecord } from './session-store.ts';

/** The calls of a session whose stored form lacks something, by their keys. `whole` of a `StoreHost` has those of this process. */
export type WholeCalls = Map<string, CallRecord>;

/** The execution is over: no agent, tool or repeated request needs its values. */
const OVER = ['done', 'stopped'];

/** Keeps what the stored form of a record lacks. To be called after each save. */
export function keepWholeValues(whole: WholeCalls, record: SessionRecord, stored: SessionRecord): void {
  const isOver = record.execution === null || OVER.includes(record.execution.state);
  whole.clear();
  if (isOver) return;
  for (const [key, call] of Object.entries(record.calls)) {
    if (stored.calls[key] !== call) whole.set(key, call);
  }
}

/** Returns the record with the values that this process has kept. */
export function withWholeValues(whole: WholeCalls, record: SessionRecord): SessionRecord {
  if (whole.size === 0) return record;
  const restored = [...whole].flatMap(([key, call]) => {
    const stored = record.calls[key];
    return stored === undefined ? [] : [[key, restore(stored, call)] as const];
  });
  return { ...record, calls: { ...record.calls, ...Object.fromEntries(restored) } };
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
