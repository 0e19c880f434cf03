/** Takes answers of people: checks them, saves them, and goes on with the run once the last one is there. */
import type { AgentEvent, ErrorEvent, PendingToolCall, ToolResult } from '../../protocol/events.ts';
import { compact } from '../../shared/json.ts';
import { signRecord } from '../receipts/answer-receipt.ts';
import { checkReceipt } from '../receipts/question-receipt.ts';
import { APPROVAL, type ExecutionSteps, findAsked, putStep } from '../tools/steps.ts';
import { checkAnswers } from './check-answers.ts';
import { checkQuestionAnswer, toOutcome } from './check-question-answer.ts';
import type { LoggedEvent } from './event-log.ts';
import { createListSource, type EventSource } from './event-source.ts';
import { answerCalls, closeInterrupted, repeatAnswers } from './history.ts';
import { lastEntries } from './last-events.ts';
import { mayAnswerCall } from './may-answer.ts';
import type { ContinueRequest } from './parse-session-request.ts';
import { redactAnswer } from './redact-stored.ts';
import { rememberChoices } from './remembered-choices.ts';
import { withCursor } from './run-source.ts';
import { refusal } from './session-errors.ts';
import {
  asInterrupted,
  ids,
  lastSeqAfterCrash,
  type RequestContext,
  settleWaitingRun,
} from './session-requests.ts';
import type { AnswerRecord, ExecutionRecord } from './session-store.ts';

