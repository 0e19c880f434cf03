/** Writes tool calls into the message: their arguments arrive, they run, and they end. */

import { compact, deepFreeze } from '../../shared/json.ts';
import type { PendingToolCall, ToolInputStartEvent, ToolOutputAvailableEvent } from '../protocol/events.ts';
import { toArgs } from './arriving-json.ts';
import type { ToolCallPart, UIMessage, UIMessagePart } from './message.ts';
import { appendPart, hasStream, type StreamingMessage, updatePart } from './streaming-message.ts';

export function toolKey(toolCallId: string): string {
  return `tool:${toolCallId}`;
}

/** Changes the part of a tool call; its arguments have arrived, so their text is dropped. */
export function updateTool(
  streamingMessage: StreamingMessage,
  toolCallId: string,
  update: (part: ToolCallPart) => ToolCallPart,
): StreamingMessage {
  return updatePart(streamingMessage, toolKey(toolCallId), (slot) => {
    const before = slot.part as ToolCallPart;
    const part = update(before);
    return part === before ? slot : { part };
  });
}

/** Changes the part of a tool call in a message that is written no more. Returns the same message if nothing changes. */
export function updateWrittenTool(
  message: UIMessage,
  toolCallId: string,
  update: (part: ToolCallPart) => ToolCallPart,
): UIMessage {
  const parts = message.parts.map((part) => (isCall(part, toolCallId) ? update(part) : part));
  const isSame = parts.every((part, index) => part === message.parts[index]);
  return isSame ? message : deepFreeze({ ...message, parts });
}

export function isCall(part: UIMessagePart, toolCallId: string): part is ToolCallPart {
  return part.type === 'tool-call' && part.toolCallId === toolCallId;
}

/** Changes the part of a tool call, unless the call has its outcome. */
function updateOpenTool(
  streamingMessage: StreamingMessage,
  toolCallId: string,
  update: (part: ToolCallPart) => ToolCallPart,
): StreamingMessage {
  return updateTool(streamingMessage, toolCallId, (part) =>
    part.status === 'pending' || part.status === 'running' ? update(part) : part,
  );
}

type NamedCall = Pick<ToolInputStartEvent, 'toolCallId' | 'toolName' | 'title' | 'display'>;

export function startTool(
  streamingMessage: StreamingMessage,
  { toolCallId, toolName, title, display }: NamedCall,
): StreamingMessage {
  if (hasStream(streamingMessage, toolKey(toolCallId))) return streamingMessage;
  const part: ToolCallPart = compact({
    type: 'tool-call',
    toolCallId,
    toolName,
    displayName: title,
    display,
    args: toArgs(undefined),
    status: 'pending',
  });
  return appendPart(streamingMessage, { part }, toolKey(toolCallId));
}

/** Its arguments are complete. */
export function runTool(
  streamingMessage: StreamingMessage,
  call: NamedCall,
  args: unknown,
  by?: Partial<ToolCallPart>,
): StreamingMessage {
  return updateOpenTool(startTool(streamingMessage, call), call.toolCallId, (part) => ({
    ...part,
    args: toArgs(deepFreeze(args)),
    status: 'running',
    ...by,
  }));
}

/** What the server says of a call that is asked about, besides its arguments. */
export function toAskedFields({ executedBy, waitsFor, originalArgs, question }: PendingToolCall) {
  const { title: displayName, inputSchema } = question ?? {};
  return compact({
    executedBy: executedBy ?? ('client' as const),
    ...{ waitsFor, originalArgs, displayName, inputSchema },
  });
}

type ToolEnd = Pick<ToolCallPart, 'status' | 'result' | 'error' | 'outcome' | 'reason'>;

export function endTool(
  streamingMessage: StreamingMessage,
  toolCallId: string,
  end: ToolEnd,
): StreamingMessage {
  // A result so far is none any more.
  return updateOpenTool(streamingMessage, toolCallId, ({ result: _, ...part }) => ({
    ...part,
    ...end,
    executedBy: part.executedBy ?? 'server',
  }));
}

export function toEnd({ output, preliminary, outcome, reason }: ToolOutputAvailableEvent): ToolEnd {
  const status = preliminary ? 'running' : 'done';
  return { ...(!outcome && { result: deepFreeze(output) }), status, ...compact({ outcome, reason }) };
}
