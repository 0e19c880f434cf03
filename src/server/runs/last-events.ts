import type { AgentEvent, ToolResult } from '../../core/protocol/events.ts';
import { endsRun } from '../../core/protocol/native-endings.ts';
import { getCalls } from '../store/call-keys.ts';
import { toPendingCall, toToolResult } from '../store/call-record.ts';
import type { EventLog, LoggedEvent } from '../store/event-log.ts';
import type { ExecutionRecord, SessionRecord } from '../store/session-store.ts';
import { waitingCalls } from '../store/waiting-session.ts';

/** A record that has an execution. */
export interface ExecutedRecord extends Pick<SessionRecord, 'calls'> {
  readonly execution: ExecutionRecord;
}

/**
 * The events that end a request. The record has them before they are sent, so that they can be sent even if the process
 * dies or the log fails. Empty while the request runs.
 */
export function lastEvents(record: ExecutedRecord): AgentEvent[] {
  const { calls, execution } = record;
  const { id, state, ran, ending } = execution;
  if (ending === null) return [];
  if (state !== 'waiting') return [ending];
  const results = getCalls(calls, ran).map(toToolResult);
  const request = {
    type: 'client-tool-request',
    executionId: id,
    toolCalls: waitingCalls(record).map((call) => toPendingCall(call, calls)),
    partial: true,
    ...(results.length > 0 && { serverToolResults: results }),
  } as const;
  return [...results.map(toOutputEvent), request, ending];
}

/** The events that end a request, with their sequence numbers: the last one has `lastSeq`. */
export function lastEntries(record: ExecutedRecord): LoggedEvent[] {
  const events = lastEvents(record);
  const before = record.execution.lastSeq - events.length;
  return events.map((event, index) => ({ seq: before + 1 + index, event }));
}

/**
 * The events after `seq`, or `null` when some are not in this log, because the log is younger than they are or another process
 * sent them. A client that resumes does not need the endings of earlier requests, nor the events of failed attempts at the
 * last request, so both are left out.
 *
 * If the process died, or the log failed, before the last events of the request were logged, they are appended now.
 */
export async function readLog(
  log: EventLog,
  record: ExecutedRecord,
  seq: number,
): Promise<readonly LoggedEvent[] | null> {
  const { answeredSeq, requestStart, lastSeq } = record.execution;
  const last = lastEntries(record);
  if (last.length > 0) {
    const before = lastSeq - last.length;
    const tail = await log.read(Math.max(before, requestStart) - 1);
    const logged = tail?.at(-1)?.seq ?? requestStart - 1;
    if (tail === null || logged < before) return null;
    for (const entry of last) if (entry.seq > logged) await log.append(entry);
  }
  const entries = await log.read(seq < answeredSeq ? seq : Math.max(seq, requestStart - 1));
  return (
    entries?.filter(
      (entry) => entry.seq >= requestStart || (entry.seq <= answeredSeq && !endsRun(entry.event)),
    ) ?? null
  );
}

/** The output of a call, as its clients get it. */
export function toOutputEvent({ toolCallId, result, error }: ToolResult): AgentEvent {
  return error
    ? { type: 'tool-output-error', toolCallId, error }
    : { type: 'tool-output-available', toolCallId, output: result ?? null };
}

/**
 * After a crash, clients may have seen events that the record does not count. The gap keeps the numbers of new events clear
 * of theirs, so that a client never takes a new event for one it has.
 */
const CRASH_GAP = 1_000_000;

/** The last event that a client may have seen. */
export function lastSeqAfterCrash({ state, lastSeq }: ExecutionRecord): number {
  return lastSeq + (state === 'running' ? CRASH_GAP : 0);
}
