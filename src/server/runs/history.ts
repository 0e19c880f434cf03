/** The conversation as the agent sees it. These functions make sure that every call has exactly one result. */

import { isFileReference } from '../../shared/is-file-reference.ts';
import { compact } from '../../shared/json.ts';
import type { AgentMessage, AgentToolMessage, AgentUserMessage } from '../agent.ts';
import type { TriggerRequest } from '../parse-session-request.ts';
import { getCall, getCalls } from '../store/call-keys.ts';
import { type CallEnd, type CallRecord, type CallRecords, ended, resultOf } from '../store/call-record.ts';
import type { EndReason } from '../store/live-run.ts';
import type { MessageRecord, SessionRecord } from '../store/session-store.ts';
import { findDefinition, findServerTool } from '../tools/find-server-tool.ts';
import type { ServerTools } from '../tools/server-tool.ts';

/** The end of an open call whose run ends early. The texts are for the agent to read. */
export const CLOSING: Record<EndReason, CallEnd> = {
  interrupted: { error: 'Interrupted before the result was known', outcome: 'aborted' },
  stopped: { error: 'Stopped by the user', outcome: 'aborted' },
  superseded: { error: 'Superseded by a new message', outcome: 'superseded' },
};

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
  messages: readonly MessageRecord[],
  id: string | undefined,
): readonly MessageRecord[] | undefined {
  if (id === undefined) return messages;
  const index = messages.findIndex((message) => message.role === 'user' && message.id === id);
  return index < 0 ? undefined : messages.slice(0, index);
}

/** Returns the conversation as an agent sees it: each call is followed by its result, in the order of the calls. */
export function readHistory({
  messages,
  calls,
}: Pick<SessionRecord, 'messages' | 'calls'>): readonly AgentMessage[] {
  return messages.flatMap((message): AgentMessage[] => {
    if (message.role === 'user') return [message];
    const { calls: keys, ...said } = message;
    if (keys === undefined) return [said];
    const records = getCalls(calls, keys);
    const toolCalls = records.map(({ toolCallId, toolName, args }) => ({ toolCallId, toolName, args }));
    return [{ ...said, toolCalls }, ...records.flatMap(toToolMessage)];
  });
}

function toToolMessage(call: CallRecord): AgentToolMessage[] {
  const result = resultOf(call);
  const { toolCallId, toolName, end, answer } = call;
  if (result === undefined) return [];
  const given = end ? end.outcome : answer?.outcome;
  // A result was submitted and an error is a failure, unless something else is said.
  const outcome = given === (result.error === undefined ? 'submitted' : 'failed') ? undefined : given;
  // The result of a call that was declined has the reason. That of a call that was allowed is what the tool returned.
  const isAllowed = answer?.outcome === 'submitted' && end?.outcome === undefined;
  const reason = end && !isAllowed ? undefined : answer?.reason;
  const files = result.error === undefined ? answer?.files : undefined;
  return [compact({ role: 'tool' as const, toolCallId, toolName, ...result, files, outcome, reason })];
}

/** The keys of the calls of the last message that have no result. */
export function openCallKeys({
  messages,
  calls,
}: Pick<SessionRecord, 'messages' | 'calls'>): readonly string[] {
  const last = messages.at(-1);
  const keys = (last?.role === 'assistant' && last.calls) || [];
  return keys.filter((key) => {
    const call = getCall(calls, key);
    return call !== undefined && resultOf(call) === undefined;
  });
}

/**
 * Ends every call that is still open, and the questions of its tool, so that the agent is never asked with a dangling call. Returns the
 * changed calls.
 */
export function closeOpenCalls(
  record: Pick<SessionRecord, 'messages' | 'calls'>,
  end: CallEnd,
  isClosed: (call: CallRecord) => boolean = () => true,
): CallRecords {
  const keys = openCallKeys(record).filter((key) => isClosed(record.calls[key] as CallRecord));
  const questions = Object.keys(record.calls).filter((key) => {
    const { askedBy, stage } = record.calls[key] as CallRecord;
    return askedBy !== undefined && stage !== 'ended' && keys.includes(askedBy);
  });
  return Object.fromEntries([
    ...keys.map((key) => [key, ended(record.calls[key] as CallRecord, end)] as const),
    ...questions.map((key) => [key, ended(record.calls[key] as CallRecord)] as const),
  ]);
}

/**
 * Closes the calls of a request that is run again, because nobody knows what they had done when they were interrupted. A tool that was made
 * by `defineServerTool` runs again from its start; the calls of the client beside it stay open, because they were not sent yet.
 */
export function closeInterrupted(
  record: Pick<SessionRecord, 'messages' | 'calls'>,
  tools: ServerTools,
): CallRecords {
  const runsAgain = openCallKeys(record).some((key) =>
    findDefinition(tools, record.calls[key]?.toolName ?? ''),
  );
  const isClosed = ({ toolName, executedBy }: CallRecord) => {
    const tool = findServerTool(tools, toolName);
    // The request that runs again says of such a call that its tool is gone.
    if (executedBy === 'server' && tool === undefined) return false;
    return !runsAgain || typeof tool === 'function';
  };
  return closeOpenCalls(record, CLOSING.interrupted, isClosed);
}

/** The ids of all calls of a turn. */
export function callIdsOfTurn(calls: CallRecords, turnId: string): Set<string> {
  return new Set(Object.values(calls).flatMap((call) => (call.turnId === turnId ? [call.toolCallId] : [])));
}
