/** Removes secrets from tool results on their way to the store. */
import type { ToolResult } from '../../core/protocol/events.ts';
import type { AgentMessage } from '../agent.ts';
import type { SessionRecord } from './session-store.ts';

/** Returns the result of a call as the store may keep it. The result of its own result is the same result. */
export type RedactStored = (
  result: unknown,
  call: { readonly toolName: string; readonly toolCallId: string },
) => unknown;

/** The record as the store gets it. */
export function redactRecord(
  { messages, execution, ...record }: SessionRecord,
  redact: RedactStored | undefined,
): SessionRecord {
  if (redact === undefined) return { messages, execution, ...record };
  const redactResult = (result: ToolResult) => redactAnswer(result, messages, redact);
  return {
    ...record,
    messages: messages.map((message) =>
      message.role === 'tool' && message.error === undefined
        ? { ...message, result: redact(message.result, message) ?? null }
        : message,
    ),
    execution: execution && {
      ...execution,
      ran: execution.ran.map(redactResult),
      lastAnswers: execution.lastAnswers.map(redactResult),
    },
  };
}

/** The answer as the store gets it. `messages` is the history, which knows the tool of the call. */
export function redactAnswer(
  answer: ToolResult,
  messages: readonly AgentMessage[],
  redact: RedactStored | undefined,
): ToolResult {
  if (redact === undefined || answer.error) return answer;
  const { toolCallId, result } = answer;
  const message = messages.findLast((other) => other.role === 'tool' && other.toolCallId === toolCallId);
  const toolName = message?.role === 'tool' ? message.toolName : '';
  return { ...answer, result: redact(result, { toolName, toolCallId }) ?? null };
}
