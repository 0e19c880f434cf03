import { hasOwn, isRecord } from '../../shared/json.ts';
import type { AgentSession } from '../sessions/create-agent-session.ts';
import { parseSessionRequest } from '../sessions/parse-session-request.ts';
import { MAX_BODY_BYTES, readBody } from './read-body.ts';
import { refuse, refuseLongBody } from './refuse.ts';
import { type SSEStreamOptions, toSSEResponse } from './to-sse-stream.ts';

/**
 * Finds the session a request is for. `undefined` and `null` answer 404. Check here who is asking.
 *
 * The id is the `sessionId` of the body: undefined where there is none, and text where it is a number.
 */
export type GetSession = (
  sessionId: string | undefined,
  request: Request,
) => AgentSession | undefined | null | Promise<AgentSession | undefined | null>;

/** Options of {@link handleAgentRequest}. */
export interface AgentRequestOptions extends SSEStreamOptions {
  /** Longest body taken, in bytes; a longer one is answered with 413 and `body_too_large`. Default 4 MiB. */
  readonly maxBodyBytes?: number;
}

/**
 * A whole HTTP route: takes the POST of `createHttpTransport` (`{ sessionId?, ...payload }`) and answers with the
 * events of the session. Works wherever `Request` and `Response` do; for `node:http` see `createNodeHandler`.
 *
 * The cursor of a `resume` may also come as the header `Last-Event-ID`, as event streams have it.
 *
 * A page of another site gets 415 unless its request says `application/json`: then its browser asks first whether it may
 * (CORS), and nobody is made to answer, with the cookies of their login, by a page they merely visit.
 *
 * A body that is no request is answered with 400 and `{ error, code }`. A client that goes away ends the run, or
 * leaves it for a `resume` when the session has a `resumeWindowMs`.
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
  if (isUnaskedOfOtherSite(request)) {
    const message =
      'A page of another site sends content-type: application/json, and its browser asks first.';
    return refuse(415, message, 'unsupported_media_type');
  }
  if (request.bodyUsed) {
    const message =
      'The body was read before handleAgentRequest got the request: read a clone of it instead.';
    return refuse(500, message, 'internal_error');
  }
  const { maxBodyBytes = MAX_BODY_BYTES } = options;
  let body: unknown;
  try {
    const bytes = await readBody(request.body ?? [], maxBodyBytes);
    if (bytes === null) return refuseLongBody(maxBodyBytes);
    if (bytes.byteLength === 0) return refuse(400, EMPTY, 'invalid_request');
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return refuse(400, 'The body must be JSON.', 'invalid_request');
  }
  if (isRecord(body) && body.type === 'resume')
    body = { ...body, cursor: body.cursor ?? request.headers.get('last-event-id') };
  const parsed = parseSessionRequest(body);
  if (parsed.type === 'error') return refuse(400, parsed.message, parsed.code ?? 'invalid_request');
  const given = isRecord(body) && hasOwn(body, 'sessionId') ? (body.sessionId ?? undefined) : undefined;
  if (given !== undefined && typeof given !== 'string' && typeof given !== 'number')
    return refuse(400, 'sessionId must be a string.', 'invalid_request');
  const session = await getSession(given?.toString(), request);
  if (!session) return refuse(404, 'There is no such session.', 'unknown_session');
  return toSSEResponse(session.execute(body), options);
}

const EMPTY =
  'The body is empty. Where a parser in front of the handler has read it, its result belongs on the request, as `body`.';

/** Browsers say where a request comes from; those they send without a preflight cannot have the type of JSON. */
function isUnaskedOfOtherSite({ headers }: Request): boolean {
  const isOfOtherSite = ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '');
  return isOfOtherSite && !/^application\/json\b/i.test(headers.get('content-type') ?? '');
}
