import type { AgentEvent, ErrorEvent } from '../../core/protocol/events.ts';
import type { Principal } from '../../shared/principal.ts';
import { refuse } from '../http/refuse.ts';
import type { ContinueRequest } from '../parse-session-request.ts';
import type { AgentSession } from '../sessions/create-agent-session.ts';
import type { SessionStore } from '../store/session-store.ts';
import { upgradeRecord } from '../store/upgrade-record.ts';
import { toOpenCalls, toWaitingSession } from '../store/waiting-session.ts';

/** The HTTP status of a refusal, by its code. Any other refusal says that the call has changed meanwhile: 409. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_receipt: 400,
  not_allowed: 403,
  tool_unknown: 503,
  session_conflict: 503,
  store_failed: 503,
};

/**
 * Gives answers to a session. Where no rule says who may answer, the session takes any answer that reaches it, and the inbox only those
 * of the person whose call it is: what is not in the list of a person cannot be answered from it either.
 *
 * Resolves when the session has accepted or refused them. The run goes on to its end without a reader: its
 * events are read here, because a run whose reader leaves would end.
 */
export async function answerFromInbox(
  store: SessionStore,
  session: AgentSession,
  request: ContinueRequest,
  principal: Principal,
): Promise<Response> {
  const foreign = await findForeignCall(store, session, request, principal);
  if (foreign !== undefined) {
    const message = `The call '${foreign}' is not for you to answer. Nothing was changed.`;
    return refuse(403, message, 'not_allowed');
  }
  const events = session.execute(request, { principal });
  const first = await events.next();
  if (!first.done && first.value.type === 'error') return refuseAnswer(first.value);
  void readToEnd(events);
  return Response.json({ status: 'accepted' });
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

function refuseAnswer({ code = 'internal_error', message, retryable }: ErrorEvent): Response {
  const response = refuse(STATUS[code] ?? 409, message, code);
  if (retryable) response.headers.set('retry-after', '1');
  return response;
}

/** Never rejects: the session reports its failures to its own `onError`, and its events end in an `error` event. */
async function readToEnd(events: AsyncIterable<AgentEvent>): Promise<void> {
  for await (const event of events) void event;
}