/** Answers of the client: saves them, then calls the agent again, or waits for the answers of other people. */
export async function handleContinue(
  context: RequestContext,
  request: ContinueRequest,
): Promise<EventSource> {
  await settleWaitingRun(context);
  const { messages, execution } = context.state.getRecord();
  const check = checkAnswers(request, asInterrupted(context, execution), messages, (answer) =>
    redactAnswer(answer, messages, context.redactStored),
  );
  if (check.type === 'error') return createListSource([check]);
  if (execution === null) return createListSource([]);
  const own = ids(request.toolResults);
  if (check.type === 'restart') {
    const { acknowledge, lastSeq } = await restart(context, execution, check.answers);
    return context.startRequest(acknowledge, lastSeq, own);
  }
  for (const answer of check.answers) {
    const refused = await refuseAnswer(context, execution, answer);
    if (refused !== undefined) return createListSource([refused]);
  }
  const answers = await Promise.all(
    check.answers.map((answer) => toAnswerRecord(context, execution, answer)),
  );
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

/** A request that can be started: the calls whose answers open it, and the last event before it. */
interface SavedRequest {
  readonly acknowledge: readonly string[];
  readonly lastSeq: number;
}

/** Saves that a request runs again which failed or was interrupted. `answers` are repeated ones, because the stored ones may be redacted. */
export async function restart(
  context: RequestContext,
  execution: ExecutionRecord,
  answers: readonly ToolResult[],
): Promise<SavedRequest> {
  const { messages } = context.state.getRecord();
  const lastSeq = lastSeqAfterCrash(execution);
  const repeated = new Map(answers.map((answer) => [answer.toolCallId, answer]));
  const lastAnswers = execution.lastAnswers.map((answer) => repeated.get(answer.toolCallId) ?? answer);
  await context.state.save({
    messages: closeInterrupted(repeatAnswers(messages, execution.historyStart, answers), context.tools),
    execution: { ...runningAfter(lastSeq), lastAnswers },
  });
  return { acknowledge: ids(lastAnswers), lastSeq };
}

/** Saves the last answers of a request. */
export async function acceptAll(
  context: RequestContext,
  execution: ExecutionRecord,
  given: readonly ToolResult[],
  answers: readonly AnswerRecord[],
): Promise<SavedRequest> {
  const { messages } = context.state.getRecord();
  const lastSeq = lastSeqAfterCrash(execution);
  const known = [...(context.state.getRecord().answers ?? []), ...answers];
  const byCall = new Map(given.map((answer) => [answer.toolCallId, answer]));
  const inOrder = execution.open.flatMap(({ toolCallId }) => byCall.get(toolCallId) ?? []);
  const ofClient = execution.open.filter((call) => call.question === undefined);
  await context.state.save({
    messages: answerCalls(
      messages,
      ofClient.flatMap(({ toolCallId }) => byCall.get(toolCallId) ?? []),
    ),
    execution: {
      ...runningAfter(lastSeq),
      lastAnswers: inOrder,
      answered: [...execution.answered, ...ids(inOrder)],
      answeredAt: execution.lastSeq,
      steps: putAnswers(execution, inOrder, known),
    },
    answers,
  });
  return { acknowledge: ids(inOrder), lastSeq };
}

/** Saves answers while other calls of the request still wait. The request that is left gets events of its own in the log. */
export async function acceptSome(
  context: RequestContext,
  execution: ExecutionRecord,
  given: readonly ToolResult[],
  answers: readonly AnswerRecord[],
): Promise<EventSource> {
  const { id, messageId, lastSeq } = execution;
  const start: AgentEvent = { type: 'start', messageId, executionId: id };
  if (answers.length === 0) return createListSource([start, ...lastEntries(execution).map(withCursor)]);
  const acknowledged = answers.map(
    ({ toolCallId }, index): LoggedEvent => ({
      seq: lastSeq + 1 + index,
      event: { type: 'tool-result-acknowledged', toolCallId, status: 'accepted' },
    }),
  );
  const rest = { given, ran: [], answeredAt: lastSeq, requestStart: lastSeq + 1 };
  const next = { ...execution, ...rest, lastSeq: lastSeq + acknowledged.length + 2 };
  await context.state.save({ execution: next, answers });
  const log = context.openLog(next);
  const last = lastEntries(next);
  for (const entry of [...acknowledged, ...last]) await log.append(entry);
  return createListSource([start, ...last.map(withCursor)]);
}

function runningAfter(lastSeq: number): Partial<ExecutionRecord> {
  return {
    ...{ state: 'running', open: [], ran: [], given: [], partial: null, ending: null },
    ...{ requestStart: lastSeq + 1, lastSeq },
  };
}

/** The steps of server tools with the answers to their questions. */
function putAnswers(
  execution: ExecutionRecord,
  answers: readonly ToolResult[],
  records: readonly AnswerRecord[],
): ExecutionSteps {
  const { steps = {} } = execution;
  return answers.reduce((before, { toolCallId, result, error }) => {
    const asked = findAsked(before, toolCallId) ?? findApproval(execution, toolCallId);
    if (asked === undefined) return before;
    const record = records.findLast(
      (other) => other.toolCallId === toolCallId && other.executionId === execution.id,
    );
    const answer = compact({
      outcome: record?.outcome ?? toOutcome({ toolCallId, result, ...(error && { error }) }),
      result,
      error,
      answeredBy: record?.answeredBy,
    });
    return putStep(before, asked.toolCallId, asked.key, { type: 'answered', answer, attempt: asked.attempt });
  }, steps);
}

/** The approval of a call is asked under the id of the call itself. */
function findApproval({ open }: ExecutionRecord, toolCallId: string): ReturnType<typeof findAsked> {
  const isApproval = open.some((call) => call.toolCallId === toolCallId && call.executedBy === 'server');
  return isApproval ? { toolCallId, key: APPROVAL, attempt: 1 } : undefined;
}

/** Returns why an answer is not accepted. */
async function refuseAnswer(
  context: RequestContext,
  execution: ExecutionRecord,
  answer: ToolResult,
): Promise<ErrorEvent | undefined> {
  const call = execution.open.find(({ toolCallId }) => toolCallId === answer.toolCallId);
  if (call === undefined) return undefined;
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
  const fault = checkQuestionAnswer(call, answer, context.tools);
  if (fault === undefined) return undefined;
  const message = `The answer to the call '${toolCallId}' is not valid: ${fault}. Nothing was changed.`;
  return refuse('invalid_result', message);
}

async function toAnswerRecord(
  context: RequestContext,
  execution: ExecutionRecord,
  answer: ToolResult,
): Promise<AnswerRecord> {
  const { settings, principal, redactStored } = context;
  const { error, shown } = answer;
  const call = execution.open.find(({ toolCallId }) => toolCallId === answer.toolCallId) as PendingToolCall;
  const result = error || !redactStored ? answer.result : redactStored(answer.result, call);
  const now = settings.clock.now();
  const record: AnswerRecord = compact({
    sessionId: settings.id,
    executionId: execution.id,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    args: call.args,
    isApproval: call.executedBy === 'server' || undefined,
    outcome: toOutcome(answer),
    result: error === undefined ? (result ?? null) : undefined,
    error,
    answeredBy: principal && compact({ id: principal.id, name: principal.name }),
    askedAt: execution.askedAt ?? now,
    answeredAt: now,
    receipt: call.receipt,
    shown,
  });
  return signRecord(settings.receipts, record);
}
