import type { FinishEvent } from '../../core/protocol/events.ts';
import type { StopRequest } from '../parse-session-request.ts';
import { lastSeqAfterCrash } from '../runs/last-events.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import { closeTurn } from './close-turn.ts';
import type { RequestContext } from './request-context.ts';

/** Ends the run, or closes the calls that wait for the client. Idempotent; yields no events. */
export async function handleStop(context: RequestContext, request: StopRequest): Promise<EventSource> {
  const noEvents = createListSource([]);
  const current = context.state.getRecord().execution;
  const { executionId, idempotencyKey } = request;
  if (executionId !== undefined && executionId !== current?.id) return noEvents;
  if (idempotencyKey !== undefined && idempotencyKey !== current?.idempotencyKey) return noEvents;
  await context.live.getRun()?.end('stopped');
  const record = context.state.getRecord();
  const { execution } = record;
  // Nothing runs in a failed execution, and its client may still send the message again.
  if (execution === null || ['done', 'stopped', 'failed'].includes(execution.state)) return noEvents;
  const ending: FinishEvent = { type: 'finish', finishReason: 'stop', executionId: execution.id };
  const lastSeq = execution.state === 'running' ? lastSeqAfterCrash(execution) : execution.lastSeq + 1;
  await context.state.save({
    ...closeTurn(record, 'stopped'),
    execution: {
      ...{ state: 'stopped', open: [], partial: null, ending },
      ...{ answeredSeq: lastSeq - 1, requestStart: lastSeq, lastSeq },
    },
  });
  return noEvents;
}
