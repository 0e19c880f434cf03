/** Refuses answers: first those of people who may not answer, then those that are no answer to what was asked. */
import type { ErrorEvent } from '../../core/protocol/events.ts';
import type { Principal } from '../../shared/principal.ts';
import { checkReceipt, checkShown } from '../receipts/question-receipt.ts';
import type { SessionSettings } from '../runs/session-settings.ts';
import { refusal, sessionError } from '../session-errors.ts';
import { isOfServerTool } from '../store/call-record.ts';
import { findDefinition } from '../tools/find-server-tool.ts';
import { about, type ReceivedAnswer } from './check-answers.ts';
import { hasLostRule, mayAnswerCall } from './may-answer.ts';
import { type GivenAnswer, readAnswer } from './read-answer.ts';

/** Returns why this person may not answer the call, whatever the answer is. A process that cannot judge it refuses. */
export async function refusePerson(
  settings: SessionSettings,
  principal: Principal | undefined,
  { call }: ReceivedAnswer,
): Promise<ErrorEvent | undefined> {
  const { toolCallId, toolName } = call;
  if (isOfServerTool(call) && findDefinition(settings.tools, toolName) === undefined) {
    const message = `This process does not know the tool ${toolName}, so it cannot judge the answer to the call '${toolCallId}'. Nothing was changed; send it again.`;
    return about(call, sessionError('tool_unknown', 'internal_error', message, true));
  }
  if (hasLostRule(settings, call)) {
    const message = `This process lacks a rule of who may answer the call '${toolCallId}', which was there when the call was asked. Nothing was changed. Give the tool or the session its mayAnswer back, or stop the run.`;
    return about(call, refusal('not_allowed', message));
  }
  if (await mayAnswerCall(settings, principal, call)) return undefined;
  return about(
    call,
    refusal('not_allowed', `You may not answer the call '${toolCallId}'. Nothing was changed.`),
  );
}

/** Returns what a new answer says, or why it is not taken: the time, the receipt or the answer itself is not right. */
export async function checkNewAnswer(
  { tools, receipts, id: sessionId }: SessionSettings,
  now: number,
  { call, answer }: ReceivedAnswer,
): Promise<{ readonly given: GivenAnswer } | ErrorEvent> {
  const { toolCallId, deadline, question } = call;
  if (question && deadline !== undefined && deadline <= now) {
    const since = new Date(deadline).toISOString();
    const message = `The time to answer the call '${toolCallId}' was over at ${since}. Nothing was changed.`;
    return about(call, refusal('call_expired', message));
  }
  const why =
    receipts === undefined ? checkShown(call, answer) : await checkReceipt(receipts, sessionId, call, answer);
  if (why !== undefined) return about(call, refusal('invalid_receipt', `${why} Nothing was changed.`));
  const read = readAnswer(call, answer, tools);
  if ('given' in read) return read;
  const message = `The answer to the call '${toolCallId}' is not valid: ${read.fault}. Nothing was changed.`;
  return about(call, refusal('invalid_result', message));
}
