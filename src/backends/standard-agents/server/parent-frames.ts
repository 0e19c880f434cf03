/** Turns the frames of a subagent into those that the followers of its parent see. */
import { isRecord } from '../../../shared/json.ts';
import { isClientCallEvent, type ThreadFrame } from './thread-frames.ts';
import { readToolCalls, type ThreadMessage } from './thread-message.ts';
import type { SubagentRegistryEntry } from './thread-record.ts';

/** Names a call of a subagent in the thread of its parent: both threads may have calls of one id. */
export function toParentCallId(reference: string, callId: string): string {
  return `${reference}:${callId}`;
}

/** Returns a frame of the subagent's thread as the parent's clients get it, or undefined for one that is not for them. */
export function toParentFrame(frame: ThreadFrame, entry: SubagentRegistryEntry): ThreadFrame | undefined {
  if (frame.type === 'message_data') {
    const isShown = frame.message.role === 'assistant' || frame.message.role === 'tool';
    if (!isShown || frame.message.status === 'pending') return undefined;
    return { ...frame, message: toParentRow(frame.message, entry) };
  }
  if (frame.type !== 'custom') return undefined;
  const { eventType, data } = frame;
  if (!isClientCallEvent(eventType) || !isRecord(data)) return frame;
  return { ...frame, data: { ...data, id: toParentCallId(entry.reference, String(data.id)) } };
}

function toParentRow(row: ThreadMessage, entry: SubagentRegistryEntry): ThreadMessage {
  const { depth, parent_id, tool_calls, tool_call_id, role, name } = row;
  const rename = (callId: string) => toParentCallId(entry.reference, callId);
  return {
    ...row,
    depth: depth + 1,
    // The rows of its own subagents stay below the call that made them.
    parent_id: depth === 0 ? entry.callId : parent_id && rename(parent_id),
    name: role === 'assistant' && depth === 0 ? entry.displayName : name,
    ...(tool_calls && {
      tool_calls: JSON.stringify(readToolCalls(row).map((call) => ({ ...call, id: rename(call.id) }))),
    }),
    ...(tool_call_id !== undefined && { tool_call_id: rename(tool_call_id) }),
  };
}
