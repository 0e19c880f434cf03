/** The open calls of the sessions of a store as a source of an inbox. */
import type { AgentEvent } from '../../core/protocol/events.ts';
import { QUESTION_CHANGED } from '../../shared/answer-refusals.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Principal } from '../../shared/principal.ts';
import type { ContinueRequest } from '../parse-session-request.ts';
import type { AgentSession } from '../sessions/create-agent-session.ts';
import type { SessionStore } from '../store/session-store.ts';
import { hostOf } from '../store/store-host.ts';
import { upgradeRecord } from '../store/upgrade-record.ts';
import { toOpenCalls, toWaitingSession } from '../store/waiting-session.ts';
import type { InboxReceipt, InboxSource } from './inbox-source.ts';

export interface SessionSourceOptions {
  readonly store: SessionStore;
  /** Opens a session for the request that the inbox handles. */
  openSession(sessionId: string): SessionOrNone | Promise<SessionOrNone>;
  /** Called with the error of a session that cannot be opened or asked. */
  onError(thrown: unknown): void;
  readonly clock?: Clock | undefined;
}

type SessionOrNone = AgentSession | undefined | null;

/** Returns the source. It has every `sessionId` that no other source of the route has. */
export function createSessionSource(options: SessionSourceOptions): InboxSource {
  const { store, openSession, onError, clock } = options;
  return {
    prefix: '',
    async list(query) {
      if (store.listOpenCalls === undefined) {
        throw new TypeError(
          'handleInboxRequest: the store has no listOpenCalls. Use one that has it, such as the memory store.',
        );
      }
      return store.listOpenCalls({ ...query, openSession, onError, ...(clock && { clock }) });
    },
    subscribe: (listener) => hostOf(store).watch(() => listener()),
    async answer({ sessionId, executionId, toolResults }, principal) {
      const session = await openSession(sessionId);
      if (!session) return refuse('unknown_session', 'There is no such session.');
      const request: ContinueRequest = { type: 'continue', executionId, toolResults, partial: true };
      return answerSession(store, session, request, principal);
    },
  };
}

/**
 * Gives answers to a session. Where no rule says who may answer, the session takes any answer that reaches it, and the inbox only those
 * of the person whose call it is: what is not in the list of a person cannot be answered from it either.
 *
 * Resolves when the session has accepted or refused them. The run goes on to its end without a reader: its
 * events are read here, because a run whose reader leaves would end.
 */
async function answerSession(
  store: SessionStore,
  session: AgentSession,
  request: ContinueRequest,
  principal: Principal,
): Promise<InboxReceipt> {
  const foreign = await findForeignCall(store, session, request, principal);
  if (foreign !== undefined) {
    return refuse('not_allowed', `The call '${foreign}' is not for you to answer. Nothing was changed.`);
  }
  const events = session.execute(request, { principal });
  const first = await events.next();
  if (!first.done && first.value.type === 'error') {
    const { code = 'internal_error', message, retryable } = first.value;
    return refuse(code, message, retryable);
  }
  const askedAnew =
    !first.done && first.value.type === 'notice' && first.value.code === QUESTION_CHANGED && first.value;
  void readToEnd(events);
  return askedAnew ? refuse(askedAnew.code, askedAnew.text) : { status: 'accepted' };
}

/** Returns the id of an open call among the answers that this person may not answer. */
async function findForeignCall(
  store: SessionStore,
  session: AgentSession,
  { toolResults }: ContinueRequest,
  principal: Principal,
): Promise<string | undefined> {
  const record = await store.load(session.id);
  const waiting = record && toWaitingSession(session.id, upgradeRecord(record));
  for (const openCall of waiting ? toOpenCalls(waiting) : []) {
    const { toolCallId } = openCall.call;
    const isAnswered = toolResults.some((result) => result.toolCallId === toolCallId);
    if (isAnswered && !(await session.mayAnswer(principal, openCall))) return toolCallId;
  }
  return undefined;
}

function refuse(code: string, message: string, retryable = false): InboxReceipt {
  return { status: 'refused', code, message, retryable };
}

/** Never rejects: the session reports its failures to its own `onError`, and its events end in an `error` event. */
async function readToEnd(events: AsyncIterable<AgentEvent>): Promise<void> {
  for await (const event of events) void event;
}
