import type { AgentEvent, PendingToolCall, ToolResult } from '../../core/protocol/events.ts';
import { endsRun } from '../../core/protocol/native-endings.ts';
import type { EventLog, LoggedEvent } from '../store/event-log.ts';
import type { ExecutionRecord } from '../store/session-store.ts';

/**
 * The events that end a request. The record has them before they are sent, so that they can be sent even if the process
 * dies or the log fails. Empty while the request runs.
 */
export function lastEvents(execution: ExecutionRecord): AgentEvent[] {
  const { id, state, ran, ending } = execution;
  if (ending === null) return [];
  const events: AgentEvent[] = [ending];
  if (state === 'waiting') {
    const withResults = ran.length > 0 ? { serverToolResults: ran } : {};
    const request = {
      type: 'client-tool-request',
      executionId: id,
      toolCalls: waitingCalls(execution),
      ...withResults,
    } as const;
    events.unshift(...ran.map(toOutputEvent), request);
  }
  return events;
}

/** The calls of a request that have no answer. */
export function waitingCalls({ state, open, given = [] }: ExecutionRecord): readonly PendingToolCall[] {
  if (state !== 'waiting') return [];
  return open.filter(({ toolCallId }) => !given.some((answer) => answer.toolCallId === toolCallId));
}

/** The events that end a request, with their sequence numbers: the last one has `lastSeq`. */
export function lastEntries(execution: ExecutionRecord): LoggedEvent[] {
  const events = lastEvents(execution);
  const before = execution.lastSeq - events.length;
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
  execution: ExecutionRecord,
  seq: number,
): Promise<readonly LoggedEvent[] | null> {
  const { answeredAt, requestStart, lastSeq } = execution;
  const last = lastEntries(execution);
  if (last.length > 0) {
    const before = lastSeq - last.length;
    const tail = await log.read(Math.max(before, requestStart) - 1);
    const logged = tail?.at(-1)?.seq ?? requestStart - 1;
    if (tail === null || logged < before) return null;
    for (const entry of last) if (entry.seq > logged) await log.append(entry);
  }
  const entries = await log.read(seq < answeredAt ? seq : Math.max(seq, requestStart - 1));
  return (
    entries?.filter(
      (entry) => entry.seq >= requestStart || (entry.seq <= answeredAt && !endsRun(entry.event)),
    ) ?? null
  );
}

export function toOutputEvent({ toolCallId, result, error }: ToolResult): AgentEvent {
  return error
    ? { type: 'tool-output-error', toolCallId, error }
    : { type: 'tool-output-available', toolCallId, output: result ?? null };
}
