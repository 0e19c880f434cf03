/**
 * A conversation as text, to outlive the page. Versioned, and checked when it is read: what this version did not write
 * is refused as a whole, because half a conversation could answer a call twice.
 */
import { AgentChatError, type AgentChatErrorInit } from '../shared/errors.ts';
import { deepFreeze, isRecord } from '../shared/json.ts';
import { type Conversation, createConversation } from './conversation.ts';
import type { Draft } from './draft.ts';
import { toInitialMessages } from './initial-messages.ts';
import type { UIMessage } from './message.ts';
import type { ToolCall } from './tool-call.ts';
import { withholdFromCall, withholdFromRequest } from './withhold-secrets.ts';

const VERSION = 1;

/** What was kept, or why it cannot be used. */
export type DecodedSnapshot =
  | { readonly conversation: Conversation; readonly savedAt: number }
  | { readonly fault: string };

/**
 * Secrets stay out, see `withhold-secrets.ts`.
 *
 * @param savedAt milliseconds since the epoch
 */
export function encodeSnapshot(state: Conversation, savedAt: number): string {
  const { messages, phase, error, executionId, cursor, usage, notices, request, allowedTools } = state;
  const rest = JSON.stringify({
    version: VERSION,
    savedAt,
    draft: state.draft,
    checkpoint: state.checkpoint,
    interrupted: state.interrupted,
    phase,
    error: error && encodeError(error),
    calls: state.calls.map(withholdFromCall),
    allowedTools,
    executionId,
    cursor,
    usage,
    notices,
    request: request && withholdFromRequest(request, state),
  });
  return `{"messages":[${messages.map(encodeMessage).join(',')}],${rest.slice(1)}`;
}

/** Finished messages never change: with a long history, encoding it again is what a save would spend its time on. */
const encodedMessages = /* @__PURE__ */ new WeakMap<UIMessage, string>();

function encodeMessage(message: UIMessage): string {
  const encoded = encodedMessages.get(message) ?? JSON.stringify(message);
  encodedMessages.set(message, encoded);
  return encoded;
}

export function decodeSnapshot(text: string): DecodedSnapshot {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return { fault: 'it is not JSON' };
  }
  if (!isRecord(stored) || stored.version !== VERSION) {
    const version = isRecord(stored) ? String(stored.version) : 'none';
    return { fault: `it has version ${version}, this one reads ${VERSION}` };
  }
  const fault = findFault(stored);
  if (fault !== undefined) return { fault };
  const {
    savedAt,
    messages,
    calls,
    error,
    draft,
    checkpoint,
    interrupted,
    version: _,
    ...rest
  } = deepFreeze(stored);
  const conversation = {
    ...createConversation(toInitialMessages(messages as readonly UIMessage[])),
    ...rest,
    draft: decodeDraft(draft),
    checkpoint: decodeDraft(checkpoint),
    interrupted: decodeDraft(interrupted),
    error: error === null ? null : new AgentChatError(error as AgentChatErrorInit),
    calls: calls as readonly ToolCall[],
  };
  return { conversation, savedAt: savedAt as number };
}

function decodeDraft(stored: unknown): Draft | null {
  const draft = stored as Draft | null;
  return draft && { ...draft, createdAt: new Date(draft.createdAt) };
}

function encodeError({ code, message, errorType, source, retryable, retryAfter, status }: AgentChatError) {
  return { code, message, errorType, source, retryable, retryAfter, status };
}

const PHASES: readonly unknown[] = ['resting', 'working', 'failed'];
const STAGES: readonly unknown[] = [
  'announced',
  'running',
  'waiting',
  'settled',
  'delivered',
  'acknowledged',
];

/** The first place that is not as this version writes it; checked by hand, a schema library would outweigh the rest. */
function findFault(stored: Record<string, unknown>): string | undefined {
  if (typeof stored.savedAt !== 'number') return 'savedAt is no number';
  if (!isListOf(stored.messages, isMessage)) return 'messages is no list of messages';
  if (!isListOf(stored.calls, isCall)) return 'calls is no list of calls';
  if (!isListOf(stored.allowedTools ?? [], isText)) return 'allowedTools is no list of names';
  if (!isListOf(stored.notices, isRecord)) return 'notices is no list of notices';
  if (!PHASES.includes(stored.phase)) return `phase is ${JSON.stringify(stored.phase)}`;
  for (const key of ['draft', 'checkpoint', 'interrupted']) {
    if (stored[key] !== null && !isDraft(stored[key])) return `${key} is no message that is being written`;
  }
  for (const key of ['error', 'request']) {
    if (stored[key] !== null && !isRecord(stored[key])) return `${key} is no object`;
  }
  for (const key of ['executionId', 'cursor']) {
    if (stored[key] !== undefined && typeof stored[key] !== 'string') return `${key} is no text`;
  }
  return undefined;
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isMessage(value: unknown): boolean {
  if (!isRecord(value) || typeof value.id !== 'string') return false;
  return isDate(value.createdAt) && isListOf(value.parts, isPart);
}

function isPart(value: unknown): boolean {
  return isRecord(value) && typeof value.type === 'string';
}

function isCall(value: unknown): boolean {
  if (!isRecord(value) || typeof value.key !== 'string' || typeof value.executionId !== 'string')
    return false;
  const { request, stage, requestedAt, serverToolResults } = value;
  const isRequest = isRecord(request) && typeof request.toolCallId === 'string' && isRecord(request.args);
  return (
    isRequest && STAGES.includes(stage) && typeof requestedAt === 'number' && Array.isArray(serverToolResults)
  );
}

function isDraft(value: unknown): boolean {
  if (!isRecord(value) || typeof value.id !== 'string' || !isDate(value.createdAt)) return false;
  const { slots, slotOf, blocks } = value;
  return (
    isListOf(slots, (slot) => isRecord(slot) && isPart(slot.part)) &&
    Array.isArray(slotOf) &&
    Array.isArray(blocks)
  );
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
