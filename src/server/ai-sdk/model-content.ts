/**
 * The messages of a model as the history of a session stores them: the content parts of the AI SDK, with the metadata of the provider.
 *
 * Claude refuses the answer to a call without the thinking that led to it and its signature, Gemini refuses it without the
 * `thoughtSignature`. So the model gets back what it wrote, except for parts that providers refuse.
 */
import type { AssistantModelMessage, ModelMessage } from 'ai';
import { isRecord } from '../../shared/json.ts';
import type { AgentAssistantMessage } from '../agent.ts';

type ContentPart = Exclude<AssistantModelMessage['content'], string>[number];

/** Returns what the model wrote. The calls get their ids in the conversation. */
export function toModelContent(
  messages: readonly ModelMessage[],
  callId: (id: string) => string,
): readonly ContentPart[] {
  const rename = (part: ContentPart) =>
    'toolCallId' in part ? { ...part, toolCallId: callId(part.toolCallId) } : part;
  return messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? content.map(rename) : [],
  );
}

/** Returns the parts to send for a message of the history, possibly none. */
export function toAssistantContent(message: AgentAssistantMessage): ContentPart[] {
  const { content, toolCalls = [], modelContent } = message;
  const calls = toolCalls.map(({ toolCallId, toolName, args }): ContentPart => {
    return { type: 'tool-call', toolCallId, toolName, input: args };
  });
  const parts = isModelContent(modelContent)
    ? modelContent
    : [{ type: 'text' as const, text: content }, ...calls];
  const answered = new Set(toolCalls.map(({ toolCallId }) => toolCallId));
  const accepted = parts.filter((part) => {
    // Claude refuses text of white space alone, which models write before a call.
    if (part.type === 'text') return part.text.trim() !== '';
    // A call that the token limit cut off has no answer.
    return part.type !== 'tool-call' || part.providerExecuted || answered.has(part.toolCallId);
  });
  // Providers refuse reasoning that nothing follows.
  const last = accepted.findLastIndex(({ type }) => type !== 'reasoning');
  return accepted.slice(0, last + 1);
}

/** The store of a session may hold messages that another agent wrote. */
function isModelContent(value: unknown): value is readonly ContentPart[] {
  return Array.isArray(value) && value.every((part) => isRecord(part) && typeof part.type === 'string');
}
