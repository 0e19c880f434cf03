import type { AgentEvent, ToolResult } from '../protocol/events.ts';
import type { EventLog, LoggedEvent } from './event-log.ts';
import type { ExecutionRecord } from './session-store.ts';

/**
 * What a leg says last, up to `lastSeq`. The record has it before anybody is told, so that it can be told whatever
 * becomes of the process and its log. Empty while the leg runs.
 */
export function lastEvents(execution: ExecutionRecord): LoggedEvent[] {
  const { id, state, open, ran, ending, lastSeq } = execution;
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
  return events.map((event, index) => ({ seq: lastSeq - events.length + 1 + index, event }));
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
  const last = lastEvents(execution);
  if (last.length > 0) {
    const before = lastSeq - last.length;
    const tail = await log.read(Math.max(before, legStart) - 1);
    const logged = tail?.at(-1)?.seq ?? legStart - 1;
    if (tail === null || logged < before) return null;
    for (const entry of last) if (entry.seq > logged) await log.append(entry);
  }
  const entries = await log.read(seq < answeredAt ? seq : Math.max(seq, legStart - 1));
  return (
    entries?.filter(
      (entry) => entry.seq >= legStart || (entry.seq <= answeredAt && !isEnding(entry.event)),
    ) ?? null
  );
}

function isEnding({ type }: AgentEvent): boolean {
  return type === 'finish' || type === 'error';
}

export function toOutputEvent({ toolCallId, result, error }: ToolResult): AgentEvent {
  return error
    ? { type: 'tool-output-error', toolCallId, error }
    : { type: 'tool-output-available', toolCallId, output: result ?? null };
}
