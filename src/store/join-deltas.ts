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
  if (first.type !== second.type) return false;
  if ('delta' in first && 'delta' in second) {
    if (first.id !== second.id) return false;
    first.delta += second.delta;
  } else if ('inputTextDelta' in first && 'inputTextDelta' in second) {
    if (first.toolCallId !== second.toolCallId) return false;
    first.inputTextDelta += second.inputTextDelta;
  }
  if (second.cursor !== undefined) first.cursor = second.cursor;
  return true;
}
