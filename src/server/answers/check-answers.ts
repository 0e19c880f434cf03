/** Checks which of the answers of a continue are new. Who may answer is checked before. Pure: the caller saves the result. */
import type { ErrorEvent, ToolResult } from '../../core/protocol/events.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import type { Principal } from '../../shared/principal.ts';
import type { ContinueRequest } from '../parse-session-request.ts';
import { refusal } from '../session-errors.ts';
import { findCallKey, getCalls, turnOf } from '../store/call-keys.ts';
import { type CallRecord, resultOf, type StoredAnswer } from '../store/call-record.ts';
import type { ExecutionRecord, SessionRecord } from '../store/session-store.ts';
import type { GivenAnswer } from './read-answer.ts';

/** A call of the record, and the answer that a client has sent to it. */
export interface ReceivedAnswer {
  readonly key: string;
  readonly call: CallRecord;
  readonly answer: ToolResult;
}

/** Returns the calls that the client answers, or the refusal of an answer to a call that it was not asked to answer. */
export function findAnswered(
  { toolResults }: ContinueRequest,
  { calls, execution }: SessionRecord,
  stored: SessionRecord,
): readonly ReceivedAnswer[] | ErrorEvent {
  const received: ReceivedAnswer[] = [];
  for (const answer of toolResults) {
    const { toolCallId } = answer;
    const key = execution ? findCallKey(calls, turnOf(execution), toolCallId) : undefined;
    const call = key === undefined ? undefined : calls[key];
    if (key === undefined || call === undefined) {
      const message = `The call '${toolCallId}' was not sent to this client for an answer. Nothing was changed.`;
      return refusal('unknown_tool_call', message);
    }
    if (!isOwnResult(call, stored.calls[key], answer)) received.push({ key, call, answer });
  }
  return received;
}

/**
 * A client sends the results of the server back: the session has the originals, and ignores the copies. What a person says has an outcome, and
 * is no copy, even where the tool returned nothing.
 */
function isOwnResult(call: CallRecord, stored: CallRecord | undefined, answer: ToolResult): boolean {
  if (call.executedBy !== 'server' || call.stage === 'asked') return false;
  if (call.answer === undefined) return true;
  if (answer.outcome !== undefined) return false;
  const { result, error } = (stored && resultOf(stored)) ?? {};
  return call.end !== undefined && answer.error === error && deepEqual(answer.result ?? null, result ?? null);
}

/**
 * - `accept`: the new answers to open calls; `isComplete` if no call is left
 * - `restart`: the session accepted the same answers before, but the request they opened failed or was interrupted. `repeated` has those
 *   whose stored form lacks a secret, which the repeated request brings again
 * - `error`: the refusal
 */
export type AnswerCheck =
  | { readonly type: 'accept'; readonly fresh: readonly ReceivedAnswer[]; readonly isComplete: boolean }
  | { readonly type: 'restart'; readonly repeated: readonly ReceivedAnswer[] }
  | ErrorEvent;

interface CheckContext {
  readonly record: SessionRecord;
  /** The current execution; an interrupted one is known as such. */
  readonly execution: ExecutionRecord;
  readonly principal: Principal | undefined;
  readonly partial: boolean;
  /** Returns what an answer says, as the store would have it. */
  read(received: ReceivedAnswer): GivenAnswer | undefined;
}

export function checkAnswers(received: readonly ReceivedAnswer[], context: CheckContext): AnswerCheck {
  const { record, execution, partial } = context;
  const open = execution.state === 'waiting' ? getCalls(record.calls, execution.open) : [];
  const answeredBefore = received.filter(({ call }) => call.answer !== undefined);
  for (const one of answeredBefore) if (!isSameAnswer(one, context)) return alreadyAnswered(one.call);
  const fresh = received.filter(({ call }) => call.answer === undefined);
  const gone = fresh.find(({ call }) => !open.includes(call));
  if (gone !== undefined) return noLongerOpen(gone.call, execution);
  const isRestartable = execution.state === 'interrupted' || execution.state === 'failed';
  const isOver = open.length === 0 || answeredBefore.some(({ call }) => !open.includes(call));
  if (isOver) return isRestartable ? checkRepeated(answeredBefore, context) : notAwaited(answeredBefore);
  const missing = open.filter((call) => call.answer === undefined && !fresh.some((one) => one.call === call));
  if (missing.length > 0 && !partial) {
    const names = missing.map((call) => `'${call.toolCallId}'`).join(', ');
    const message = `All answers of a request come together, or with partial: true; missing: ${names}. Nothing was changed.`;
    return refusal('missing_tool_results', message);
  }
  return { type: 'accept', fresh, isComplete: missing.length === 0 };
}

/** Restarts a request whose answers are repeated. Whoever gave some of them repeats these alone. */
function checkRepeated(
  received: readonly ReceivedAnswer[],
  { execution, partial }: CheckContext,
): AnswerCheck {
  const { lastAnswers } = execution;
  const isLast = received.every(({ key }) => lastAnswers.includes(key));
  const isWhole = partial || received.length === lastAnswers.length;
  if (received.length === 0 || !isLast || !isWhole) return notAwaited(received);
  return { type: 'restart', repeated: received.filter(({ call }) => call.answer?.redacted) };
}

function notAwaited(received: readonly ReceivedAnswer[]): ErrorEvent {
  const [first] = received;
  if (first !== undefined) return alreadyAnswered(first.call);
  const message = 'No call of this execution waits for an answer. Nothing was changed.';
  return refusal('missing_tool_results', message);
}

/** Nobody but the person who gave an answer can repeat one of which the store has only a part. */
function isSameAnswer(received: ReceivedAnswer, { principal, read }: CheckContext): boolean {
  const { answer } = received.call;
  if (answer === undefined) return false;
  if (answer.redacted && answer.answeredBy?.id !== principal?.id) return false;
  const given = read(received);
  return (
    given !== undefined &&
    given.outcome === answer.outcome &&
    given.error === answer.error &&
    deepEqual([given.result ?? null, given.files], [answer.result ?? null, answer.files])
  );
}

function noLongerOpen(call: CallRecord, { id, state }: ExecutionRecord): ErrorEvent {
  const message =
    state === 'waiting'
      ? `The call '${call.toolCallId}' is not one of those that the execution '${id}' waits for. Nothing was changed.`
      : 'No call of this execution waits for an answer. Nothing was changed.';
  return about(call, refusal(state === 'waiting' ? 'unknown_tool_call' : 'missing_tool_results', message));
}

/** Says who answered, and when. */
function alreadyAnswered(call: CallRecord): ErrorEvent {
  const { toolCallId, answer } = call;
  const { outcome, answeredBy, at } = answer as StoredAnswer;
  const when = new Date(at).toISOString();
  if (outcome === 'expired') {
    const message = `The time to answer the call '${toolCallId}' was over at ${when}. Nothing was changed.`;
    return about(call, refusal('call_expired', message));
  }
  const who = answeredBy ? ` by ${answeredBy.name ?? answeredBy.id}` : '';
  const message = `The call '${toolCallId}' was answered${who} at ${when}, and that answer stands. Resume the execution to see its outcome.`;
  return about(call, refusal('already_answered', message));
}

/** The client shows the refusal on this call. */
export function about({ toolName, toolCallId }: CallRecord, refused: ErrorEvent): ErrorEvent {
  return { ...refused, tool: { name: toolName, callId: toolCallId } };
}
