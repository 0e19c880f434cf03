/** Turns events of older and shorter forms into the full ones: chunks into start, content and end, and `THINKING_*` into `REASONING_*`. */
import type { AgUiEvent } from './messages.ts';

const RETIRED: Readonly<Record<string, string>> = {
  THINKING_START: 'REASONING_START',
  THINKING_END: 'REASONING_END',
  THINKING_TEXT_MESSAGE_START: 'REASONING_MESSAGE_START',
  THINKING_TEXT_MESSAGE_CONTENT: 'REASONING_MESSAGE_CONTENT',
  THINKING_TEXT_MESSAGE_END: 'REASONING_MESSAGE_END',
};

const CHUNKS: Readonly<Record<string, readonly [prefix: string, idKey: string, contentType: string]>> = {
  TEXT_MESSAGE_CHUNK: ['TEXT_MESSAGE', 'messageId', 'TEXT_MESSAGE_CONTENT'],
  REASONING_MESSAGE_CHUNK: ['REASONING_MESSAGE', 'messageId', 'REASONING_MESSAGE_CONTENT'],
  TOOL_CALL_CHUNK: ['TOOL_CALL', 'toolCallId', 'TOOL_CALL_ARGS'],
};

/** Returns a function that expands the events of one response. A chunk without an id continues the open one of its subagent. */
export function createChunkExpander(): (event: AgUiEvent) => readonly AgUiEvent[] {
  /** The event that ends what chunks have opened, by subagent. */
  const open = new Map<string | undefined, AgUiEvent>();
  const close = (subagentRunId: string | undefined): readonly AgUiEvent[] => {
    const end = open.get(subagentRunId);
    open.delete(subagentRunId);
    return end ? [end] : [];
  };

  return (given) => {
    const event = toCurrentForm(given);
    const { type, subagentRunId } = event;
    const chunk = CHUNKS[type];
    if (chunk === undefined) {
      const endsAll = type === 'RUN_FINISHED' || type === 'RUN_ERROR';
      return [...(endsAll ? [...open.keys()].flatMap(close) : close(subagentRunId)), event];
    }
    const [prefix, idKey, contentType] = chunk;
    const current = open.get(subagentRunId);
    const isSame = current?.type === `${prefix}_END` && (event[idKey] ?? current[idKey]) === current[idKey];
    const id = isSame ? current[idKey] : event[idKey];
    const content = event.delta === undefined ? [] : [{ ...event, type: contentType, [idKey]: id }];
    if (isSame) return content;
    const before = close(subagentRunId);
    open.set(subagentRunId, { type: `${prefix}_END`, [idKey]: id, ...(subagentRunId && { subagentRunId }) });
    return [...before, { ...event, type: `${prefix}_START` }, ...content];
  };
}

function toCurrentForm(event: AgUiEvent): AgUiEvent {
  const type = RETIRED[event.type];
  return type === undefined ? event : { messageId: 'thinking', ...event, type };
}
