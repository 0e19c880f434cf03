/** What the events of a run write into the assistant message. */
import type { AgentEvent, BlockStartEvent } from '../protocol/events.ts';
import { deepFreeze } from '../shared/json.ts';
import { completeObject, toArgs } from './arriving-json.ts';
import {
  appendSlot,
  closeStream,
  type Draft,
  type DraftSlot,
  hasStream,
  hideStream,
  threadOf,
  updateSlot,
} from './draft.ts';
import type { ToolCallPart, UIMessagePart } from './message.ts';

const OPERATION_BLOCKS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'set-resource',
  'serialize-thread',
  'generate-image',
]);

/** Events that write nothing into the message leave the draft as it is. */
export function reduceDraft(draft: Draft, event: AgentEvent): Draft {
  switch (event.type) {
    case 'text-delta':
      return appendText(draft, 'text', event.id, event.delta);
    case 'reasoning-delta':
      return appendText(draft, 'reasoning', event.id, event.delta);
    case 'tool-input-delta':
      return updateSlot(draft, toolKey(event.toolCallId), (slot) =>
        slot.part.type === 'tool-call' && slot.part.status === 'pending'
          ? { part: slot.part, json: (slot.json ?? '') + event.inputTextDelta }
          : slot,
      );
    case 'text-start':
      return startText(draft, event.id, event.responseType);
    case 'reasoning-start':
      return startStream(draft, 'reasoning', event.id);
    case 'text-end':
      return endStream(withText(draft, `text:${event.id}`, event.text), `text:${event.id}`, event.error);
    case 'reasoning-end':
      return endStream(draft, `reasoning:${event.id}`);
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
      return appendSlot(draft, { part: sourcePart(draft, event) });
    case 'file-available': {
      const { type: _, cursor: __, ...file } = event;
      return appendSlot(draft, { part: { type: 'file', ...file, ...threadOf(draft) } });
    }
    case 'block-start':
      return startBlock(draft, event);
    case 'block-end':
      return endBlock(draft, event.blockId);
    case 'start':
    case 'finish':
    case 'error':
    case 'tool-input-end':
    case 'resource-update':
    case 'tool-request':
    case 'usage':
    case 'notice':
    case 'tool-result-acknowledged':
      return draft;
    default:
      return event satisfies never;
  }
}

function toolKey(toolCallId: string): string {
  return `tool:${toolCallId}`;
}

/** Changes the part of a tool call; its arguments have arrived, so their text is dropped. */
export function updateTool(
  draft: Draft,
  toolCallId: string,
  update: (part: ToolCallPart) => ToolCallPart,
): Draft {
  return updateSlot(draft, toolKey(toolCallId), (slot) => {
    if (slot.part.type !== 'tool-call') return slot;
    const part = update(slot.part);
    return part === slot.part ? slot : { part };
  });
}

/** The like, unless the call has its outcome. */
function updateOpenTool(
  draft: Draft,
  toolCallId: string,
  update: (part: ToolCallPart) => ToolCallPart,
): Draft {
  return updateTool(draft, toolCallId, (part) =>
    part.status === 'pending' || part.status === 'running' ? update(part) : part,
  );
}

function appendText(draft: Draft, kind: 'text' | 'reasoning', id: string, delta: string): Draft {
  const key = `${kind}:${id}`;
  // A delta nobody announced still has to be read by the person: it starts its part itself.
  const started = hasStream(draft, key) ? draft : start(draft, kind, id);
  return updateSlot(started, key, ({ part, json }): DraftSlot => {
    if (part.type === 'object') return { part, json: (json ?? '') + delta };
    if (part.type !== 'text' && part.type !== 'reasoning') return { part };
    return { part: { ...part, text: part.text + delta } };
  });
}

/** The whole text of an open stream, in place of what its deltas made. */
function withText(draft: Draft, key: string, text: string | undefined): Draft {
  if (text === undefined) return draft;
  return updateSlot(draft, key, (slot): DraftSlot => {
    if (slot.part.type === 'object') return { part: slot.part, json: text };
    return slot.part.type === 'text' ? { part: { ...slot.part, text } } : slot;
  });
}

