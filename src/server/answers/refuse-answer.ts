import type { ErrorEvent, PendingToolCall, ToolResult } from '../../core/protocol/events.ts';
import { checkReceipt } from '../receipts/question-receipt.ts';
import { refusal } from '../session-errors.ts';
import type { RequestContext } from '../sessions/session-requests.ts';
import type { ExecutionRecord } from '../store/session-store.ts';
import { checkQuestionAnswer } from './check-question-answer.ts';
import { mayAnswerCall } from './may-answer.ts';

/** An open call, and the answer that a client has sent to it. */
export interface AnsweredCall {
  readonly call: PendingToolCall;
  readonly answer: ToolResult;
}

/** Returns why an answer is not accepted: the person, the time, the receipt or the answer itself is not right. */
export async function refuseAnswer(
  context: RequestContext,
  execution: ExecutionRecord,
  { call, answer }: AnsweredCall,
): Promise<ErrorEvent | undefined> {
  const { toolCallId, toolName, deadline } = call;
  // The client shows the reason on this call, and sends the other answers again.
  const refuse: typeof refusal = (code, message) => ({
    ...refusal(code, message),
    tool: { name: toolName, callId: toolCallId },
  });
  if (!(await mayAnswerCall(context.settings, context.principal, call))) {
    return refuse('not_allowed', `You may not answer the call '${toolCallId}'. Nothing was changed.`);
  }
  const now = context.settings.clock.now();
  if (call.question && deadline !== undefined && deadline <= now) {
    return refuse(
      'call_expired',
      `The time to answer the call '${toolCallId}' is over. Nothing was changed.`,
    );
  }
  const { receipts, id: sessionId } = context.settings;
  if (receipts !== undefined) {
    const why = await checkReceipt(receipts, { sessionId, executionId: execution.id, call, answer });
    if (why !== undefined) return refuse('invalid_receipt', `${why} Nothing was changed.`);
  }
  const fault = checkQuestionAnswer(call, answer, context.settings.tools);
  if (fault === undefined) return undefined;
  const message = `The answer to the call '${toolCallId}' is not valid: ${fault}. Nothing was changed.`;
  return refuse('invalid_result', message);
}
