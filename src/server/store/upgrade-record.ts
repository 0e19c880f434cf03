/**
 * Turns records of version 1, which handrail 0.1 stored, into those of this version. Version 1 kept the calls in the messages, in `open`,
 * in `steps` and in a list of answers.
 */
import { compact } from '../../shared/json.ts';
import { isApprovalYes } from '../../shared/tool-outcome.ts';
import type { AgentMessage, AgentToolMessage } from '../agent.ts';
import { findCallKey, newCallKey } from './call-keys.ts';
import type { CallRecord, CallRecords, StoredAnswer, StoredStep } from './call-record.ts';
import type { AnswerV1, ExecutionV1, RecordV1, StepV1 } from './record-v1.ts';
import type { ExecutionRecord, MessageRecord, SessionRecord } from './session-store.ts';

/** As `readRecord`, but the calls of an old record get no digest: for those who show a record and run nothing of it. */
export function upgradeRecord(stored: SessionRecord | RecordV1): SessionRecord {
  return 'version' in stored ? stored : upgrade(stored);
}

/** The key of the question whether a call may run, in the steps of version 1. */
const APPROVAL_V1 = 'approval';

function upgrade(stored: RecordV1): SessionRecord {
  const { revision, execution, receivedKeys, turns = [] } = stored;
  const calls: Record<string, CallRecord> = {};
  const messages = readMessages(stored, calls);
  if (execution !== null) readExecutionCalls(stored, execution, calls);
  readOtherAnswers(stored, calls);
  for (const [key, call] of Object.entries(calls)) calls[key] = withoutInexactYes(call);
  const indexOf = (index: number) =>
    stored.messages.slice(0, index).filter(({ role }) => role !== 'tool').length;
  return compact({
    version: 2 as const,
    revision,
    messages,
    execution: execution && upgradeExecution(execution, calls, indexOf),
    calls,
    receivedKeys,
    turns: turns.map((turn) => ({ ...turn, at: indexOf(turn.at) })),
  }) as SessionRecord;
}

/** Version 1 took whatever is no plain no for a yes, such as `false`. A call that has not run by such an answer is asked again. */
function withoutInexactYes(call: CallRecord): CallRecord {
  const { executedBy, end, answer, ...rest } = call;
  const isYes = executedBy === 'server' && end === undefined && answer?.outcome === 'submitted';
  if (!isYes || isApprovalYes(answer.result)) return call;
  return { ...rest, executedBy, stage: call.question ? 'asked' : 'called' };
}

function upgradeExecution(
  execution: ExecutionV1,
  calls: Readonly<Record<string, CallRecord>>,
  indexOf: (index: number) => number,
): ExecutionRecord {
  const {
    answeredAt,
    open,
    ran,
    lastAnswers,
    historyStart,
    answered: _,
    given: __,
    steps: ___,
    ...same
  } = execution;
  const turnId = execution.repeats ?? execution.id;
  const toKeys = (items: readonly { readonly toolCallId: string }[]) =>
    items.flatMap(({ toolCallId }) => findCallKey(calls, turnId, toolCallId) ?? []);
  return {
    ...same,
    historyStart: indexOf(historyStart),
    open: toKeys(open),
    ran: toKeys(ran),
    lastAnswers: toKeys(lastAnswers),
    answeredSeq: answeredAt,
  };
}

/** The messages without the copies of their calls, which become records. */
function readMessages(
  { messages, answers = [], turns = [], execution }: RecordV1,
  calls: Record<string, CallRecord>,
): readonly MessageRecord[] {
  const upgraded: MessageRecord[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') continue;
    if (message.role === 'user') {
      upgraded.push(message);
      continue;
    }
    const executionId = turns.findLast(({ at }) => at <= index)?.executionId ?? execution?.id ?? '';
    const isCurrent = executionId === execution?.id;
    const turnId = isCurrent ? (execution?.repeats ?? executionId) : executionId;
    const { toolCalls = [], ...rest } = message;
    const keys: string[] = [];
    for (const { toolCallId, toolName, args } of toolCalls) {
      const key = newCallKey(calls, toolCallId);
      const answer = answers.findLast(
        (one) => one.toolCallId === toolCallId && one.executionId === executionId,
      );
      const result = findResult(messages, index, toolCallId);
      const wasAsked = isCurrent && execution?.open.some((call) => call.toolCallId === toolCallId);
      const isOfClient = answer ? answer.isApproval !== true : wasAsked === true;
      const call = createOldCall({
        ...{ toolCallId, executionId, turnId, toolName, args },
        executedBy: isOfClient ? 'client' : 'server',
      });
      calls[key] = withEnd(answer ? withAnswer(call, answer, result) : call, isOfClient ? undefined : result);
      keys.push(key);
    }
    upgraded.push({ ...rest, ...(keys.length > 0 && { calls: keys }) });
  }
  return upgraded;
}

function createOldCall(call: Omit<CallRecord, 'stage'>): CallRecord {
  return { ...call, stage: 'called' };
}

function findResult(messages: readonly AgentMessage[], index: number, toolCallId: string) {
  for (const message of messages.slice(index + 1)) {
    if (message.role !== 'tool') return undefined;
    if (message.toolCallId === toolCallId) return message;
  }
  return undefined;
}

function withEnd(call: CallRecord, message: AgentToolMessage | undefined): CallRecord {
  if (message === undefined) return call;
  const { error, result } = message;
  return { ...call, stage: 'ended', end: error === undefined ? { result: result ?? null } : { error } };
}

