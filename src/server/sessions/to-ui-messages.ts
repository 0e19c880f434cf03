import type { ToolCallPart, UIMessage, UIMessagePart } from '../../core/state/message.ts';
import { compact } from '../../shared/json.ts';
import type { AgentMessage, AgentToolCall, AgentToolMessage, AgentUserMessage } from '../agent.ts';
import { CLOSING } from '../runs/history.ts';
import { waitingCalls } from '../runs/last-events.ts';
import type { AnswerRecord, SessionRecord, TurnRecord } from '../store/session-store.ts';
import { isQuestionOf } from '../tools/steps.ts';

/**
 * Returns the conversation of a stored session as a chat shows it: for the first paint on a server, as `initialMessages`, or to export it.
 *
 * The record has what the agent knows: texts, files, tool calls with their results and who answered them. Reasoning, sources and other
 * parts that only the stream had are not in it. Messages of the application that no person typed are left out.
 */
export function toUIMessages(record: SessionRecord): UIMessage[] {
  const { messages, execution, turns = [] } = record;
  const shown: UIMessage[] = [];
  let steps: AgentMessage[] = [];
  const endTurn = (turn: TurnRecord | undefined, at: number) => {
    const parts = toParts(steps, record, turn);
    steps = [];
    if (parts.length === 0) return;
    const { messageId: id = `message-${at}`, startedAt = 0 } = turn ?? {};
    shown.push({ id, role: 'assistant', parts, status: 'done', createdAt: new Date(startedAt) });
  };
  let turn: TurnRecord | undefined;
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'user') {
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
  const { startedAt = 0, startedBy } = turn ?? {};
  const sender = startedBy && compact({ id: startedBy.id, name: startedBy.name });
  const createdAt = new Date(startedAt);
  return { id, role: 'user', parts, status: 'done', createdAt, ...(sender && { sender }) };
}

/** The parts of one turn, in the order of the conversation. The questions of a tool follow its call. */
function toParts(
  steps: readonly AgentMessage[],
  record: SessionRecord,
  turn: TurnRecord | undefined,
): UIMessagePart[] {
  const results = new Map(
    steps.flatMap((step) => (step.role === 'tool' ? [[step.toolCallId, step] as const] : [])),
  );
  const answers = (record.answers ?? []).filter(({ executionId }) => executionId === turn?.executionId);
  return steps.flatMap((step): UIMessagePart[] => {
    if (step.role !== 'assistant') return [];
    const text: UIMessagePart[] =
      step.content === '' ? [] : [{ type: 'text', text: step.content, status: 'done' }];
    const calls = (step.toolCalls ?? []).flatMap((call) => {
      const answer = answers.findLast(({ toolCallId }) => toolCallId === call.toolCallId);
      const questions = answers.filter(({ toolCallId }) => isQuestionOf(call.toolCallId, toolCallId));
      return [
        toCallPart(call, results.get(call.toolCallId), answer, record),
        ...questions.map(toQuestionPart),
        ...toOpenQuestions(call, record),
      ];
    });
    return [...text, ...calls];
  });
}

function toCallPart(
  { toolCallId, toolName, args }: AgentToolCall,
  message: AgentToolMessage | undefined,
  answer: AnswerRecord | undefined,
  { execution }: SessionRecord,
): ToolCallPart {
  const open = execution?.open.find((call) => call.toolCallId === toolCallId);
  // An answer about a call of the server is no result: the result is that of the server.
  const isOfClient = answer ? answer.isApproval !== true : open !== undefined && open.question === undefined;
  return compact({
    type: 'tool-call' as const,
    toolCallId,
    toolName,
    args,
    status: toStatus(message, answer),
    result: message?.result,
    error: message?.error,
    outcome: message || isOfClient ? answer?.outcome : undefined,
    executedBy: isOfClient ? ('client' as const) : ('server' as const),
    answeredBy: answer?.answeredBy,
    waitsFor: message ? undefined : open?.waitsFor,
  });
}

function toQuestionPart(answer: AnswerRecord): ToolCallPart {
  const { toolCallId, toolName, args, outcome, result, error, answeredBy } = answer;
  const status = outcome === 'submitted' || outcome === 'declined' ? 'done' : 'cancelled';
  return compact({
    type: 'tool-call' as const,
    ...{ toolCallId, toolName, args, status, result, error, outcome, answeredBy },
    executedBy: 'client' as const,
  });
}

/** The questions of a call that wait. */
function toOpenQuestions({ toolCallId }: AgentToolCall, { execution }: SessionRecord): ToolCallPart[] {
  const waiting = execution ? waitingCalls(execution) : [];
  return waiting
    .filter((call) => isQuestionOf(toolCallId, call.toolCallId))
    .map((call) =>
      compact({
        type: 'tool-call' as const,
        toolCallId: call.toolCallId,
        toolName: call.toolName,
        args: call.args,
        status: 'running' as const,
        executedBy: 'client' as const,
        waitsFor: call.waitsFor,
      }),
    );
}

function toStatus(
  message: AgentToolMessage | undefined,
  answer: AnswerRecord | undefined,
): ToolCallPart['status'] {
  if (message === undefined) return 'running';
  if (message.error === undefined) return 'done';
  const wasClosed = Object.values(CLOSING).some(({ error }) => error === message.error);
  return wasClosed || answer?.outcome === 'cancelled' || answer?.outcome === 'expired'
    ? 'cancelled'
    : 'error';
}
