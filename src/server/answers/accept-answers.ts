/** Saves answers that are accepted, and says which request is to be started then. */
import type { AgentEvent, PendingToolCall, ToolResult } from '../../core/protocol/events.ts';
import { compact } from '../../shared/json.ts';
import { answerCalls, closeInterrupted, repeatAnswers } from '../runs/history.ts';
import { lastEntries } from '../runs/last-events.ts';
import { withCursor } from '../runs/run-source.ts';
import { ids, lastSeqAfterCrash, type RequestContext } from '../sessions/session-requests.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import type { AnswerRecord, ExecutionRecord } from '../store/session-store.ts';
import {
  APPROVAL,
  digestQuestion,
  type ExecutionSteps,
  findAsked,
  putStep,
  type Step,
} from '../tools/steps.ts';

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
    messages: closeInterrupted(
      repeatAnswers(messages, execution.historyStart, answers),
      context.settings.tools,
    ),
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
  const steps = await putAnswers(execution, inOrder, known);
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
      steps,
    },
    answers: withAskers(execution, answers),
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
  await context.state.save({ execution: next, answers: withAskers(execution, answers) });
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

/** The records of the answers, with the calls whose tools asked. */
function withAskers({ steps = {} }: ExecutionRecord, answers: readonly AnswerRecord[]): AnswerRecord[] {
  return answers.map((answer) =>
    compact({ ...answer, askedBy: findAsked(steps, answer.toolCallId)?.askedBy }),
  );
}

/** The steps of server tools with the answers to their questions. Each answer has its record. */
async function putAnswers(
  execution: ExecutionRecord,
  answers: readonly ToolResult[],
  records: readonly AnswerRecord[],
): Promise<ExecutionSteps> {
  let { steps = {} } = execution;
  for (const { toolCallId, result, error } of answers) {
    const call = execution.open.find((asked) => asked.toolCallId === toolCallId);
    const asked = findAsked(steps, toolCallId) ?? findApproval(call);
    if (asked === undefined) continue;
    const record = records.findLast(
      (other) => other.toolCallId === toolCallId && other.executionId === execution.id,
    ) as AnswerRecord;
    // The record may be redacted. The tool gets what the person said.
    const { outcome, answeredBy } = record;
    const answer = compact({ outcome, result, error, answeredBy });
    const { askedBy, key, attempt } = asked;
    // The step of a question that was asked before 0.2 has no digest, but the open call has its texts.
    const digest =
      asked.digest ?? (key !== APPROVAL && call?.question && (await digestQuestion(call.question)));
    const step: Step = compact({
      type: 'answered' as const,
      answer,
      attempt,
      toolCallId,
      digest: digest || undefined,
    });
    steps = putStep(steps, askedBy, key, step);
  }
  return steps;
}

/** The approval of a call is asked under the id of the call itself. */
function findApproval(call: PendingToolCall | undefined): ReturnType<typeof findAsked> {
  if (call?.executedBy !== 'server') return undefined;
  return { askedBy: call.toolCallId, key: APPROVAL, attempt: 1 };
}
