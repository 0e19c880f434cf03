/** Handlers for the requests of a client. A session calls them one at a time; each saves its change before the change takes effect. */
import type { ErrorEvent, FinishEvent } from '../../core/protocol/events.ts';
import type { Principal } from '../../shared/principal.ts';
import type { AgentMessage } from '../agent.ts';
import type { ResumeRequest, StopRequest } from '../parse-session-request.ts';
import { answerCalls, CLOSING_TEXT, closeOpenCalls } from '../runs/history.ts';
import { readLog } from '../runs/last-events.ts';
import { cursorExpired, replayRecord } from '../runs/replay-record.ts';
import type { EndReason, Run } from '../runs/run.ts';
import { withCursor } from '../runs/run-source.ts';
import { describeUnknown, refusal, sessionError } from '../session-errors.ts';
import type { SessionSettings } from '../session-settings.ts';
import type { EventLog, LoggedEvent } from '../store/event-log.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import type { LiveSession } from '../store/live-session.ts';
import type { SessionState } from '../store/session-state.ts';
import type { ExecutionRecord } from '../store/session-store.ts';

/** The session as the handler of a request sees it. */
export interface RequestContext {
  readonly live: LiveSession;
  readonly state: SessionState;
  /** True if another process saved during an earlier attempt: a run in the record may be alive in that process. */
  readonly contended: boolean;
  readonly settings: SessionSettings;
  /** Who sent the request, where the app says so. */
  readonly principal: Principal | undefined;
  openLog(execution: ExecutionRecord): EventLog;
  /** Starts the next request of the current execution. */
  startRun(acknowledge: readonly string[], lastSeq: number): Run;
  /** Starts the next request of the current execution and reads it. `own` are the calls that its reader has answered. */
  startRequest(acknowledge: readonly string[], lastSeq: number, own: readonly string[]): EventSource;
  /** Reads a run that is under way, after a replay. */
  readRun(run: Run, replay: readonly LoggedEvent[], after: number): EventSource;
}

/**
 * After a crash, clients may have seen events that the record does not count. The gap keeps the numbers of new events clear
 * of theirs, so that a client never takes a new event for one it has.
 */
const CRASH_GAP = 1_000_000;

/** The history of a turn that ends early: its partial text is added, and every call without an answer is closed. */
export function closeTurn(
  messages: readonly AgentMessage[],
  execution: ExecutionRecord | null,
  why: EndReason,
): readonly AgentMessage[] {
  const extended = execution?.partial ? [...messages, execution.partial] : messages;
  const { open = [], given = [] } = execution ?? {};
  // The answers that some people have given already count. The answer to a question of the server is no result of a call.
  const ofClient = given.filter(({ toolCallId }) =>
    open.some((call) => call.toolCallId === toolCallId && call.question === undefined),
  );
  return closeOpenCalls(answerCalls(extended, ofClient), CLOSING_TEXT[why]);
}

/** The last event that a client may have seen. */
export function lastSeqAfterCrash({ state, lastSeq }: ExecutionRecord): number {
  return lastSeq + (state === 'running' ? CRASH_GAP : 0);
}

/** Reads an execution again after the cursor of the client. */
export async function handleResume(context: RequestContext, request: ResumeRequest): Promise<EventSource> {
  await settleWaitingRun(context);
  const execution = asInterrupted(context, context.state.getRecord().execution);
  const source = await readAgain(context, execution, request);
  return execution && hasFailedAttempt(execution, request.after) ? markRestart(source) : source;
}

