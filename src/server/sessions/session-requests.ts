/** What becomes of each request. Called one at a time per session; everything is saved before it takes effect. */
import type { AgentEvent, ErrorEvent, FinishEvent, NoticeEvent } from '../../protocol/events.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { AgentMessage } from '../agent.ts';
import { judgeAnswers } from './check-answers.ts';
import type { EventLog, LoggedEvent } from './event-log.ts';
import { createListSource, type EventSource } from './event-source.ts';
import { answerCalls, closeOpenCalls, toUserMessage } from './history.ts';
import { lastEntries, readLog } from './last-events.ts';
import type { LiveSession } from './live-session.ts';
import type { ContinueRequest, ResumeRequest, StopRequest, TriggerRequest } from './parse-session-request.ts';
import type { Run } from './run.ts';
import type { EndReason } from './run-ended.ts';
import { CLOSING_TEXT } from './run-request.ts';
import { withCursor } from './run-source.ts';
import { describeUnknown, refusal, sessionError } from './session-errors.ts';
import type { SessionState } from './session-state.ts';
import type { ExecutionRecord } from './session-store.ts';

/** What a decision works with. */
export interface Desk {
  readonly live: LiveSession;
  readonly state: SessionState;
  /** Another process saved while this decision was first taken: a run it started is alive there. */
  readonly contended: boolean;
  createId(): string;
  openLog(execution: ExecutionRecord): EventLog;
  /** Starts the next leg of the current execution and reads it. */
  startLeg(acknowledge: readonly string[], lastSeq: number): EventSource;
  /** Reads a run that is under way, after a replay. */
  readRun(run: Run, replay: readonly LoggedEvent[], after: number): EventSource;
}

/**
 * After a crash the record may be behind what clients have seen. Numbering goes on far beyond, so that a client
 * never takes a new event for one it has.
 */
const CRASH_GAP = 1_000_000;

/** A new message: ends whatever is under way, closes its calls for the agent, opens a new execution. */
export async function decideTrigger(desk: Desk, request: TriggerRequest): Promise<EventSource> {
  const run = desk.live.getRun();
  await run?.end('superseded');
  const { messages: before, execution } = desk.state.getRecord();
  const isRepeat = execution !== null && isRepeated(before, execution, request, run !== null);
  const messages = isRepeat
    ? closeOpenCalls(before, CLOSING_TEXT.interrupted)
    : [...closeTurn(before, execution, 'superseded'), toUserMessage(request)];
  const newExecution: ExecutionRecord = {
    id: desk.createId(),
    messageId: desk.createId(),
    trigger: { name: request.triggerName, input: request.input },
    state: 'running',
    historyStart: messages.length,
    open: [],
    ran: [],
    lastAnswers: [],
    answered: [],
    rounds: 0,
    usage: null,
    partial: null,
    answeredAt: 0,
    legStart: 1,
    lastSeq: 0,
    ending: null,
  };
  await desk.state.save({ messages, newExecution });
  return desk.startLeg([], 0);
}

/**
 * Whether a message is that of a turn that came to nothing: it stands in the history already, followed by the calls that
 * turn made and what came of them, and the agent goes on from there. One that ends the turn itself is another message where
 * the agent was speaking: it may be meant as it is said.
 */
function isRepeated(
  messages: readonly AgentMessage[],
  { state, trigger }: ExecutionRecord,
  { triggerName, input }: TriggerRequest,
  wasLive: boolean,
): boolean {
  const cameToNothing = ['running', 'interrupted', 'failed'].includes(state);
  const last = messages.at(-1);
  const wasSpeaking = last?.role === 'assistant' && last.toolCalls === undefined;
  return (
    (cameToNothing || (wasLive && state === 'stopped' && !wasSpeaking)) &&
    canonicalJson([triggerName, input]) === canonicalJson([trigger.name, trigger.input])
  );
}

/** The history where a turn goes no further: what was half said is kept, and every call answered. */
function closeTurn(
  messages: readonly AgentMessage[],
  execution: ExecutionRecord | null,
  why: EndReason,
): readonly AgentMessage[] {
  const said = execution?.partial ? [...messages, execution.partial] : messages;
  return closeOpenCalls(said, CLOSING_TEXT[why]);
}

