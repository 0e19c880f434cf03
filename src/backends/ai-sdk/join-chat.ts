/**
 * What a new page finds: calls of the stored history that wait for a person, or a response that goes on at the server. If there are both, the
 * response counts: another page may have answered.
 */
import type { PendingToolCall, SnapshotEvent } from '../../core/protocol/events.ts';
import type { UIMessage } from '../../core/state/message.ts';
import { createId } from '../../shared/ids.ts';
import { CallNames } from './call-names.ts';
import { closeUnasked } from './close-history.ts';
import { findOpenCalls } from './find-open-calls.ts';
import { fromUIMessages } from './from-ui-messages.ts';
import type { AiSdkMemory } from './memory.ts';
import { type AiSdkChunk, type AiSdkMessage, type AiSdkToolPart, isToolPart } from './ui-message.ts';

export interface Joined {
  /** The memory of the run that goes on. */
  readonly memory: AiSdkMemory;
  readonly snapshot: SnapshotEvent;
}

/**
 * Returns the calls of the last message that wait for a person; undefined if there are none. A handler does not run again for a call that
 * another page may have begun.
 *
 * @param shown the messages of the page
 */
export function joinQuestions(
  { posted }: AiSdkMemory,
  shown: readonly UIMessage[],
  isForPerson: (call: PendingToolCall) => boolean,
): Joined | undefined {
  const last = posted.at(-1);
  if (last?.role !== 'assistant') return undefined;
  const openCalls = findOpenCalls(last.parts, new CallNames(last.parts)).filter(isForPerson);
  if (openCalls.length === 0) return undefined;
  const executionId = createId();
  const messages = shown.at(-1)?.id === last.id ? shown : fromUIMessages(posted);
  const asking = messages.map((message) => (message.id === last.id ? reopen(message, openCalls) : message));
  return {
    memory: { posted, executionId, isWaiting: true, isWhole: true },
    snapshot: { type: 'snapshot', executionId, messages: asking, openCalls },
  };
}

/**
 * Joins a response that goes on. A continuation goes on in the message that asked; any other one is written from its beginning, also where
 * the server has stored a part of it.
 *
 * @param first the chunks of its beginning, see {@link isTelling}
 */
export function joinResponse(
  { posted }: AiSdkMemory,
  shown: readonly UIMessage[],
  first: readonly AiSdkChunk[],
): Joined {
  const last = posted.at(-1);
  // Not every server names its messages: then the response belongs to the last one, as with useChat.
  const messageId = first.find(({ type }) => type === 'start')?.messageId ?? last?.id;
  const isSame = last?.role === 'assistant' && last.id === messageId;
  const goesOn = isSame && isContinuation(last, first);
  const executionId = createId();
  const page = shown.length > 0 ? shown : fromUIMessages(posted);
  const messages = isSame && !goesOn ? page.filter(({ id }) => id !== messageId) : page;
  const names = new CallNames(last?.parts);
  const open = goesOn ? findOpenCalls(last.parts, names) : [];
  const isOpen = (part: AiSdkToolPart) => open.some(({ toolCallId }) => toolCallId === names.of(part));
  // Another page has answered the open calls: the response may bring their output, and they are not asked here.
  const answered = goesOn ? [closeUnasked(last, (part) => !isOpen(part))] : [];
  const before = isSame ? [...posted.slice(0, -1), ...answered] : posted;
  return {
    memory: { posted: before, executionId },
    snapshot: {
      type: 'snapshot',
      executionId,
      messages: messages.map((message) => (message.id === messageId ? reopen(message, open) : message)),
      openCalls: [],
      ...(goesOn && { goesOn }),
    },
  };
}

/** True for a chunk that shows what the response begins with: a call, or words. */
export function isTelling({ toolCallId, delta }: AiSdkChunk): boolean {
  return toolCallId !== undefined || delta !== undefined;
}

/** True if the stored message has calls which the response does not announce: it comes after their answers. */
function isContinuation({ parts }: AiSdkMessage, chunks: readonly AiSdkChunk[]): boolean {
  const announced = chunks
    .filter(({ type }) => type.startsWith('tool-input'))
    .map(({ toolCallId }) => toolCallId);
  const calls = parts.filter(isToolPart);
  return calls.length > 0 && !calls.some(({ toolCallId }) => announced.includes(toolCallId));
}

/** The page shows calls of earlier pages as cancelled, and stored calls under the ids of the wire. */
function reopen(message: UIMessage, openCalls: readonly PendingToolCall[]): UIMessage {
  const names = new CallNames();
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool-call') return part;
    const toolCallId = names.of(part);
    const isOpen = openCalls.some((call) => call.toolCallId === toolCallId);
    return { ...part, toolCallId, ...(isOpen && { status: 'running' as const }) };
  });
  return { ...message, parts };
}
