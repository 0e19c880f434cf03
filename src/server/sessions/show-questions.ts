/** Shows their questions to a person who may read nothing else of the conversation. */
import type { AgentEvent } from '../../core/protocol/events.ts';
import { endsRun } from '../../core/protocol/native-endings.ts';
import { askChanged } from '../answers/ask-anew.ts';
import { findOwnQuestions, mayOpen } from '../answers/may-open.ts';
import type { OpenRequest, ResumeRequest } from '../parse-session-request.ts';
import { refusal } from '../session-errors.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import { type RequestContext, settleWaitingRun } from './request-context.ts';

/** A snapshot without messages, with the open calls that the person may answer; no events for a follower who has it. */
export async function showQuestions(
  context: RequestContext,
  request: OpenRequest | ResumeRequest,
): Promise<EventSource> {
  await settleWaitingRun(context);
  if (request.after === undefined) await askChanged(context);
  const record = context.state.getRecord();
  const { execution } = record;
  const openCalls = await findOwnQuestions(context.settings, context.principal, record);
  if (execution === null || openCalls.length === 0) {
    return createListSource([
      refusal('not_allowed', 'No question of this conversation is for you to answer any more.'),
    ]);
  }
  const { id: executionId, lastSeq } = execution;
  const isKnown = request.type === 'open' && request.executionId === executionId && request.after === lastSeq;
  const snapshot = {
    type: 'snapshot',
    messages: [],
    openCalls,
    executionId,
    cursor: String(lastSeq),
  } as const;
  return createListSource(isKnown ? [] : [snapshot]);
}

/**
 * The events of a request that a person's answer has opened. One who may not read the conversation, although they took part in it now,
 * learns that the answer was taken or refused, and when the request is over.
 */
export async function showAccepted(
  { settings, principal, state }: RequestContext,
  source: EventSource,
): Promise<EventSource> {
  if (await mayOpen(settings, principal, state.getRecord())) return source;
  let isTaken = false;
  const toShown = (event: AgentEvent): AgentEvent | undefined => {
    if (!isTaken && (event.type === 'start' || event.type === 'error')) {
      isTaken = true;
      return event;
    }
    return endsRun(event) ? { type: 'finish', finishReason: 'stop' } : undefined;
  };
  return {
    async next() {
      for (;;) {
        const event = await source.next();
        const shown = event && toShown(event);
        if (shown !== undefined) return shown;
      }
    },
    close: () => source.close(),
  };
}

/**
 * Opens the session for a follower. When the question of a person who may read nothing else is answered, their page gets an empty snapshot
 * in place of the refusal: it closes the question, and is no failure. After that the page hears nothing until there is a question again.
 */
export function closeQuestions<Position>(
  open: (position: Position) => Promise<EventSource>,
): (position: Position) => Promise<EventSource> {
  let view: 'unknown' | 'questions' | 'closed' = 'unknown';
  const toEvent = (event: AgentEvent | null): AgentEvent | null => {
    if (event?.type === 'snapshot')
      view = event.messages.length === 0 && event.openCalls.length > 0 ? 'questions' : 'unknown';
    if (view === 'unknown' || event?.type !== 'error' || event.code !== 'not_allowed') return event;
    const isClosing = view === 'questions';
    view = 'closed';
    return isClosing ? { type: 'snapshot', messages: [], openCalls: [] } : null;
  };
  return async (position) => {
    const source = await open(position);
    return { next: async () => toEvent(await source.next()), close: () => source.close() };
  };
}