async function readAgain(
  context: RequestContext,
  execution: ExecutionRecord | null,
  request: ResumeRequest,
): Promise<EventSource> {
  if (execution === null || execution.id !== request.executionId) {
    const message = describeUnknown(request.executionId, execution);
    return createListSource([sessionError('unknown_execution', 'not_found_error', message)]);
  }
  const run = context.live.getRun();
  const last = run?.position() ?? (isOver(execution) ? execution.lastSeq : Infinity);
  if (request.after > last) return createListSource([beyondTheEnd(request, last)]);
  const logged = await readLog(context.openLog(execution), execution, request.after);
  if (run !== null) {
    if (logged === null) return createListSource([cursorExpired(request)]);
    return context.readRun(
      run,
      logged,
      Math.max(logged.at(-1)?.seq ?? request.after, execution.requestStart - 1),
    );
  }
  if (execution.state === 'interrupted') {
    return createListSource([...(logged ?? []).map(withCursor), runInterrupted]);
  }
  const { messages } = context.state.getRecord();
  const events = logged === null ? replayRecord(execution, messages, request) : logged.map(withCursor);
  // A client that missed nothing gets the ending too, without a cursor because the ending is not a new event.
  return createListSource(events.length > 0 || execution.ending === null ? events : [execution.ending]);
}

/** Ends the run, or closes the calls that wait for the client. Idempotent; yields no events. */
export async function handleStop(context: RequestContext, request: StopRequest): Promise<EventSource> {
  const noEvents = createListSource([]);
  const current = context.state.getRecord().execution;
  const { executionId, idempotencyKey } = request;
  if (executionId !== undefined && executionId !== current?.id) return noEvents;
  if (idempotencyKey !== undefined && idempotencyKey !== current?.idempotencyKey) return noEvents;
  await context.live.getRun()?.end('stopped');
  const { messages, execution } = context.state.getRecord();
  // Nothing runs in a failed execution, and its client may still send the message again.
  if (execution === null || ['done', 'stopped', 'failed'].includes(execution.state)) return noEvents;
  const ending: FinishEvent = { type: 'finish', finishReason: 'stop', executionId: execution.id };
  const lastSeq = execution.lastSeq + (execution.state === 'running' ? CRASH_GAP : 1);
  await context.state.save({
    messages: closeTurn(messages, execution, 'stopped'),
    execution: {
      ...{ state: 'stopped', open: [], partial: null, ending },
      ...{ answeredAt: lastSeq - 1, requestStart: lastSeq, lastSeq },
    },
  });
  return noEvents;
}

/** Once a request waits for the client or has ended, only its last events are left to pull; they go to the log. */
export async function settleWaitingRun({ live, state }: RequestContext): Promise<void> {
  const run = live.getRun();
  if (run === null || state.getRecord().execution?.state === 'running') return;
  while ((await run.pull()) !== null) {
    // The run logs the event, and its reader finds it in the log.
  }
}

/** If the record says `running` but this process has no such run, the process that ran it died: the run was interrupted. */
export function asInterrupted(
  context: RequestContext,
  execution: ExecutionRecord | null,
): ExecutionRecord | null {
  if (execution?.state !== 'running' || context.live.getRun() !== null || context.contended) return execution;
  return { ...execution, state: 'interrupted' };
}

export function ids(results: readonly { readonly toolCallId: string }[]): string[] {
  return results.map((result) => result.toolCallId);
}

/**
 * Returns true for a client that has events of an attempt at the request that was interrupted, while another attempt was started, perhaps
 * without this client. The other attempt begins anew.
 */
export function hasFailedAttempt({ answeredAt, requestStart }: ExecutionRecord, after: number): boolean {
  return after > answeredAt && after < requestStart;
}

/** Tells the client to drop what it has of the failed attempt. */
function markRestart(source: EventSource): EventSource {
  return {
    async next() {
      const event = await source.next();
      return event?.type === 'start' ? { ...event, restarted: true } : event;
    },
    close: () => source.close(),
  };
}

/** The record of a run that another process has, or that was interrupted, may not know the last events of that run. */
function isOver({ state }: ExecutionRecord): boolean {
  return state !== 'running' && state !== 'interrupted';
}

function beyondTheEnd({ after, executionId }: ResumeRequest, last: number): ErrorEvent {
  const message = `The cursor '${after}' is beyond the last event of the execution '${executionId}', which is ${last}. Nothing was changed.`;
  return refusal('invalid_request', message);
}

const runInterrupted: ErrorEvent = {
  ...refusal(
    'run_interrupted',
    'The run ended early because no client was reading it. Repeat the request to continue.',
  ),
  errorType: 'execution_error',
  retryable: true,
};
