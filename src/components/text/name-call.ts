import type { ToolCallPart, UIMessage } from '../../core/state/message.ts';
import { displayText, humaniseName, looksLikeIdentifier } from './safe-text.ts';

/** The name of a call for people. Some backends repeat the tool name as the display name; then it is made readable. */
export function nameCall({ toolName, displayName = toolName }: ToolCallPart): string {
  const isIdentifier = displayName === toolName || looksLikeIdentifier(displayName);
  return isIdentifier ? humaniseName(displayName) : displayText(displayName, 120);
}

/** The name of the worker that wrote into a thread. The call that started the worker has the name of the thread as its id. */
export function nameWorker(thread: string | undefined, parts: UIMessage['parts']): string | undefined {
  const call = findCall(thread, parts);
  return call && nameCall(call);
}

/**
 * The name of the worker that made a call, or undefined if the agent itself did. It is that of the tool: a display name says what the
 * worker does. Some backends count their calls anew in each run, so the latest call counts.
 */
export function nameCaller(toolCallId: string, messages: readonly UIMessage[]): string | undefined {
  const parts = messages.findLast(({ parts: own }) => findCall(toolCallId, own))?.parts ?? [];
  const worker = findCall(findCall(toolCallId, parts)?.thread, parts);
  return worker && humaniseName(worker.toolName);
}

/** The latest part of a call among the parts of a message. */
export function findCall(
  toolCallId: string | undefined,
  parts: UIMessage['parts'],
): ToolCallPart | undefined {
  return parts.findLast(
    (part): part is ToolCallPart => part.type === 'tool-call' && part.toolCallId === toolCallId,
  );
}
