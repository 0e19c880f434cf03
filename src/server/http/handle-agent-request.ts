import { hasOwn, isRecord } from '../../shared/json.ts';
import { parseOnce } from '../parse-session-request.ts';
import type { AgentSession } from '../sessions/create-agent-session.ts';
import { isForgeable } from './is-forgeable.ts';
import { readJsonRequest, refuseBody } from './read-json-request.ts';
import { type PrincipalOption, requirePrincipal } from './read-principal.ts';
import { refuse } from './refuse.ts';
import { type SSEStreamOptions, toSSEResponse } from './to-sse-stream.ts';

/**
 * Finds the session of a request. Returning `undefined` or `null` answers 404. Check here that the user may use the session.
 *
 * `sessionId` is the one in the body: undefined if the body has none, and a string if it is a number there.
 */
export type GetSession = (
  sessionId: string | undefined,
  request: Request,
) => AgentSession | undefined | null | Promise<AgentSession | undefined | null>;

/** Options of {@link handleAgentRequest}. */
export interface AgentRequestOptions extends SSEStreamOptions {
  /**
   * Names the person who sent the request: the session asks `mayOpen` and `mayAnswer` about them. Where it names nobody, the route answers
   * 401 and changes nothing; `{ optional: true, read }` lets people in who are not logged in. Default: nobody is known, and a session is as
   * open as its id is secret.
   */
  readonly principal?: PrincipalOption;
  /** Longest accepted body, in bytes; a longer one is answered with 413 and `body_too_large`. Default 4 MiB. */
  readonly maxBodyBytes?: number;
}

/**
 * A complete HTTP route: takes the POST of `createHttpTransport` (`{ sessionId?, ...payload }`) and answers with the
 * events of the session. Works wherever `Request` and `Response` do; for `node:http` see `createNodeHandler`.
 *
 * The cursor of a `resume` may also come in the header `Last-Event-ID`, as with event streams.
 *
 * A page of another origin gets 415 unless its content type is `application/json`. For that type the browser first asks the
 * server for permission (a CORS preflight), so a page that a person merely visits cannot send a request with their cookies.
 *
 * The route asks who sent the request before it reads the body. An invalid request is answered with 400 and `{ error, code }`. When a
 * client goes away, the run ends, or waits for a `resume` if the session has a `resumeWindowMs`.
 */
export async function handleAgentRequest(
  request: Request,
  getSession: GetSession,
  options: AgentRequestOptions = {},
): Promise<Response> {
  if (request.method !== 'POST') {
    const response = refuse(405, 'Send the request as POST.', 'method_not_allowed');
    response.headers.set('allow', 'POST');
    return response;
  }
  if (isForgeable(request)) {
    const message =
      'A page of another origin must send content-type: application/json. Then its browser asks this server first.';
    return refuse(415, message, 'unsupported_media_type');
  }
  const principal = await requirePrincipal(request, options);
  if (principal instanceof Response) return principal;
  const read = await readJsonRequest(request, options);
  if (read.fault) return refuseBody(read.fault);
  let { body } = read;
  if (isRecord(body) && body.type === 'resume')
    body = { ...body, cursor: body.cursor ?? request.headers.get('last-event-id') };
  const parsed = parseOnce(body);
  if (parsed.type === 'error') return refuse(400, parsed.message, parsed.code ?? 'invalid_request');
  const given = isRecord(body) && hasOwn(body, 'sessionId') ? (body.sessionId ?? undefined) : undefined;
  if (given !== undefined && typeof given !== 'string' && typeof given !== 'number')
    return refuse(400, 'sessionId must be a string.', 'invalid_request');
  const session = await getSession(given?.toString(), request);
  if (!session) return refuse(404, 'There is no such session.', 'unknown_session');
  return toSSEResponse(session.execute(body, { principal }), options);
}
