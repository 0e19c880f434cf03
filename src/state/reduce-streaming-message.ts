/** Writes the events of a run into the assistant message. */
import type { AgentEvent, BlockStartEvent } from '../protocol/events.ts';
import { compact, deepFreeze } from '../shared/json.ts';
import { toArgs } from './arriving-json.ts';
import { finalisePart } from './finalise.ts';
import type { ToolCallPart, UIMessagePart } from './message.ts';
import {
  appendPart,
  closeStream,
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
      | 'tool-result-acknowledged';
  }
>;

/** They leave the draft as it is, and so does what a transport of another version, or of an app, made up. */
export function reduceStreamingMessage(draft: StreamingMessage, event: AgentEvent): StreamingMessage {
  switch (event.type) {
    case 'text-delta':
      return appendText(draft, 'text', event.id, event.delta);
    case 'reasoning-delta':
      return appendText(draft, 'reasoning', event.id, event.delta);
    case 'tool-input-delta':
      return writeText(draft, toolKey(event.toolCallId), (before) => before + event.inputTextDelta);
    case 'text-start':
      return startText(draft, 'text', event.id, event.responseType);
    case 'reasoning-start':
      return startText(draft, 'reasoning', event.id);
    case 'text-end':
      return endText(draft, `text:${event.id}`, event);
    case 'reasoning-end':
      return endText(draft, `reasoning:${event.id}`);
    case 'tool-input-start':
      return startTool(draft, event, event.title);
    case 'tool-input-available':
      return runTool(draft, event, event.input);
    case 'tool-output-available':
      return endTool(draft, event.toolCallId, { result: deepFreeze(event.output), status: 'done' });
    case 'tool-output-error':
      return endTool(draft, event.toolCallId, { error: event.error, status: 'error' });
    case 'client-tool-request':
      return event.toolCalls.reduce(
        (drawn, call) => runTool(drawn, call, call.args, { executedBy: 'client' }),
        draft,
      );
    case 'source':
    case 'file-available': {
      const { cursor: _, ...part } = event;
      return appendPart(draft, { part: part.type === 'source' ? part : { ...part, type: 'file' } });
    }
    case 'block-start':
      return startBlock(draft, event);
    case 'block-end':
      return endBlock(draft, event.blockId);
    default:
      event satisfies SilentEvent;
      return draft;
  }
}

function toolKey(toolCallId: string): string {
  return `tool:${toolCallId}`;
}

/** Changes the part of a tool call; its arguments have arrived, so their text is dropped. */
export function updateTool(
  draft: StreamingMessage,
  toolCallId: string,
  update: (part: ToolCallPart) => ToolCallPart,
): StreamingMessage {
  return updatePart(draft, toolKey(toolCallId), (slot) => {
    if (slot.part.type !== 'tool-call') return slot;
    const part = update(slot.part);
    return part === slot.part ? slot : { part };
  });
}

/** The like, unless the call has its outcome. */
function updateOpenTool(
  draft: StreamingMessage,
  toolCallId: string,
  update: (part: ToolCallPart) => ToolCallPart,
): StreamingMessage {
  return updateTool(draft, toolCallId, (part) =>
    part.status === 'pending' || part.status === 'running' ? update(part) : part,
  );
}

type TextKind = 'text' | 'reasoning';

function startText(draft: StreamingMessage, kind: TextKind, id: string, typeName?: string): StreamingMessage {
  const key = `${kind}:${id}`;
  // Announced twice, as by a reader that begins in the middle: it goes on.
  if (hasStream(draft, key)) return draft;
  if (kind === 'text' && draft.blocks.at(-1)?.showsText === false) return hideStream(draft, key);
  const slot: StreamingPart =
    typeName === undefined
      ? { part: { type: kind, text: '', status: 'streaming' } }
      : { part: { type: 'object', id, typeName, status: 'streaming' }, json: '' };
  return appendPart(draft, slot, key);
}

function appendText(draft: StreamingMessage, kind: TextKind, id: string, delta: string): StreamingMessage {
  // A delta nobody announced still has to be read by the person: it starts its part itself.
  return writeText(startText(draft, kind, id), `${kind}:${id}`, (before) => before + delta);
}

/** Changes the text of an open stream: of an object, and of arguments that are still arriving, it is the JSON. */
function writeText(
  draft: StreamingMessage,
  key: string,
  write: (before: string) => string,
): StreamingMessage {
  return updatePart(draft, key, (slot) => {
    const { part, json = '' } = slot;
    if ('text' in part) return { part: { ...part, text: write(part.text) } };
    return part.type === 'tool-call' && part.status !== 'pending' ? slot : { part, json: write(json) };
  });
}

/** The end may say the whole text, in place of what the deltas made, and what is wrong with it. */
function endText(
  draft: StreamingMessage,
  key: string,
  { text, error }: { text?: string; error?: string } = {},
): StreamingMessage {
  const whole = text === undefined ? draft : writeText(draft, key, () => text);
  return closeStream(finishSlot(whole, key, error), key);
}

/** Nothing is added to the part any more. */
function finishSlot(draft: StreamingMessage, key: string, error?: string): StreamingMessage {
  return updatePart(draft, key, ({ part, json }) => ({ part: finalisePart(part, 'finished', json, error) }));
}

interface NamedCall {
  readonly toolCallId: string;
  readonly toolName: string;
}

function startTool(
  draft: StreamingMessage,
  { toolCallId, toolName }: NamedCall,
  displayName?: string,
): StreamingMessage {
  if (hasStream(draft, toolKey(toolCallId))) return draft;
  const part: ToolCallPart = compact({
    type: 'tool-call',
    toolCallId,
    toolName,
    displayName,
    args: toArgs(undefined),
    status: 'pending',
  });
  return appendPart(draft, { part }, toolKey(toolCallId));
}

/** Its arguments are complete. */
function runTool(
  draft: StreamingMessage,
  call: NamedCall,
  args: unknown,
  by?: Pick<ToolCallPart, 'executedBy'>,
): StreamingMessage {
  return updateOpenTool(startTool(draft, call), call.toolCallId, (part) => ({
    ...part,
    args: toArgs(deepFreeze(args)),
    status: 'running',
    ...by,
  }));
}

function endTool(
  draft: StreamingMessage,
  toolCallId: string,
  end: Pick<ToolCallPart, 'status' | 'result' | 'error'>,
): StreamingMessage {
  return updateOpenTool(draft, toolCallId, (part) => ({
    ...part,
    ...end,
    executedBy: part.executedBy ?? 'server',
  }));
}

function startBlock(draft: StreamingMessage, event: BlockStartEvent): StreamingMessage {
  const thread = event.thread === 'main' ? undefined : event.thread;
  const block = {
    id: event.blockId,
    thread,
    showsText: event.outputToChat !== false || thread !== undefined,
  };
  const opened = { ...draft, blocks: [...draft.blocks, block] };
  if (!OPERATION_BLOCKS.includes(event.blockType) || event.display === 'hidden') return opened;
  const part: UIMessagePart = {
    type: 'operation',
    operationId: event.blockId,
    name: event.description ?? event.blockName,
    operationType: event.blockType,
    status: 'running',
  };
  return appendPart(opened, { part }, `block:${event.blockId}`);
}

function endBlock(draft: StreamingMessage, blockId: string): StreamingMessage {
  const done = finishSlot(draft, `block:${blockId}`);
  return { ...done, blocks: done.blocks.filter(({ id }) => id !== blockId) };
}
