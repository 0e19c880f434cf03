import type { ToolCallPart, UIMessage, UIMessagePart } from '../../core/state/message.ts';
import { compact } from '../../shared/json.ts';
import type { AgentUserMessage } from '../agent.ts';
import { getCall } from '../store/call-keys.ts';
import {
  allowedArguments,
  type CallRecord,
  type CallRecords,
  originalArguments,
  resultOf,
} from '../store/call-record.ts';
import type { AssistantMessageRecord, SessionRecord, TurnRecord } from '../store/session-store.ts';
import { upgradeRecord } from '../store/upgrade-record.ts';

/**
 * Returns the conversation of a stored session as a chat shows it: for the first paint on a server, as `initialMessages`, or to export it.
 *
 * The record has what the agent knows: texts, files, tool calls with their results and who answered them. Reasoning, sources and other
 * parts that only the stream had are not in it. Messages of the application that no person typed are left out.
 */
export function toUIMessages(stored: SessionRecord): UIMessage[] {
  const record = upgradeRecord(stored);
  const { messages, execution, turns = [] } = record;
  const shown: UIMessage[] = [];
  let steps: AssistantMessageRecord[] = [];
  const endTurn = (turn: TurnRecord | undefined, at: number) => {
    const parts = steps.flatMap((step) => toParts(step, record));
    steps = [];
    if (parts.length === 0) return;
    const { messageId: id = `message-${at}`, startedAt = 0, metadata } = turn ?? {};
    const message = {
      id,
      role: 'assistant',
      parts,
      status: 'done',
      createdAt: new Date(startedAt),
      metadata,
    } as const;
    shown.push(compact(message) as UIMessage);
  };
  // Where the assistant spoke first, the first turn has no message of a person.
  let turn = turns.find(({ at }) => at === 0);
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') {
      steps.push(message);
      continue;
    }
    endTurn(turn, index);
    turn = turns.find(({ at }) => at === index + 1);
    const user = toUserMessage(message, turn, index);
    if (user !== undefined) shown.push(user);
  }
  if (execution?.partial) steps.push(execution.partial);
  endTurn(turn, messages.length);
  return shown;
}

function toUserMessage(
  message: AgentUserMessage,
  turn: TurnRecord | undefined,
  index: number,
): UIMessage | undefined {
  const { id = `message-${index}`, input, files = [] } = message;
  const text = input.USER_MESSAGE;
  if (typeof text !== 'string') return undefined;
  const parts: UIMessagePart[] = files.map((file) => ({ ...file, type: 'file' }));
  if (text !== '') parts.unshift({ type: 'text', text, status: 'done' });
  const { startedAt = 0, startedBy, userMetadata: metadata } = turn ?? {};
  const sender = startedBy && compact({ id: startedBy.id, name: startedBy.name });
  const createdAt = new Date(startedAt);
  return compact({
    id,
    role: 'user' as const,
    parts,
    status: 'done' as const,
    createdAt,
    sender,
    metadata,
  }) as UIMessage;
}

/** The parts of one message, in the order of the conversation. The questions of a tool follow its call. */
function toParts(
  { content, calls: keys = [] }: AssistantMessageRecord,
  { calls }: SessionRecord,
): UIMessagePart[] {
  const text: UIMessagePart[] = content === '' ? [] : [{ type: 'text', text: content, status: 'done' }];
  const parts = keys.flatMap((key) => {
    const call = getCall(calls, key);
    if (call === undefined) return [];
    const questions = Object.values(calls).filter(
      ({ askedBy, answer, stage }) => askedBy === key && (answer !== undefined || stage === 'asked'),
    );
    return [call, ...questions].map((one) => toCallPart(one, calls));
  });
  return [...text, ...parts];
}

function toCallPart(call: CallRecord, calls: CallRecords): ToolCallPart {
  const { toolCallId, toolName, title, answer, end, executedBy, askedBy, stage, question, waitsFor } = call;
  // The answer to a question is its result. The answer about a call of the server is none: that is the output of its tool.
  const shown =
    askedBy === undefined
      ? resultOf(call)
      : answer && compact({ result: answer.result, error: answer.error });
  return compact({
    type: 'tool-call' as const,
    ...{ toolCallId, toolName, executedBy },
    displayName: question?.title ?? title,
    args: allowedArguments(call),
    originalArgs: originalArguments(call, calls),
    inputSchema: question?.inputSchema,
    status: toStatus(call, shown),
    result: shown?.result,
    error: shown?.error,
    outcome: end?.outcome ?? answer?.outcome,
    reason: answer?.reason,
    files: answer?.files,
    answeredBy: answer?.answeredBy,
    waitsFor: stage === 'asked' ? waitsFor : undefined,
  });
}

function toStatus(
  { end, answer, askedBy }: CallRecord,
  shown: ReturnType<typeof resultOf>,
): ToolCallPart['status'] {
  const { outcome } = answer ?? {};
  // A call that was allowed has its result only when its tool has run. The agent may get a no later, but nothing runs.
  if (shown === undefined && (outcome === undefined || outcome === 'submitted')) return 'running';
  const wasNotAnswered =
    outcome !== undefined && !['submitted', 'declined', 'failed', 'timed-out'].includes(outcome);
  if (end?.outcome !== undefined || wasNotAnswered) return 'cancelled';
  if (askedBy !== undefined && (outcome === 'submitted' || outcome === 'declined')) return 'done';
  return shown?.error === undefined ? 'done' : 'error';
}
