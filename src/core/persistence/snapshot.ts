/**
 * A conversation as text, to outlive the page. Versioned, and checked when it is read: what this version did not write
 * is refused as a whole, because half a conversation could answer a call twice.
 */
import { AgentChatError, type AgentChatErrorInit } from '../../shared/errors.ts';
import { deepFreeze, isRecord } from '../../shared/json.ts';
import { type Conversation, createConversation } from '../state/conversation.ts';
import { toInitialMessages } from '../state/initial-messages.ts';
import type { UIMessage } from '../state/message.ts';
import type { StreamingMessage, StreamingPart } from '../state/streaming-message.ts';
import type { ToolCall } from '../state/tool-call.ts';
import { redactCall, redactRequest } from './redact-conversation.ts';
import { snapshotSchema } from './snapshot-schema.ts';

const VERSION = 2;

/** What was kept, or why it cannot be used. */
export type DecodedSnapshot =
  | { readonly conversation: Conversation; readonly savedAt: number }
  | { readonly fault: string };

/**
 * Secrets stay out, see `redact-conversation.ts`.
 *
 * @param savedAt milliseconds since the epoch
 */
export function encodeSnapshot(state: Conversation, savedAt: number): string {
  const { messages, phase, error, executionId, cursor, usage, notices, allowedTools, keptInputs, memory } =
    state;
  const rest = JSON.stringify({
    version: VERSION,
    savedAt,
    streamingMessage: state.streamingMessage && withoutProgress(state.streamingMessage),
    checkpoint: state.checkpoint,
    interrupted: state.interrupted,
    phase,
    isHeld: state.isHeld,
    error: error && encodeError(error),
    calls: state.calls.map(redactCall),
    undelivered: state.undelivered.map(redactCall),
    allowedTools,
    keptInputs,
    executionId,
    cursor,
    memory,
    usage,
    notices,
    trigger: state.trigger,
    request: state.request && redactRequest(state.request, state),
  });
  return `{"messages":[${messages.map(encodeMessage).join(',')}],${rest.slice(1)}`;
}

/** The handler that reported it goes away with the page. */
function withoutProgress(message: StreamingMessage): StreamingMessage {
  const parts = message.parts.map((slot): StreamingPart => {
    if (slot.part.type !== 'tool-call' || slot.part.progress === undefined) return slot;
    const { progress: _, ...part } = slot.part;
    return { ...slot, part };
  });
  return { ...message, parts };
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
  const [issue] = snapshotSchema.safeParse(stored).error?.issues ?? [];
  if (issue) return { fault: `${issue.path.join('.')}: ${issue.message}` };
  const {
    savedAt,
    messages,
    calls,
    error,
    streamingMessage,
    checkpoint,
    interrupted,
    version: _,
    ...rest
  } = deepFreeze(stored);
  const conversation = {
    ...createConversation(toInitialMessages(messages as readonly UIMessage[])),
    ...rest,
    streamingMessage: decodeStreamingMessage(streamingMessage),
    checkpoint: decodeStreamingMessage(checkpoint),
    interrupted: decodeStreamingMessage(interrupted),
    error: error === null ? null : new AgentChatError(error as AgentChatErrorInit),
    calls: calls as readonly ToolCall[],
  };
  return { conversation, savedAt: savedAt as number };
}

function decodeStreamingMessage(stored: unknown): StreamingMessage | null {
  const message = stored as StreamingMessage | null;
  return message && { ...message, createdAt: new Date(message.createdAt) };
}

/** Its fields, but for the cause, which may be anything. */
export function encodeError(error: AgentChatError): AgentChatErrorInit {
  const { code, message, errorType, source, retryable, retryAfter, status, backendCode, provider, tool } =
    error;
  return { code, message, errorType, source, retryable, retryAfter, status, backendCode, provider, tool };
}
