import type { AgentEvent } from '../../core/protocol/events.ts';

/** An event with its place in the execution. */
export interface LoggedEvent {
  /** From 1, growing; gaps are possible. */
  readonly seq: number;
  readonly event: AgentEvent;
}

/** The events of one execution, for clients that lost the connection. Bounded: the oldest events may be dropped. */
export interface EventLog {
  append(entry: LoggedEvent): void | Promise<void>;
  /** All entries after `seq`, or `null` when some of them were dropped. */
  read(seq: number): readonly LoggedEvent[] | null | Promise<readonly LoggedEvent[] | null>;
}

/**
 * Opens the log of an execution, and creates it if necessary. `lastSeq` is the last sequence number in the execution's record. The
 * session saves that record before it opens the log.
 */
export type OpenLog = (sessionId: string, executionId: string, lastSeq: number) => EventLog;
