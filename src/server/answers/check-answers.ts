/** Checks the answers of a continue. Pure: the caller saves the result. */
import type { ErrorEvent, ToolResult } from '../../core/protocol/events.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import type { AgentMessage } from '../agent.ts';
import type { ContinueRequest } from '../parse-session-request.ts';
import { usedCallIds } from '../runs/history.ts';
import { describeUnknown, refusal } from '../session-errors.ts';
import type { ExecutionRecord } from '../store/session-store.ts';
import { APPROVAL } from '../tools/steps.ts';

/**
 * - `accept`: the new answers to open calls, in the order of the calls; `isComplete` if no call is left
 * - `restart`: the session accepted the same answers before, but the request they opened failed or was interrupted. These are
 *   the answers of the repeated request, because the stored ones may be redacted
 * - `error`: the refusal
 */
export type AnswerCheck =
  | { readonly type: 'accept'; readonly answers: readonly ToolResult[]; readonly isComplete: boolean }
  | { readonly type: 'restart'; readonly answers: readonly ToolResult[] }
  | ErrorEvent;

/**
 * Checks the answers of a client. Copies of the server's own results are ignored: the session has the originals.
 * `messages` is the history, which knows the calls that are neither open nor answered by a client. `redact` returns an answer as
 * the store has it.
 */
export function checkAnswers(
  request: ContinueRequest,
  execution: ExecutionRecord | null,
  messages: readonly AgentMessage[],
  redact: (answer: ToolResult) => ToolResult,
): AnswerCheck {
  if (execution === null || execution.id !== request.executionId) {
    return refusal('unknown_execution', describeUnknown(request.executionId, execution));
  }
  if (execution.state === 'stopped') {
    const message = `The execution '${execution.id}' was stopped; its calls are no longer awaited.`;
    return refusal('execution_closed', message);
  }
  const known = usedCallIds(messages.slice(execution.historyStart));
  const earlier = new Map((execution.given ?? []).map((answer) => [answer.toolCallId, answer]));
  const open = new Map(execution.open.map((call) => [call.toolCallId, call]));
  const answered = new Set(execution.answered);
  const given = new Map<string, ToolResult>();
  for (const result of request.toolResults) {
    const { toolCallId } = result;
    const before = earlier.get(toolCallId);
    if (before !== undefined) {
      if (!isSameAnswer(before, result)) return alreadyAnswered(toolCallId);
    } else if (
      open.has(toolCallId) ||
      (answered.has(toolCallId) && !isOwnResult(execution, result, redact))
    ) {
      given.set(toolCallId, result);
    } else if (!known.has(toolCallId)) {
      const message = `The call '${toolCallId}' was not sent to this client for an answer. Nothing was changed.`;
      return refusal('unknown_tool_call', message);
    }
  }
  for (const toolCallId of given.keys()) {
    if (answered.has(toolCallId)) return checkRepeated(request, given, execution, toolCallId, redact);
  }
  if (execution.state !== 'waiting') {
    const message = 'No call of this execution waits for an answer. Nothing was changed.';
    return refusal('missing_tool_results', message);
  }
  const missing = execution.open.filter(
    ({ toolCallId }) => !given.has(toolCallId) && !earlier.has(toolCallId),
  );
  if (missing.length > 0 && !request.partial) {
    const names = missing.map((call) => `'${call.toolCallId}'`).join(', ');
    const message = `All answers of a request come together, or with partial: true; missing: ${names}. Nothing was changed.`;
    return refusal('missing_tool_results', message);
  }
  const answers = execution.open.flatMap((call) => given.get(call.toolCallId) ?? []);
  return { type: 'accept', answers, isComplete: missing.length === 0 };
}

/** Refuses answers that were accepted before, unless they are the last ones and their request failed or was interrupted. */
function checkRepeated(
  { partial }: ContinueRequest,
  given: ReadonlyMap<string, ToolResult>,
  execution: ExecutionRecord,
  toolCallId: string,
  redact: (answer: ToolResult) => ToolResult,
): AnswerCheck {
  const restartable = execution.state === 'interrupted' || execution.state === 'failed';
  const accepted = new Map(execution.lastAnswers.map((answer) => [answer.toolCallId, answer]));
  // Who gave some of the answers repeats these alone.
  const identical =
    (partial || given.size === accepted.size) &&
    [...given].every(([id, repeated]) => {
      const before = accepted.get(id);
      return before !== undefined && isSameAnswer(redact(before), redact(repeated));
    });
  if (restartable && identical) return { type: 'restart', answers: [...given.values()] };
  return alreadyAnswered(toolCallId);
}

function alreadyAnswered(toolCallId: string): ErrorEvent {
  const message = `The call '${toolCallId}' was answered before, and that answer stands. Resume the execution to see its outcome.`;
  return refusal('already_answered', message);
}

/**
 * A client sends the results of the server back. That of a call which a person allowed has the id of the approval, and is no answer. The
 * approval itself may be repeated, too.
 */
function isOwnResult(
  { steps = {}, lastAnswers }: ExecutionRecord,
  result: ToolResult,
  redact: (answer: ToolResult) => ToolResult,
): boolean {
  const { toolCallId } = result;
  const accepted = lastAnswers.find((answer) => answer.toolCallId === toolCallId);
  const wasApproved = steps[toolCallId]?.[APPROVAL]?.type === 'answered';
  return wasApproved && !(accepted && isSameAnswer(redact(accepted), redact(result)));
}

function isSameAnswer(accepted: ToolResult, repeated: ToolResult): boolean {
  return accepted.error === repeated.error && deepEqual(accepted.result, repeated.result);
}
