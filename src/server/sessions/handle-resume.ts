/** Reads an execution again after the cursor of the client. */
import type { ErrorEvent } from '../../core/protocol/events.ts';
import { withAnswer } from '../answers/with-answer.ts';
import type { ResumeRequest } from '../parse-session-request.ts';
import { readLog } from '../runs/last-events.ts';
import { cursorExpired, replayRecord } from '../runs/replay-record.ts';
import { withCursor } from '../runs/run-source.ts';
import { describeUnknown, refusal, sessionError } from '../session-errors.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import type { ExecutionRecord } from '../store/session-store.ts';
import { asInterrupted, hasFailedAttempt, type RequestContext, settleWaitingRun } from './request-context.ts';

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
  const record = { ...context.state.getStored(), execution };
  const toEvent = (entry: LoggedEvent) => withAnswer(withCursor(entry), record);
  const logged = await readLog(context.openLog(execution), record, request.after);
  if (run !== null) {
    if (logged === null) return createListSource([cursorExpired(request)]);
    return context.readRun(
      run,
      logged,
      Math.max(logged.at(-1)?.seq ?? request.after, execution.requestStart - 1),
    );
  }
  if (execution.state === 'interrupted') {
    const isSaved = context.state.getRecord().execution?.state === 'interrupted';
    return createListSource([...(logged ?? []).map(toEvent), isSaved ? runInterrupted : serverRestarted]);
  }
  const events = logged === null ? replayRecord(record, request) : logged.map(toEvent);
  // A client that missed nothing gets the ending too, without a cursor because the ending is not a new event.
  return createListSource(events.length > 0 || execution.ending === null ? events : [execution.ending]);
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

const runInterrupted = sessionError(
  'run_interrupted',
  'execution_error',
  'The run ended early because no client was reading it. Repeat the request to continue.',
  true,
);

/** The process that ran the request died before it could save how the run ended. */
const serverRestarted = sessionError(
  'server_restarted',
  'execution_error',
  'The process that ran the request is gone. Repeat the request to continue.',
  true,
);
