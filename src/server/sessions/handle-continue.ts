/** Takes answers of people: checks them, saves them, and goes on with the run once the last one is there. */
import type { ErrorEvent } from '../../core/protocol/events.ts';
import { acceptAll, acceptSome, answerCall, restart, toAnswerer } from '../answers/accept-answers.ts';
import { refuseOldYes } from '../answers/ask-anew.ts';
import { checkAnswers, findAnswered, type ReceivedAnswer } from '../answers/check-answers.ts';
import { readAnswer } from '../answers/read-answer.ts';
import { checkNewAnswer, refusePerson } from '../answers/refuse-answer.ts';
import { rememberChoices } from '../answers/remembered-choices.ts';
import type { ContinueRequest } from '../parse-session-request.ts';
import type { SessionSettings } from '../runs/session-settings.ts';
import { describeUnknown, refusal } from '../session-errors.ts';
import { answered, type CallRecord, type CallRecords, type StoredAnswer } from '../store/call-record.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import { toStoredCall } from '../store/stored-form.ts';
import { asInterrupted, type RequestContext, settleWaitingRun } from './request-context.ts';

/** Answers of the client: saves them, then calls the agent again, or waits for the answers of other people. */
export async function handleContinue(
  context: RequestContext,
  request: ContinueRequest,
): Promise<EventSource> {
  await settleWaitingRun(context);
  const { settings, state, principal } = context;
  const record = state.getRecord();
  const { execution } = record;
  if (execution === null || execution.id !== request.executionId)
    return refuse(refusal('unknown_execution', describeUnknown(request.executionId, execution)));
  if (execution.state === 'stopped') {
    const message = `The execution '${execution.id}' was stopped; its calls are no longer awaited.`;
    return refuse(refusal('execution_closed', message));
  }
  const received = findAnswered(request, record, state.getStored());
  if ('type' in received) return refuse(received);
  // Whoever may not answer learns nothing else, and restarts nothing.
  for (const one of received) {
    const refused = await refusePerson(settings, principal, one);
    if (refused !== undefined) return refuse(refused);
  }
  const own = request.toolResults.map(({ toolCallId }) => toolCallId);
  const { partial } = request;
  const check = checkAnswers(received, {
    record,
    execution: asInterrupted(context, execution) ?? execution,
    principal,
    partial,
    read: (one) => readRepeated(settings, one),
  });
  if (check.type === 'error') return refuse(check);
  if (check.type === 'restart') {
    const repeated = check.repeated.map(({ key, call, answer }) => [key, withWhole(call, answer.result)]);
    const { acknowledge, lastSeq } = await restart(context, execution, Object.fromEntries(repeated));
    return context.startRequest(acknowledge, lastSeq, own);
  }
  const askedAnew = await refuseOldYes(context, execution, check.fresh);
  if (askedAnew !== undefined) return askedAnew;
  const answers = await answerAll(context, check.fresh);
  if ('type' in answers) return refuse(answers as ErrorEvent);
  const remember = () => rememberChoices(settings, principal, Object.values(answers));
  if (!check.isComplete) {
    const rest = await acceptSome(context, execution, answers);
    await remember();
    return rest;
  }
  const { acknowledge, lastSeq } = await acceptAll(context, execution, answers);
  await remember();
  return context.startRequest(acknowledge, lastSeq, own);
}

/** Returns the calls with their answers, or the first refusal: all of them are taken, or none. */
async function answerAll(
  { settings, principal }: RequestContext,
  fresh: readonly ReceivedAnswer[],
): Promise<CallRecords | ErrorEvent> {
  const answeredBy = toAnswerer(principal);
  const now = settings.clock.now();
  const calls: Record<string, CallRecord> = {};
  for (const one of fresh) {
    const checked = await checkNewAnswer(settings, now, one);
    if ('type' in checked) return checked;
    const { shown } = one.answer;
    calls[one.key] = await answerCall(settings, one.call, {
      ...checked.given,
      at: now,
      ...(answeredBy && { answeredBy }),
      ...(shown !== undefined && { shown }),
    });
  }
  return calls;
}

/** The repeated request brings what the store was not given. */
function withWhole({ answer, ...call }: CallRecord, result: unknown): CallRecord {
  const { redacted: _, ...rest } = answer as StoredAnswer;
  return { ...call, answer: { ...rest, result } };
}

/** What a repeated answer says, with as much of it as the session still has of the first one. */
function readRepeated({ tools, redactStored }: SessionSettings, { call, answer }: ReceivedAnswer) {
  const read = readAnswer(call, answer, tools);
  if ('fault' in read || !call.answer?.redacted) return 'fault' in read ? undefined : read.given;
  return toStoredCall(answered(call, { ...read.given, at: 0 }), redactStored).answer;
}

function refuse(event: ErrorEvent): EventSource {
  return createListSource([event]);
}
