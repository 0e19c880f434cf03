import type { AgentEvent, ErrorEvent } from '../../protocol/events.ts';
import type { Principal } from '../../shared/principal.ts';
import { refuse } from '../http/handle-agent-request.ts';
import type { AgentSession } from '../sessions/create-agent-session.ts';

/** The HTTP status of a refusal, by its code. Any other refusal says that the call has changed meanwhile: 409. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_receipt: 400,
  not_allowed: 403,
  session_conflict: 503,
  store_failed: 503,
};

/**
 * Gives answers to a session. Resolves when the session has accepted or refused them. The run goes on to its end without a reader: its
 * events are read here, because a run whose reader leaves would end.
 */
export async function answerFromInbox(
  session: AgentSession,
  payload: Readonly<Record<string, unknown>>,
  principal: Principal,
): Promise<Response> {
  const events = session.execute(payload, { principal });
  const first = await events.next();
  if (!first.done && first.value.type === 'error') return refuseAnswer(first.value);
  void readToEnd(events);
  return Response.json({ status: 'accepted' });
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
