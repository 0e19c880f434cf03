/** Shows the conversation to a client that has not got it: a snapshot, then the run that is under way. */
import type { AgentEvent, SnapshotEvent } from '../../core/protocol/events.ts';
import { compact } from '../../shared/json.ts';
import { askChanged } from '../answers/ask-anew.ts';
import { withAnswer } from '../answers/with-answer.ts';
import type { OpenRequest } from '../parse-session-request.ts';
import { followRun } from '../runs/follow-run.ts';
import { readLog } from '../runs/last-events.ts';
import { withCursor } from '../runs/run-source.ts';
import { toPendingCall } from '../store/call-record.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import type { ExecutionRecord, SessionRecord } from '../store/session-store.ts';
import { waitingCalls } from '../store/waiting-session.ts';
import { recoverRun } from './recover-session.ts';
import { asInterrupted, hasFailedAttempt, type RequestContext, settleWaitingRun } from './request-context.ts';
import { toUIMessages } from './to-ui-messages.ts';

/** Neither displaces the reader of a run nor ends it. The run of a process that died is restarted. */
export async function handleOpen(context: RequestContext, request: OpenRequest): Promise<EventSource> {
  await settleWaitingRun(context);
  await recoverRun(context);
  // A follower who is told of each save must not save: two versions of an app would answer each other for ever.
  if (request.after === undefined) await askChanged(context);
  const execution = asInterrupted(context, context.state.getRecord().execution);
  // Only the tools see what people typed into secret fields.
  const record = { ...context.state.getStored(), execution };
  const toEvent = (entry: LoggedEvent) => asOfOther(withAnswer(withCursor(entry), record));
  const later = await readLater(context, request, execution);
  const run = context.live.getRun();
  if (later !== null) {
    if (run !== null && execution !== null)
      return followRun(run, later, lastSeqOf(later, execution, request.after), toEvent);
    const ending = later.length === 0 && execution?.state !== 'waiting' ? execution?.ending : undefined;
    // A follower that has everything waits for what happens next.
    return createListSource(ending && !request.follow ? [ending] : later.map(toEvent));
  }
  if (run === null || execution === null) return createListSource([toSnapshot(record)]);
  const logged = await readLog(context.openLog(execution), { ...record, execution }, 0);
  const snapshot = toSnapshot({
    ...record,
    messages: record.messages.slice(0, turnStart(record, execution)),
  });
  const earlier = logged ?? [];
  return concat([snapshot], followRun(run, earlier, lastSeqOf(earlier, execution), toEvent));
}

/**
 * Whoever opens a conversation has given none of its answers: one that this client has sent meanwhile does not count, even if it has the same
 * outcome as the answer that does. Only an answer that is acknowledged once more may be one that the client has given before.
 */
function asOfOther(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool-result-acknowledged' || !event.outcome || event.status === 'duplicate')
    return event;
  return { ...event, status: 'expired' };
}

/** The events after those that the client says it has; null if it has another execution, or the log has lost some of them. */
async function readLater(
  context: RequestContext,
  { executionId, after }: OpenRequest,
  execution: ExecutionRecord | null,
): Promise<readonly LoggedEvent[] | null> {
  if (after === undefined || executionId !== execution?.id) return null;
  // The client has seen that nothing has happened yet.
  if (execution === null) return [];
  if (hasFailedAttempt(execution, after)) return null;
  const last = context.live.getRun()?.position() ?? execution.lastSeq;
  return after > last
    ? null
    : readLog(context.openLog(execution), { ...context.state.getStored(), execution }, after);
}

/** The last event that a reader of `events` has. Events of failed attempts at the request are behind it. */
function lastSeqOf(events: readonly LoggedEvent[], { requestStart }: ExecutionRecord, after = 0): number {
  return Math.max(events.at(-1)?.seq ?? after, requestStart - 1);
}

function toSnapshot(record: SessionRecord): SnapshotEvent {
  const { execution } = record;
  const isRunning = execution?.state === 'running';
  const isWaiting = execution?.state === 'waiting';
  const restsAt = compact({ executionId: execution?.id, cursor: String(execution?.lastSeq ?? 0) });
  return compact({
    type: 'snapshot' as const,
    messages: toUIMessages(record),
    openCalls: waitingCalls(record).map((call) => toPendingCall(call, record.calls)),
    executionId: isRunning || isWaiting ? execution.id : undefined,
    // The events of a run that is under way follow from their beginning.
    cursor: isWaiting ? String(execution.lastSeq) : isRunning ? '0' : undefined,
    restsAt: isRunning || isWaiting ? undefined : restsAt,
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
