/** The logs of executions in the memory of the process. */
import type { EventLog, LoggedEvent, OpenLog } from './event-log.ts';

/** Sessions held in memory, if the app does not say. */
export const DEFAULT_MAX_SESSIONS = 1_000;

/** Limits of the logs and sessions in memory. */
export interface MemoryLogLimits {
  /** Most sessions held; the least recently used one is dropped first, those with an open question last. Default 1,000. */
  readonly maxSessions?: number;
  /** Events held of a session's current execution. Default 10,000. */
  readonly maxEvents?: number;
}

/** Opens logs in memory: one per session, for its current execution. */
export function createMemoryLogs(limits: MemoryLogLimits = {}): OpenLog {
  const { maxSessions = DEFAULT_MAX_SESSIONS, maxEvents = 10_000 } = limits;
  const logs = new Map<string, { executionId: string; log: EventLog }>();
  return (sessionId, executionId, lastSeq) => {
    const known = logs.get(sessionId);
    const entry =
      known?.executionId === executionId
        ? known
        : { executionId, log: createMemoryEventLog(maxEvents, lastSeq) };
    logs.delete(sessionId);
    logs.set(sessionId, entry);
    for (const oldest of logs.keys()) {
      if (logs.size <= maxSessions) break;
      logs.delete(oldest);
    }
    return entry.log;
  };
}

/**
 * A log that holds at least the last `maxEvents` events. The cost of appending does not depend on the number of events.
 * After a restart of the process an execution is older than its log: `droppedThrough` is the last event the log never had.
 */
export function createMemoryEventLog(maxEvents: number, droppedThrough = 0): EventLog {
  let entries: LoggedEvent[] = [];
  let lastDropped = droppedThrough;
  return {
    append(entry) {
      entries.push(entry);
      // Dropping in blocks of `maxEvents` instead of one by one keeps the cost per event constant.
      if (entries.length < maxEvents * 2) return;
      const dropped = entries.length - maxEvents;
      lastDropped = entries[dropped - 1]?.seq ?? lastDropped;
      entries = entries.slice(dropped);
    },
    read(seq) {
      return seq < lastDropped ? null : entries.slice(firstAfter(entries, seq));
    },
  };
}

/** Index of the first entry after `seq`, by bisection. */
function firstAfter(entries: readonly LoggedEvent[], seq: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
