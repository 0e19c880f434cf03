/** The conversation as the agent sees it. These functions make sure that every call is answered by exactly one tool message. */
import type { ToolResult } from '../../core/protocol/events.ts';
import type { FileReference } from '../../core/state/message.ts';
import { compact, isRecord } from '../../shared/json.ts';
import type { AgentMessage, AgentToolCall, AgentToolMessage, AgentUserMessage } from '../agent.ts';
import type { TriggerRequest } from '../parse-session-request.ts';
import { findDefinition, findServerTool } from '../tools/run-server-tools.ts';
import type { ServerTools } from '../tools/server-tool.ts';
import type { EndReason } from './run.ts';

/** The end of an open call whose run ends early. */
export const CLOSING = {
  interrupted: { outcome: 'aborted', error: 'Interrupted before the result was known' },
  stopped: { outcome: 'aborted', error: 'Stopped by the user' },
  superseded: { outcome: 'superseded', error: 'Superseded by a new message' },
} as const satisfies Record<EndReason, Closing>;

type Closing = Pick<ToolResult, 'outcome' | 'error'>;

/** The message that a trigger adds to the history. */
export function toUserMessage({ triggerName, input, idempotencyKey }: TriggerRequest): AgentUserMessage {
  const text = input.USER_MESSAGE;
  const files = Array.isArray(input.FILES) ? input.FILES.filter(isFileReference) : [];
  return {
    role: 'user',
    ...(idempotencyKey !== undefined && { id: idempotencyKey }),
    content: typeof text === 'string' ? text : `${triggerName} ${JSON.stringify(text ?? input)}`,
    trigger: triggerName,
    input,
    ...(files.length > 0 ? { files } : {}),
  };
}

/** Returns the messages before the one with the key `id`, or all of them without an `id`. Undefined if no message has the key. */
export function takeBefore(
  messages: readonly AgentMessage[],
  id: string | undefined,
): readonly AgentMessage[] | undefined {
  if (id === undefined) return messages;
  const index = messages.findIndex((message) => message.role === 'user' && message.id === id);
  return index < 0 ? undefined : messages.slice(0, index);
}

/**
 * Adds answers to the calls of the last assistant message. Tool messages stand in the order of the calls, not in that of the
 * answers.
 */
export function answerCalls(
  messages: readonly AgentMessage[],
  results: readonly ToolResult[],
): AgentMessage[] {
  const { through, calls, answers } = lastBatch(messages);
  const names = new Map(calls.map((call) => [call.toolCallId, call.toolName]));
  for (const result of results) {
    const toolName = names.get(result.toolCallId);
    if (toolName !== undefined) answers.set(result.toolCallId, toToolMessage(toolName, result));
  }
  return [...messages.slice(0, through), ...calls.flatMap((call) => answers.get(call.toolCallId) ?? [])];
}

/** Puts repeated answers in the place of the stored ones, which may be redacted. `from` is the index at which the execution begins. */
export function repeatAnswers(
  messages: readonly AgentMessage[],
  from: number,
  results: readonly ToolResult[],
): readonly AgentMessage[] {
  const repeated = new Map(results.map((result) => [result.toolCallId, result]));
  return messages.map((message, index) => {
    const result = message.role === 'tool' && index >= from ? repeated.get(message.toolCallId) : undefined;
    return message.role === 'tool' && result ? toToolMessage(message.toolName, result) : message;
  });
}

/** Answers every call that is still open with an error, so that the agent is never asked with a dangling call. */
export function closeOpenCalls(
  messages: readonly AgentMessage[],
  closing: Closing,
  isClosed: (call: AgentToolCall) => boolean = () => true,
): readonly AgentMessage[] {
  const open = openCallsOf(messages).filter(isClosed);
  if (open.length === 0) return messages;
  return answerCalls(
    messages,
    open.map(({ toolCallId }) => ({ toolCallId, ...closing })),
  );
}

/**
 * Closes the calls of a request that is run again, because nobody knows what they had done when they were interrupted. A tool that was made
 * by `defineServerTool` runs again from its start; the calls of the client beside it stay open, because they were not sent yet.
 */
export function closeInterrupted(
  messages: readonly AgentMessage[],
  tools: ServerTools,
): readonly AgentMessage[] {
  const runsAgain = openCallsOf(messages).some(({ toolName }) => findDefinition(tools, toolName));
  const isClosed = ({ toolName }: AgentToolCall) =>
    !runsAgain || typeof findServerTool(tools, toolName) === 'function';
  return closeOpenCalls(messages, CLOSING.interrupted, isClosed);
}

/** The calls of the last assistant message that have no answer. */
export function openCallsOf(messages: readonly AgentMessage[]): readonly AgentToolCall[] {
  const { calls, answers } = lastBatch(messages);
  return calls.filter((call) => !answers.has(call.toolCallId));
}

/** The ids of all calls in the messages. */
export function usedCallIds(messages: readonly AgentMessage[]): Set<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? []) ids.add(call.toolCallId);
  }
  return ids;
}

/**
 * Returns a function that gives each call of an invocation an id that no earlier call has. Some models count `call_0` anew in each
 * response; such an id gets a suffix.
 */
export function createCallIds(usedIds: ReadonlySet<string>): (id: string) => string {
  const used = new Set(usedIds);
  const names = new Map<string, string>();
  return (id) => {
    const known = names.get(id);
    if (known !== undefined) return known;
    let name = id;
    for (let count = 2; used.has(name); count += 1) name = `${id}-${count}`;
    used.add(name);
    names.set(id, name);
    return name;
  };
}

/** The calls of the last assistant message, if only tool messages follow it. */
function lastBatch(messages: readonly AgentMessage[]) {
  const answers = new Map<string, AgentToolMessage>();
  let index = messages.length - 1;
  let message = messages[index];
  while (message?.role === 'tool') {
    answers.set(message.toolCallId, message);
    message = messages[--index];
  }
  if (message?.role !== 'assistant' || message.toolCalls === undefined) {
    return { through: messages.length, calls: [] as readonly AgentToolCall[], answers };
  }
  return { through: index + 1, calls: message.toolCalls, answers };
}

function toToolMessage(toolName: string, answer: ToolResult): AgentToolMessage {
  const { toolCallId, result, error, outcome, reason } = answer;
  const given = error ? { error } : { result: result ?? null };
  return compact({ role: 'tool' as const, toolCallId, toolName, ...given, outcome, reason });
}

function isFileReference(value: unknown): value is FileReference {
  return isRecord(value) && ['id', 'mediaType', 'url'].every((key) => typeof value[key] === 'string');
}
