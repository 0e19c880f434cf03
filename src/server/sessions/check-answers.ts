/** Whether a continue may go on with an execution. Pure: what it decides is saved by the caller. */
import type { ErrorEvent, ToolResult } from '../../protocol/events.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { AgentMessage } from '../agent.ts';
import { usedCallIds } from './history.ts';
import type { ContinueRequest } from './parse-session-request.ts';
import { describeUnknown, refusal } from './session-errors.ts';
import type { ExecutionRecord } from './session-store.ts';

/**
 * - `accept`: the answers of the open batch, in the order of the request
 * - `restart`: the same answers were accepted before, but the leg they opened came to nothing
 * - otherwise the refusal
 */
export type Verdict =
  | { readonly kind: 'accept'; readonly answers: readonly ToolResult[] }
  | { readonly kind: 'restart' }
  | ErrorEvent;

/**
 * Judges the answers. Copies of the server's own results are ignored: the originals never left the server.
 * `messages` is the history, which knows the calls that are neither open nor answered by a client.
 */
export function judgeAnswers(
  request: ContinueRequest,
  execution: ExecutionRecord | null,
  messages: readonly AgentMessage[],
): Verdict {
  if (execution === null || execution.id !== request.executionId) {
    return refusal('unknown_execution', describeUnknown(request.executionId, execution));
  }
  if (execution.state === 'stopped') return closed(execution);
  const known = usedCallIds(messages.slice(execution.historyStart));
  const open = new Map(execution.open.map((call) => [call.toolCallId, call]));
  const answered = new Set(execution.answered);
  const given = new Map<string, ToolResult>();
  for (const result of request.toolResults) {
    const { toolCallId } = result;
    if (open.has(toolCallId) || answered.has(toolCallId)) given.set(toolCallId, result);
    else if (!known.has(toolCallId)) {
      const message = `The call '${toolCallId}' was not handed to this client. Nothing was changed.`;
      return refusal('unknown_tool_call', message);
    }
  }
  for (const toolCallId of given.keys()) {
    if (answered.has(toolCallId)) return judgeRepeated(given, execution, toolCallId);
  }
  if (execution.state !== 'waiting') {
    return refusal(
      'missing_tool_results',
      'No call of this execution waits for an answer. Nothing was changed.',
    );
  }
  const missing = execution.open.filter((call) => !given.has(call.toolCallId));
  if (missing.length > 0) {
    const names = missing.map((call) => `'${call.toolCallId}'`).join(', ');
    const message = `All answers of a request come together; missing: ${names}. Nothing was changed.`;
    return refusal('missing_tool_results', message);
  }
  return { kind: 'accept', answers: execution.open.flatMap((call) => given.get(call.toolCallId) ?? []) };
}

/** Answers that were accepted before: refused, unless they are the last ones and their leg came to nothing. */
function judgeRepeated(
  given: ReadonlyMap<string, ToolResult>,
  execution: ExecutionRecord,
  toolCallId: string,
): Verdict {
  const restartable = execution.state === 'interrupted' || execution.state === 'failed';
  const identical =
    given.size === execution.lastAnswers.length &&
    execution.lastAnswers.every((answer) => isSameAnswer(answer, given.get(answer.toolCallId)));
  if (restartable && identical) return { kind: 'restart' };
  return refusal(
    'already_answered',
    `The call '${toolCallId}' was answered before, and that answer stands. Resume the execution to see what came of it.`,
  );
}

function isSameAnswer(accepted: ToolResult, repeated: ToolResult | undefined): boolean {
  return (
    repeated !== undefined &&
    accepted.error === repeated.error &&
    canonicalJson(accepted.result) === canonicalJson(repeated.result)
  );
}

function closed(execution: ExecutionRecord): ErrorEvent {
  const message = `The execution '${execution.id}' was stopped; its calls are no longer awaited.`;
  return refusal('execution_closed', message);
}
