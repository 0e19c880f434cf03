/** Shows the conversation to a client that has not got it: a snapshot, then the run that is under way. */
import type { AgentEvent, SnapshotEvent } from '../../core/protocol/events.ts';
import { compact } from '../../shared/json.ts';
import { withAnswer } from '../answers/with-answer.ts';
import type { OpenRequest } from '../parse-session-request.ts';
import { followRun } from '../runs/follow-run.ts';
import { readLog, waitingCalls } from '../runs/last-events.ts';
import { withCursor } from '../runs/run-source.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import type { ExecutionRecord, SessionRecord } from '../store/session-store.ts';
import { recoverRun } from './recover-session.ts';
import {
  asInterrupted,
  hasFailedAttempt,
  type RequestContext,
  settleWaitingRun,
} from './session-requests.ts';
import { toUIMessages } from './to-ui-messages.ts';

/** Neither displaces the reader of a run nor ends it. The run of a process that died is restarted. */
export async function handleOpen(context: RequestContext, request: OpenRequest): Promise<EventSource> {
  await settleWaitingRun(context);
  await recoverRun(context);
  const record = context.state.getRecord();
  const execution = asInterrupted(context, record.execution);
  const toEvent = (entry: LoggedEvent) => withAnswer(withCursor(entry), record);
  const later = await readLater(context, request, execution);
  const run = context.live.getRun();
  if (later !== null && execution !== null) {
    if (run !== null) return followRun(run, later, lastSeqOf(later, execution, request.after), toEvent);
    const isOver = later.length === 0 && execution.state !== 'waiting' && execution.ending !== null;
    return createListSource(isOver ? [execution.ending] : later.map(toEvent));
  }
  if (run === null || execution === null) return createListSource([toSnapshot(record, execution)]);
  const logged = await readLog(context.openLog(execution), execution, 0);
  const snapshot = toSnapshot(
    { ...record, messages: record.messages.slice(0, turnStart(record, execution)) },
    execution,
  );
  const earlier = logged ?? [];
  return concat([snapshot], followRun(run, earlier, lastSeqOf(earlier, execution), toEvent));
}

/** The events after those that the client says it has; null if it has another execution, or the log has lost some of them. */
async function readLater(
  context: RequestContext,
  { executionId, after }: OpenRequest,
  execution: ExecutionRecord | null,
): Promise<readonly LoggedEvent[] | null> {
  if (execution === null || after === undefined || executionId !== execution.id) return null;
  if (hasFailedAttempt(execution, after)) return null;
  const last = context.live.getRun()?.position() ?? execution.lastSeq;
  return after > last ? null : readLog(context.openLog(execution), execution, after);
}

/** The last event that a reader of `events` has. Events of failed attempts at the request are behind it. */
function lastSeqOf(events: readonly LoggedEvent[], { requestStart }: ExecutionRecord, after = 0): number {
  return Math.max(events.at(-1)?.seq ?? after, requestStart - 1);
}

function toSnapshot(record: SessionRecord, execution: ExecutionRecord | null): SnapshotEvent {
  const isRunning = execution?.state === 'running';
  const isWaiting = execution?.state === 'waiting';
  return compact({
    type: 'snapshot' as const,
    messages: toUIMessages(record),
    openCalls: execution ? waitingCalls(execution) : [],
    executionId: isRunning || isWaiting ? execution.id : undefined,
    // The events of a run that is under way follow from their beginning.
    cursor: isWaiting ? String(execution.lastSeq) : isRunning ? '0' : undefined,
  });
}

/** The index of the first message of the turn, which a restarted execution shares with those before it. */
function turnStart({ turns = [] }: SessionRecord, { id, historyStart }: ExecutionRecord): number {
  const turn = turns.at(-1);
  return turn?.executionId === id ? turn.at : historyStart;
}

function concat(first: readonly AgentEvent[], rest: EventSource): EventSource {
  const before = createListSource(first);
  return {
    next: async () => (await before.next()) ?? rest.next(),
    async close() {
      await before.close();
      await rest.close();
    },
  };
}
