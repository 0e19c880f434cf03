/** Writes the events of a run into the assistant message. */

import { compact, deepFreeze } from '../../shared/json.ts';
import type {
  AgentEvent,
  BlockStartEvent,
  ObjectAvailableEvent,
  PendingToolCall,
  ReasoningBoundaryEvent,
  TextDeltaEvent,
  TextEndEvent,
  TextStartEvent,
  ToolInputStartEvent,
  ToolOutputAvailableEvent,
} from '../protocol/events.ts';
import { toArgs } from './arriving-json.ts';
import { finalisePart } from './finalise.ts';
import type { ToolCallPart, UIMessage, UIMessagePart } from './message.ts';
import {
  appendPart,
  closeStream,
  createStreamingMessage,
  hasStream,
  hideStream,
  type StreamingMessage,
  type StreamingPart,
  updatePart,
} from './streaming-message.ts';

const OPERATION_BLOCKS: readonly string[] = ['set-resource', 'serialize-thread', 'generate-image'];

/** Events that write nothing into the message. */
type SilentEvent = Extract<
  AgentEvent,
  {
    type:
      | 'start'
      | 'finish'
      | 'error'
      | 'tool-input-end'
      | 'resource-update'
      | 'tool-request'
      | 'usage'
      | 'notice'
      | 'tool-result-acknowledged'
      | 'snapshot'
      | 'messages-replaced';
  }
>;

/** Writes an event into the streaming message. Unknown events, of another version or of an app's transport, leave it as it is. */
export function reduceStreamingMessage(
  streamingMessage: StreamingMessage,
  event: AgentEvent,
): StreamingMessage {
  const { workerId: id } = event;
  if (id === undefined) return writeEvent(streamingMessage, event);
  // A worker runs beside the blocks of the agent, and everything it says is shown.
  const blocks = [{ id, thread: id, showsText: true }];
  return { ...writeEvent({ ...streamingMessage, blocks }, event), blocks: streamingMessage.blocks };
}

function writeEvent(streamingMessage: StreamingMessage, event: AgentEvent): StreamingMessage {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return appendText(streamingMessage, event);
    case 'tool-input-delta':
      return writeText(
        streamingMessage,
        toolKey(event.toolCallId),
        (before) => before + event.inputTextDelta,
      );
    case 'text-start':
    case 'reasoning-start':
      return startText(streamingMessage, event);
    case 'text-end':
    case 'reasoning-end':
      return endText(streamingMessage, event);
    case 'tool-input-start':
      return startTool(streamingMessage, event);
    case 'tool-input-available':
      return runTool(
        streamingMessage,
        event,
        event.input,
        event.providerExecuted ? { executedBy: 'provider' } : undefined,
      );
    case 'tool-output-available':
      return endTool(streamingMessage, event.toolCallId, toEnd(event));
    case 'tool-output-error':
      return endTool(streamingMessage, event.toolCallId, { error: event.error, status: 'error' });
    case 'client-tool-request':
      return event.toolCalls.reduce(
        (drawn, call) => runTool(drawn, call, call.args, toAskedFields(call)),
        streamingMessage,
      );
    case 'source':
    case 'file-available': {
      const { cursor: _, workerId: __, ...part } = event;
      return appendPart(streamingMessage, {
        part: part.type === 'source' ? part : { ...part, type: 'file' },
      });
    }
    case 'todo-update': {
      // Each worker has a list of its own.
      const part = { type: 'todo', todos: deepFreeze(event.todos) } as const;
      return putPart(streamingMessage, `todo:${event.workerId}`, part);
    }
    case 'object-available':
      return putPart(streamingMessage, objectKey(event), toObjectPart(event));
    case 'message-metadata':
      return { ...streamingMessage, metadata: deepFreeze(event.metadata) };
    case 'block-start':
      return startBlock(streamingMessage, event);
    case 'block-end':
      return endBlock(streamingMessage, event.blockId);
    default:
      event satisfies SilentEvent;
      return streamingMessage;
  }
}

/** Opens a message again that waits for the outcome of calls. */
export function toStreamingMessage({ id, createdAt, parts, metadata }: UIMessage): StreamingMessage {
  return {
    ...createStreamingMessage(id, createdAt),
    ...compact({ metadata }),
    parts: deepFreeze(parts.map((part) => ({ part }))),
    partIndexes: parts.flatMap((part, index) => {
      if (part.type === 'object') return [[objectKey(part), index] as const];
      return part.type === 'tool-call' ? [[toolKey(part.toolCallId), index] as const] : [];
    }),
    named: true,
  };
}

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

/** The like, unless the call has its outcome. */
function updateOpenTool(
  streamingMessage: StreamingMessage,
  toolCallId: string,
  update: (part: ToolCallPart) => ToolCallPart,
): StreamingMessage {
  return updateTool(streamingMessage, toolCallId, (part) =>
    part.status === 'pending' || part.status === 'running' ? update(part) : part,
  );
}

/** An event of a text or of reasoning. */
type TextEvent = TextStartEvent | TextDeltaEvent | TextEndEvent | ReasoningBoundaryEvent;

function kindOf({ type }: TextEvent): 'text' | 'reasoning' {
  return type.startsWith('text') ? 'text' : 'reasoning';
}

/** Each worker counts the ids of its texts by itself. */
function textKey(event: TextEvent): string {
  return `${kindOf(event)}:${event.workerId}:${event.id}`;
}