/** Answers of the client: recorded first, then the agent goes on. */
export async function decideContinue(desk: Desk, request: ContinueRequest): Promise<EventSource> {
  await settleWaitingRun(desk);
  const { messages, execution } = desk.state.getRecord();
  const verdict = judgeAnswers(request, asInterrupted(desk, execution), messages);
  if (execution === null || 'type' in verdict) return createListSource('type' in verdict ? [verdict] : []);
  const crashed = execution.state === 'running';
  const lastSeq = execution.lastSeq + (crashed ? CRASH_GAP : 0);
  const running = {
    state: 'running',
    open: [],
    ran: [],
    partial: null,
    ending: null,
    legStart: lastSeq + 1,
    lastSeq,
  } as const;
  if (verdict.kind === 'restart') {
    await desk.state.save({
      messages: closeOpenCalls(messages, CLOSING_TEXT.interrupted),
      execution: running,
    });
    return desk.startLeg(ids(execution.lastAnswers), lastSeq);
  }
  const answered = [...execution.answered, ...ids(verdict.answers)];
  await desk.state.save({
    messages: answerCalls(messages, verdict.answers),
    execution: { ...running, lastAnswers: verdict.answers, answered, answeredAt: execution.lastSeq },
  });
  return desk.startLeg(ids(verdict.answers), lastSeq);
}

/** Reads an execution again from where the client stands. */
export async function decideResume(desk: Desk, request: ResumeRequest): Promise<EventSource> {
  await settleWaitingRun(desk);
  const execution = asInterrupted(desk, desk.state.getRecord().execution);
  if (execution === null || execution.id !== request.executionId) {
    const message = describeUnknown(request.executionId, execution);
    return createListSource([sessionError('unknown_execution', 'not_found_error', message)]);
  }
  const kept = await readLog(desk.openLog(execution), execution, request.after);
  const run = desk.live.getRun();
  if (run !== null) {
    if (kept === null) return createListSource([cursorExpired(request)]);
    return desk.readRun(run, kept, Math.max(kept.at(-1)?.seq ?? request.after, execution.legStart - 1));
  }
  if (execution.state === 'interrupted') {
    return createListSource([...(kept ?? []).map(withCursor), runInterrupted]);
  }
  const events = kept === null ? fromRecord(execution, request) : kept.map(withCursor);
  // Also for who has missed nothing; then it has no cursor, since it is no new event.
  return createListSource(events.length > 0 || execution.ending === null ? events : [execution.ending]);
}

/**
 * What can be told of an execution that has ended where its log is gone. A question is asked, a failure told, whatever else
 * was lost; but an answer that lacks words must not be taken for a finished one.
 */
function fromRecord(execution: ExecutionRecord, request: ResumeRequest): AgentEvent[] {
  const last = lastEntries(execution);
  const events = last.filter(({ seq }) => seq > request.after).map(withCursor);
  if (request.after >= execution.lastSeq - last.length) return events;
  const isTold = events.length > 0 && execution.state !== 'done';
  return isTold ? [wordsLost, ...events] : [cursorExpired(request)];
}

/** Ends the run, or closes the calls that wait for the client. Idempotent; has nothing to say itself. */
export async function decideStop(desk: Desk, request: StopRequest): Promise<EventSource> {
  const nothing = createListSource([]);
  const current = desk.state.getRecord().execution;
  if (request.executionId !== undefined && request.executionId !== current?.id) return nothing;
  await desk.live.getRun()?.end('stopped');
  const { messages, execution } = desk.state.getRecord();
  if (execution === null || execution.state === 'done' || execution.state === 'stopped') return nothing;
  const ending: FinishEvent = { type: 'finish', finishReason: 'stop', executionId: execution.id };
  const lastSeq = execution.lastSeq + (execution.state === 'running' ? CRASH_GAP : 1);
  await desk.state.save({
    messages: closeTurn(messages, execution, 'stopped'),
    execution: {
      ...{ state: 'stopped', open: [], partial: null, ending },
      ...{ answeredAt: lastSeq - 1, legStart: lastSeq, lastSeq },
    },
  });
  return nothing;
}

/** A leg that has come to its client tools has only its last words left; they go to the log. */
async function settleWaitingRun({ live, state }: Desk): Promise<void> {
  const run = live.getRun();
  if (run === null || state.getRecord().execution?.state === 'running') return;
  while ((await run.pull()) !== null) {
    // Logged by the run; its reader finds them there.
  }
}

/** `running` in the record without a run in this process: the process died meanwhile. */
function asInterrupted(desk: Desk, execution: ExecutionRecord | null): ExecutionRecord | null {
  if (execution?.state !== 'running' || desk.live.getRun() !== null || desk.contended) return execution;
  return { ...execution, state: 'interrupted' };
}

function ids(results: readonly { readonly toolCallId: string }[]): string[] {
  return results.map((result) => result.toolCallId);
}

function cursorExpired({ after, executionId }: ResumeRequest): ErrorEvent {
  const message = `The events after cursor '${after}' of execution '${executionId}' are no longer kept. Send a message to go on.`;
  return sessionError('cursor_expired', 'not_found_error', message);
}

const runInterrupted: ErrorEvent = {
  ...refusal(
    'run_interrupted',
    'The run ended early because nobody was reading it. Repeat the request to go on.',
  ),
  errorType: 'execution_error',
  retryable: true,
};

const wordsLost: NoticeEvent = {
  type: 'notice',
  code: 'events_lost',
  text: 'Some of what was said before this could not be read again.',
};
