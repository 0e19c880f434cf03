import type { AgentEvent, ToolResult } from '../../protocol/events.ts';
import { endsRun } from '../../protocol/native-endings.ts';
import type { EventLog, LoggedEvent } from './event-log.ts';
import type { ExecutionRecord } from './session-store.ts';

/**
 * What a leg says last. The record has it before anybody is told, so that it can be told whatever becomes of the process
 * and its log. Empty while the leg runs.
 */
export function lastEvents({ id, state, open, ran, ending }: ExecutionRecord): AgentEvent[] {
  if (ending === null) return [];
  const events: AgentEvent[] = [ending];
  if (state === 'waiting') {
    const withResults = ran.length > 0 ? { serverToolResults: ran } : {};
    const request = {
      type: 'client-tool-request',
      executionId: id,
      toolCalls: open,
      ...withResults,
    } as const;
    events.unshift(...ran.map(toOutputEvent), request);
  }
  return events;
}

/** The same with their places: the last one has `lastSeq`. */
export function lastEntries(execution: ExecutionRecord): LoggedEvent[] {
  const events = lastEvents(execution);
  const before = execution.lastSeq - events.length;
  return events.map((event, index) => ({ seq: before + 1 + index, event }));
}

/**
 * The events after `seq`, or `null` when some are not in this log: it is younger than they, or another process told them.
 * Left out is what a client that reads on has no use for: where earlier legs ended, and what was said by tries of the last
 * one that came to nothing.
 *
 * Where the process died, or the log failed, before it had the last events of the leg, it is given them now.
 */
export async function readLog(
  log: EventLog,
  execution: ExecutionRecord,
  seq: number,
): Promise<readonly LoggedEvent[] | null> {
  const { answeredAt, legStart, lastSeq } = execution;
  const last = lastEntries(execution);
  if (last.length > 0) {
    const before = lastSeq - last.length;
    const tail = await log.read(Math.max(before, legStart) - 1);
    const logged = tail?.at(-1)?.seq ?? legStart - 1;
    if (tail === null || logged < before) return null;
    for (const entry of last) if (entry.seq > logged) await log.append(entry);
  }
  const entries = await log.read(seq < answeredAt ? seq : Math.max(seq, legStart - 1));
  return (
    entries?.filter((entry) => entry.seq >= legStart || (entry.seq <= answeredAt && !endsRun(entry.event))) ??
    null
  );
}

export function toOutputEvent({ toolCallId, result, error }: ToolResult): AgentEvent {
  return error
    ? { type: 'tool-output-error', toolCallId, error }
    : { type: 'tool-output-available', toolCallId, output: result ?? null };
}
