import type { SnapshotEvent } from '../../core/protocol/events.ts';
import type { ToolCallPart } from '../../core/state/message.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { createId } from '../../shared/ids.ts';
import { hasOwn } from '../../shared/json.ts';
import { isOpenCall } from './from-ui-messages.ts';

/**
 * Returns the conversation with the calls of the page that are open in the stored messages of a chat, so that they are asked; undefined if
 * there are none. A chat that has a memory knows its open calls.
 */
export function findStoredCalls({ memory, chat, clientTools }: TransportIO): SnapshotEvent | undefined {
  const messages = chat.messages();
  const last = messages.at(-1);
  const tools = clientTools?.() ?? {};
  if (memory.get() !== undefined || last?.role !== 'assistant') return undefined;
  const isAsked = (part: (typeof last.parts)[number]): part is ToolCallPart =>
    isOpenCall(part) && hasOwn(tools, part.toolName);
  const openCalls = last.parts
    .filter(isAsked)
    .map(({ toolCallId, toolName, args }) => ({ toolCallId, toolName, args }));
  if (openCalls.length === 0) return undefined;
  const parts = last.parts.map((part) => (isAsked(part) ? { ...part, status: 'running' as const } : part));
  const shown = [...messages.slice(0, -1), { ...last, parts }];
  return { type: 'snapshot', executionId: createId(), messages: shown, openCalls };
}
