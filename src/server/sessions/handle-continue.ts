/** Takes answers of people: checks them, saves them, and goes on with the run once the last one is there. */
import type { PendingToolCall } from '../../core/protocol/events.ts';
import { acceptAll, acceptSome, restart } from '../answers/accept-answers.ts';
import { checkAnswers } from '../answers/check-answers.ts';
import { type AnsweredCall, refuseAnswer } from '../answers/refuse-answer.ts';
import { rememberChoices } from '../answers/remembered-choices.ts';
import { toAnswerRecord } from '../answers/to-answer-record.ts';
import type { ContinueRequest } from '../parse-session-request.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import { redactAnswer } from '../store/redact-stored.ts';
import { asInterrupted, ids, type RequestContext, settleWaitingRun } from './session-requests.ts';

/** Answers of the client: saves them, then calls the agent again, or waits for the answers of other people. */
export async function handleContinue(
  context: RequestContext,
  request: ContinueRequest,
): Promise<EventSource> {
  await settleWaitingRun(context);
  const { messages, execution } = context.state.getRecord();
  const check = checkAnswers(request, asInterrupted(context, execution), messages, (answer) =>
    redactAnswer(answer, messages, context.settings.redactStored),
  );
  if (check.type === 'error') return createListSource([check]);
  if (execution === null) return createListSource([]);
  const own = ids(request.toolResults);
  if (check.type === 'restart') {
    const { acknowledge, lastSeq } = await restart(context, execution, check.answers);
    return context.startRequest(acknowledge, lastSeq, own);
  }
  const answered = check.answers.map((answer): AnsweredCall => {
    const call = execution.open.find(({ toolCallId }) => toolCallId === answer.toolCallId);
    return { call: call as PendingToolCall, answer };
  });
  for (const one of answered) {
    const refused = await refuseAnswer(context, execution, one);
    if (refused !== undefined) return createListSource([refused]);
  }
  const answers = await Promise.all(answered.map((one) => toAnswerRecord(context, execution, one)));
  const given = [...(execution.given ?? []), ...check.answers];
  const remember = () => rememberChoices(context.settings, context.principal, execution, check.answers);
  if (!check.isComplete) {
    const rest = await acceptSome(context, execution, given, answers);
    await remember();
    return rest;
  }
  const { acknowledge, lastSeq } = await acceptAll(context, execution, given, answers);
  await remember();
  return context.startRequest(acknowledge, lastSeq, own);
}