function startText(streamingMessage: StreamingMessage, event: TextEvent): StreamingMessage {
  const key = textKey(event);
  // Announced twice, as by a reader that begins in the middle: it goes on.
  if (hasStream(streamingMessage, key)) return streamingMessage;
  const kind = kindOf(event);
  const typeName = 'responseType' in event ? event.responseType : undefined;
  if (kind === 'text' && streamingMessage.blocks.at(-1)?.showsText === false)
    return hideStream(streamingMessage, key);
  const slot: StreamingPart =
    typeName === undefined
      ? { part: { type: kind, text: '', status: 'streaming' } }
      : { part: { type: 'object', id: event.id, typeName, status: 'streaming' }, json: '' };
  return appendPart(streamingMessage, slot, key);
}

function appendText(streamingMessage: StreamingMessage, event: TextDeltaEvent): StreamingMessage {
  // A delta without a start event must still be shown, so it starts its part.
  return writeText(startText(streamingMessage, event), textKey(event), (before) => before + event.delta);
}

/** Changes the text of an open stream: of an object, and of arguments that are still arriving, it is the JSON. */
function writeText(
  streamingMessage: StreamingMessage,
  key: string,
  write: (before: string) => string,
): StreamingMessage {
  return updatePart(streamingMessage, key, (slot) => {
    const { part, json = '' } = slot;
    if ('text' in part) return { part: { ...part, text: write(part.text) } };
    return part.type === 'tool-call' && part.status !== 'pending' ? slot : { part, json: write(json) };
  });
}

/** The end event may carry the whole text, which replaces the deltas, and an error. */
function endText(
  streamingMessage: StreamingMessage,
  event: TextEndEvent | ReasoningBoundaryEvent,
): StreamingMessage {
  const key = textKey(event);
  const { text, error } = event as Pick<TextEndEvent, 'text' | 'error'>;
  const whole = text === undefined ? streamingMessage : writeText(streamingMessage, key, () => text);
  return closeStream(finishSlot(whole, key, error), key);
}

/** Nothing is added to the part any more. */
function finishSlot(streamingMessage: StreamingMessage, key: string, error?: string): StreamingMessage {
  return updatePart(streamingMessage, key, ({ part, json }) => ({
    part: finalisePart(part, 'finished', json, error),
  }));
}

type NamedCall = Pick<ToolInputStartEvent, 'toolCallId' | 'toolName' | 'title' | 'display'>;

function startTool(
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
function runTool(
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
function toAskedFields({ executedBy, waitsFor, originalArgs, question }: PendingToolCall) {
  const { title: displayName, inputSchema } = question ?? {};
  return compact({
    executedBy: executedBy ?? ('client' as const),
    ...{ waitsFor, originalArgs, displayName, inputSchema },
  });
}

type ToolEnd = Pick<ToolCallPart, 'status' | 'result' | 'error' | 'outcome' | 'reason'>;

function endTool(streamingMessage: StreamingMessage, toolCallId: string, end: ToolEnd): StreamingMessage {
  // A result so far is none any more.
  return updateOpenTool(streamingMessage, toolCallId, ({ result: _, ...part }) => ({
    ...part,
    ...end,
    executedBy: part.executedBy ?? 'server',
  }));
}

function toEnd({ output, preliminary, outcome, reason }: ToolOutputAvailableEvent): ToolEnd {
  const status = preliminary ? 'running' : 'done';
  return { ...(!outcome && { result: deepFreeze(output) }), status, ...compact({ outcome, reason }) };
}

function objectKey({ typeName, id }: Pick<ObjectAvailableEvent, 'typeName' | 'id'>): string {
  return `object:${typeName}:${id}`;
}

function toObjectPart({ id, typeName, object }: ObjectAvailableEvent): UIMessagePart {
  return { type: 'object', id, typeName, object: deepFreeze(object), status: 'done' };
}

/** A part takes the place of the one before it. */
function putPart(streamingMessage: StreamingMessage, key: string, part: UIMessagePart): StreamingMessage {
  if (!hasStream(streamingMessage, key)) return appendPart(streamingMessage, { part }, key);
  return updatePart(streamingMessage, key, (slot) => ({ part: { ...slot.part, ...part } as UIMessagePart }));
}

function startBlock(streamingMessage: StreamingMessage, event: BlockStartEvent): StreamingMessage {
  const thread = event.workerId ?? (event.thread === 'main' ? undefined : event.thread);
  const block = {
    id: event.blockId,
    thread,
    showsText: event.outputToChat !== false || thread !== undefined,
  };
  const opened = { ...streamingMessage, blocks: [...streamingMessage.blocks, block] };
  const { isOperation = OPERATION_BLOCKS.includes(event.blockType) } = event;
  if (!isOperation || event.display === 'hidden') return opened;
  const part: UIMessagePart = {
    type: 'operation',
    operationId: event.blockId,
    name: event.description ?? event.blockName,
    operationType: event.blockType,
    status: 'running',
  };
  return appendPart(opened, { part }, `block:${event.blockId}`);
}

function endBlock(streamingMessage: StreamingMessage, blockId: string): StreamingMessage {
  const done = finishSlot(streamingMessage, `block:${blockId}`);
  return { ...done, blocks: done.blocks.filter(({ id }) => id !== blockId) };
}
