/** Writes the events of a run into the assistant message. */

import { compact, deepFreeze } from '../../shared/json.ts';
import type { AgentEvent, BlockStartEvent, ObjectAvailableEvent } from '../protocol/events.ts';
import { finishPart } from './finalise.ts';
import type { UIMessage, UIMessagePart } from './message.ts';
import {
  appendPart,
  createStreamingMessage,
  hasStream,
  type StreamingMessage,
  updatePart,
} from './streaming-message.ts';
import { appendText, endText, startText, writeText } from './write-text-parts.ts';
import { endTool, runTool, startTool, toAskedFields, toEnd, toolKey } from './write-tool-parts.ts';

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
  const done = finishPart(streamingMessage, `block:${blockId}`);
  return { ...done, blocks: done.blocks.filter(({ id }) => id !== blockId) };
}