function withAnswer(call: CallRecord, answer: AnswerV1, message?: AgentToolMessage): CallRecord {
  const { outcome, error, answeredBy, answeredAt, answerReceipt, shown, remembered } = answer;
  const stored: StoredAnswer = compact({
    outcome,
    result: error === undefined ? (answer.result ?? message?.result ?? null) : undefined,
    ...{ error, answeredBy, at: answeredAt, receipt: answerReceipt, shown, remembered },
  });
  return compact({
    ...call,
    stage: 'answered' as const,
    askedAt: answer.askedAt,
    receipt: answer.receipt,
    answer: stored,
    question: call.question ?? (answer.isApproval ? { ui: 'confirm' as const } : undefined),
  }) as CallRecord;
}

/** The open calls of the execution, its questions among them, and the steps of its tools. */
function readExecutionCalls(
  { answers = [] }: RecordV1,
  execution: ExecutionV1,
  calls: Record<string, CallRecord>,
): void {
  const { id: executionId, repeats: turnId = executionId, open, steps = {}, given = [], askedAt } = execution;
  for (const [toolCallId, stepsOfCall] of Object.entries(steps)) {
    const key = findCallKey(calls, turnId, toolCallId);
    const call = key === undefined ? undefined : calls[key];
    if (key === undefined || call === undefined) continue;
    calls[key] = { ...call, executedBy: 'server', steps: readSteps(toolCallId, stepsOfCall) };
    const approval = stepsOfCall[APPROVAL_V1];
    if (approval?.type === 'answered' && call.answer === undefined)
      calls[key] = {
        ...(calls[key] ?? call),
        stage: 'answered',
        answer: { ...approval.answer, at: askedAt ?? 0 },
      };
    for (const [stepKey, step] of Object.entries(stepsOfCall)) {
      if (step.type !== 'answered' || stepKey === APPROVAL_V1) continue;
      const questionId = toQuestionIdV1(toolCallId, stepKey, step.attempt);
      const asked = createOldCall({
        ...{ toolCallId: questionId, executionId, turnId, toolName: call.toolName, args: call.args },
        ...{ executedBy: 'client', askedBy: key },
      });
      calls[newCallKey(calls, questionId)] = {
        ...asked,
        stage: 'answered',
        answer: { ...step.answer, at: askedAt ?? 0 },
      };
    }
  }
  for (const pending of open) {
    const { toolCallId, toolName, args, executedBy, question, deadline, waitsFor, receipt, ...echo } =
      pending;
    const known = findCallKey(calls, turnId, toolCallId);
    const key = known ?? newCallKey(calls, toolCallId);
    const askedBy = findAsking(steps, toolCallId);
    const base =
      (known && calls[known]) ||
      createOldCall({ toolCallId, executionId, turnId, toolName, args, executedBy: 'client' });
    const asked = compact({
      ...base,
      stage: 'asked' as const,
      executedBy: executedBy ?? 'client',
      askedBy: askedBy && findCallKey(calls, turnId, askedBy),
      echo: Object.keys(echo).length > 0 ? echo : undefined,
      ...{ question, deadline, waitsFor, receipt, askedAt },
    }) as CallRecord;
    const answer = answers.findLast(
      (one) => one.toolCallId === toolCallId && one.executionId === executionId,
    );
    const isGiven = given.some((one) => one.toolCallId === toolCallId);
    calls[key] = isGiven && answer ? withAnswer(asked, answer) : asked;
  }
}

function readSteps(toolCallId: string, steps: Readonly<Record<string, StepV1>>) {
  const read = Object.entries(steps).flatMap(([key, step]): (readonly [string, StoredStep])[] => {
    if (key === APPROVAL_V1) return [];
    if (step.type !== 'answered') return [[key, step]];
    const { attempt } = step;
    return [[key, { type: 'asked', toolCallId: toQuestionIdV1(toolCallId, key, attempt), attempt }]];
  });
  return Object.fromEntries(read);
}

/** The answers of earlier executions whose questions are in no message: those that tools have asked. */
function readOtherAnswers({ answers = [] }: RecordV1, calls: Record<string, CallRecord>): void {
  for (const answer of answers) {
    const { toolCallId, executionId, toolName, args } = answer;
    const known = Object.values(calls).find(
      (call) => call.toolCallId === toolCallId && call.executionId === executionId,
    );
    const key = known && Object.keys(calls).find((one) => calls[one] === known);
    if (known && key !== undefined) {
      if (known.answer?.receipt === undefined && known.answer) calls[key] = withAnswer(known, answer);
      continue;
    }
    const askedBy = findEarlierAsker(calls, executionId, toolCallId);
    const call = createOldCall({
      ...{ toolCallId, executionId, turnId: executionId, toolName, args },
      ...{ executedBy: 'client', ...(askedBy !== undefined && { askedBy }) },
    });
    calls[newCallKey(calls, toolCallId)] = { ...withAnswer(call, answer), stage: 'ended' };
  }
}

/** The question `a:1:2` of version 1 was more likely asked by the call `a:1` than by `a`. */
function findEarlierAsker(calls: CallRecords, executionId: string, questionId: string): string | undefined {
  const idOf = (key: string) => calls[key]?.toolCallId ?? '';
  return Object.keys(calls)
    .filter((key) => calls[key]?.executionId === executionId && questionId.startsWith(`${idOf(key)}:`))
    .sort((one, other) => idOf(other).length - idOf(one).length)[0];
}

function findAsking(steps: NonNullable<ExecutionV1['steps']>, questionId: string): string | undefined {
  return Object.entries(steps).find(([, ofCall]) =>
    Object.values(ofCall).some((step) => step.type === 'asked' && step.toolCallId === questionId),
  )?.[0];
}

/** Version 1 named a question by its call, its key and its attempt. */
function toQuestionIdV1(toolCallId: string, stepKey: string, attempt: number): string {
  const name = stepKey.slice('ask '.length);
  return attempt > 1 ? `${toolCallId}:${name}:${attempt}` : `${toolCallId}:${name}`;
}
