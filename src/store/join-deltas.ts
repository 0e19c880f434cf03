/**
 * Deltas of one stream that nobody looked at in between: the message is the same when they are written as one, and a long
 * answer then costs a step of the state per frame, not per delta.
 */
import type { AgentEvent } from '../protocol/events.ts';

export type DeltaEvent = Extract<AgentEvent, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>;

export function isDelta(event: AgentEvent): event is DeltaEvent {
  return 'delta' in event || 'inputTextDelta' in event;
}

/** Writes a delta to the end of the one it continues, which is then at its position. False when it is of another stream. */
export function joinDelta(first: DeltaEvent, second: AgentEvent): boolean {
  if ('inputTextDelta' in first) {
    if (!('inputTextDelta' in second) || second.toolCallId !== first.toolCallId) return false;
    first.inputTextDelta += second.inputTextDelta;
  } else {
    if (!('delta' in second) || second.type !== first.type || second.id !== first.id) return false;
    first.delta += second.delta;
  }
  if (second.cursor !== undefined) first.cursor = second.cursor;
  return true;
}