function start(draft: Draft, kind: 'text' | 'reasoning', id: string): Draft {
  return kind === 'text' ? startText(draft, id, undefined) : startStream(draft, kind, id);
}

function startText(draft: Draft, id: string, responseType: string | undefined): Draft {
  // Announced twice, as by a reader that begins in the middle: it goes on.
  if (hasStream(draft, `text:${id}`)) return draft;
  const block = draft.blocks.at(-1);
  if (block?.showsText === false) return hideStream(draft, `text:${id}`);
  if (responseType === undefined) return startStream(draft, 'text', id);
  const part: UIMessagePart = {
    type: 'object',
    id,
    typeName: responseType,
    status: 'streaming',
    ...threadOf(draft),
  };
  return appendSlot(draft, { part, json: '' }, `text:${id}`);
}

function startStream(draft: Draft, kind: 'text' | 'reasoning', id: string): Draft {
  return appendSlot(
    draft,
    { part: { type: kind, text: '', status: 'streaming', ...threadOf(draft) } },
    `${kind}:${id}`,
  );
}

function endStream(draft: Draft, key: string, error?: string): Draft {
  const ended = updateSlot(draft, key, (slot) => {
    if (slot.part.type === 'object') return { part: completeObject(slot.part, slot.json ?? '', error) };
    return 'status' in slot.part && slot.part.status === 'streaming'
      ? { part: { ...slot.part, status: 'done' } as UIMessagePart }
      : slot;
  });
  return closeStream(ended, key);
}

interface NamedCall {
  readonly toolCallId: string;
  readonly toolName: string;
}

function startTool(draft: Draft, { toolCallId, toolName }: NamedCall, displayName?: string): Draft {
  if (hasStream(draft, toolKey(toolCallId))) return draft;
  const part: ToolCallPart = {
    type: 'tool-call',
    toolCallId,
    toolName,
    ...(displayName === undefined ? {} : { displayName }),
    args: toArgs(undefined),
    status: 'pending',
    ...threadOf(draft),
  };
  return appendSlot(draft, { part }, toolKey(toolCallId));
}

/** Its arguments are complete. */
function runTool(draft: Draft, call: NamedCall, args: unknown, by?: Pick<ToolCallPart, 'executedBy'>): Draft {
  return updateOpenTool(startTool(draft, call), call.toolCallId, (part) => ({
    ...part,
    args: toArgs(deepFreeze(args)),
    status: 'running',
    ...by,
  }));
}

function endTool(
  draft: Draft,
  toolCallId: string,
  end: Pick<ToolCallPart, 'status' | 'result' | 'error'>,
): Draft {
  return updateOpenTool(draft, toolCallId, (part) => ({
    ...part,
    ...end,
    executedBy: part.executedBy ?? 'server',
  }));
}

function sourcePart(draft: Draft, event: Extract<AgentEvent, { type: 'source' }>): UIMessagePart {
  const { cursor: _, ...source } = event;
  return { ...source, ...threadOf(draft) };
}

function startBlock(draft: Draft, event: BlockStartEvent): Draft {
  const thread = event.thread === 'main' ? undefined : event.thread;
  const block = {
    id: event.blockId,
    thread,
    showsText: event.outputToChat !== false || thread !== undefined,
  };
  const opened = { ...draft, blocks: [...draft.blocks, block] };
  if (!OPERATION_BLOCKS.has(event.blockType) || event.display === 'hidden') return opened;
  const part: UIMessagePart = {
    type: 'operation',
    operationId: event.blockId,
    name: event.description ?? event.blockName,
    operationType: event.blockType,
    status: 'running',
    ...threadOf(opened),
  };
  return appendSlot(opened, { part }, `block:${event.blockId}`);
}

function endBlock(draft: Draft, blockId: string): Draft {
  const done = updateSlot(draft, `block:${blockId}`, (slot) =>
    slot.part.type === 'operation' ? { part: { ...slot.part, status: 'done' } } : slot,
  );
  const position = draft.blocks.findLastIndex((block) => block.id === blockId);
  return position < 0 ? done : { ...done, blocks: done.blocks.toSpliced(position, 1) };
}
