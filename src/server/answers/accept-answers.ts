/** Saves answers that are accepted, and says which request is to be started then. */
import type { AgentEvent, ToolResultAcknowledgedEvent } from '../../core/protocol/events.ts';
import { compact } from '../../shared/json.ts';
import type { Principal } from '../../shared/principal.ts';
import { signAnswer } from '../receipts/answer-receipt.ts';
import { toAnswerRecord } from '../receipts/answer-record.ts';
import { closeInterrupted } from '../runs/history.ts';
import { lastEntries, lastSeqAfterCrash } from '../runs/last-events.ts';
import { withCursor } from '../runs/run-source.ts';
import type { SessionSettings } from '../runs/session-settings.ts';
import { getCall } from '../store/call-keys.ts';
import { answered, type CallRecord, type CallRecords, type StoredAnswer } from '../store/call-record.ts';
import type { EventLog } from '../store/event-log.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import type { SessionState } from '../store/session-state.ts';
import type { ExecutionRecord } from '../store/session-store.ts';
import { toStoredCall } from '../store/stored-form.ts';

/** The parts of a session that accepting an answer needs. */
export interface AcceptContext {
  readonly settings: SessionSettings;
  readonly state: SessionState;
  openLog(execution: ExecutionRecord): EventLog;
}

/** A request that can be started: the acknowledgements of the answers that open it, and the last event before it. */
export interface SavedRequest {
  readonly acknowledge: readonly ToolResultAcknowledgedEvent[];
  readonly lastSeq: number;
}

/** Returns the call with its answer: the one place where an answer enters the record. It is signed as it is stored. */
export async function answerCall(
  { id, receipts, redactStored }: SessionSettings,
  call: CallRecord,
  answer: StoredAnswer,
): Promise<CallRecord> {
  const done = answered(call, answer);
  if (receipts === undefined || done.answer === undefined) return done;
  const stored = toStoredCall(done, redactStored);
  const receipt = await signAnswer(receipts, toAnswerRecord(id, stored, stored.answer ?? answer));
  return answered(call, { ...answer, receipt });
}

/** The person as a record names them. */
export function toAnswerer(principal: Principal | undefined): Pick<Principal, 'id' | 'name'> | undefined {
  return principal && (compact({ id: principal.id, name: principal.name }) as Pick<Principal, 'id' | 'name'>);
}

/** Saves that a request runs again which failed or was interrupted. `repeated` has the answers that the store has only in part. */
export async function restart(
  { settings, state }: AcceptContext,
  execution: ExecutionRecord,
  repeated: CallRecords,
): Promise<SavedRequest> {
  const record = state.getRecord();
  const lastSeq = lastSeqAfterCrash(execution);
  await state.save({
    calls: { ...repeated, ...closeInterrupted(record, settings.tools) },
    execution: runningAfter(lastSeq),
  });
  const ids = idsOf(record.calls, execution.lastAnswers);
  return { acknowledge: ids.map((toolCallId) => toAcknowledgement(toolCallId)), lastSeq };
}

/** Saves the last answers of a request. */
export async function acceptAll(
  { state }: AcceptContext,
  execution: ExecutionRecord,
  answers: CallRecords,
): Promise<SavedRequest> {
  const lastSeq = lastSeqAfterCrash(execution);
  await state.save({
    calls: answers,
    execution: {
      ...runningAfter(lastSeq),
      lastAnswers: execution.open,
      answeredSeq: execution.lastSeq,
    },
  });
  const fresh = idsOf(answers, Object.keys(answers));
  const toEvent = (toolCallId: string) =>
    toAcknowledgement(toolCallId, fresh.includes(toolCallId) ? 'accepted' : 'duplicate');
  return { acknowledge: idsOf(state.getRecord().calls, execution.open).map(toEvent), lastSeq };
}

/** Saves answers while other calls of the request still wait. The request that is left gets events of its own in the log. */
export async function acceptSome(
  context: AcceptContext,
  execution: ExecutionRecord,
  answers: CallRecords,
): Promise<EventSource> {
  return saveRequest(context, execution, answers, idsOf(answers, Object.keys(answers)));
}

/** Saves the changed calls of a request that goes on waiting, and sends what is left of it: to the log, if anything has changed, and back. */
export async function saveRequest(
  { state, openLog }: AcceptContext,
  execution: ExecutionRecord,
  changed: CallRecords,
  answered: readonly string[],
): Promise<EventSource> {
  const { id, messageId, lastSeq } = execution;
  const start: AgentEvent = { type: 'start', messageId, executionId: id };
  const isChanged = Object.keys(changed).length > 0;
  if (isChanged) {
    const rest = { ran: [], answeredSeq: lastSeq, requestStart: lastSeq + 1 };
    await state.save({ calls: changed, execution: { ...rest, lastSeq: lastSeq + answered.length + 2 } });
  }
  const { execution: next, calls } = state.getStored();
  const last = lastEntries({ calls, execution: next ?? execution });
  if (isChanged) {
    const log = openLog(next ?? execution);
    for (const entry of [
      ...answered.map((toolCallId, index) => ({
        seq: lastSeq + 1 + index,
        event: toAcknowledgement(toolCallId),
      })),
      ...last,
    ])
      await log.append(entry);
  }
  return createListSource([start, ...last.map(withCursor)]);
}

/** `duplicate`: the answer was acknowledged when it was stored, and the events that say so may not have reached every reader. */
function toAcknowledgement(
  toolCallId: string,
  status: 'accepted' | 'duplicate' = 'accepted',
): ToolResultAcknowledgedEvent {
  return { type: 'tool-result-acknowledged', toolCallId, status };
}

function runningAfter(lastSeq: number): Partial<ExecutionRecord> {
  return {
    ...{ state: 'running', open: [], ran: [], partial: null, ending: null },
    ...{ requestStart: lastSeq + 1, lastSeq },
  };
}

function idsOf(calls: CallRecords, keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => getCall(calls, key)?.toolCallId ?? []);
}
