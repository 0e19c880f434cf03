import type { AgentEvent } from '../../protocol/events.ts';

/** An event with its place in the execution. */
export interface LoggedEvent {
  /** From 1, growing; gaps are possible. */
  readonly seq: number;
  readonly event: AgentEvent;
}

/** The events of one execution, for clients that lost the connection. Bounded: the oldest may be dropped. */
export interface EventLog {
  append(entry: LoggedEvent): void | Promise<void>;
  /** All entries after `seq`, or `null` when some of them are no longer kept. */
  read(seq: number): readonly LoggedEvent[] | null | Promise<readonly LoggedEvent[] | null>;
}

/** How much is kept in memory. */
export interface MemoryLogLimits {
  /** Sessions kept; the one unused for longest goes first. Default 1,000. */
  readonly maxSessions?: number;
  /** Events kept of a session's current execution. Default 10,000. */
  readonly maxEvents?: number;
}

/** The log of an execution, made when it does not exist. `lastSeq`: what the execution is known to have reached. */
export type OpenLog = (sessionId: string, executionId: string, lastSeq: number) => EventLog;

/** Logs in memory: of each session the current execution's. */
export function createMemoryLogs(limits: MemoryLogLimits = {}): OpenLog {
  const { maxSessions = 1_000, maxEvents = 10_000 } = limits;
  const logs = new Map<string, { executionId: string; log: EventLog }>();
  return (sessionId, executionId, lastSeq) => {
    const kept = logs.get(sessionId);
    const entry =
      kept?.executionId === executionId
        ? kept
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
 * A log that keeps at least the last `maxEvents` events. Appending costs the same whatever it holds.
 * `droppedThrough`: an execution that is older than its log (the process restarted) has events the log never saw.
 */
export function createMemoryEventLog(maxEvents: number, droppedThrough = 0): EventLog {
  let entries: LoggedEvent[] = [];
  let complete = droppedThrough;
  return {
    append(entry) {
      entries.push(entry);
      // Dropping in blocks of `maxEvents` instead of one by one keeps the cost per event constant.
      if (entries.length < maxEvents * 2) return;
      const dropped = entries.length - maxEvents;
      complete = entries[dropped - 1]?.seq ?? complete;
      entries = entries.slice(dropped);
    },
    read(seq) {
      return seq < complete ? null : entries.slice(firstAfter(entries, seq));
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
