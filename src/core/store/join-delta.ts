/**
 * Joins deltas of one stream that arrive between two looks at the conversation. Written as one, they give the same message, and a
 * long answer costs one step of the state per frame instead of one per delta.
 */
import type { AgentEvent } from '../protocol/events.ts';

export type DeltaEvent = Extract<AgentEvent, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>;

export function isDelta(event: AgentEvent): event is DeltaEvent {
  return 'delta' in event || 'inputTextDelta' in event;
}

/** Appends `second` to `first`, with its cursor. Returns false if it belongs to another stream. */
export function joinDelta(first: DeltaEvent, second: AgentEvent): boolean {
  if (second.workerId !== first.workerId) return false;
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
