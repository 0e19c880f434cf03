import { hasOwn, isRecord } from '../../shared/json.ts';
import type { Principal } from '../../shared/principal.ts';
import { parseSessionRequest } from '../parse-session-request.ts';
import type { AgentSession } from '../sessions/create-agent-session.ts';
import { isForgeable } from './is-forgeable.ts';
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

/** Returns who sent a request, by your login; undefined if nobody is logged in. */
export type GetPrincipal = (request: Request) => Principal | undefined | Promise<Principal | undefined>;

/** Options of {@link handleAgentRequest}. */
export interface AgentRequestOptions extends SSEStreamOptions {
  /** Names the person who sent the request. Needed where a session or a tool has `mayAnswer`. Default: nobody is known. */
  readonly principal?: GetPrincipal;
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
 * An invalid request is answered with 400 and `{ error, code }`. When a client goes away, the run ends, or waits for a
 * `resume` if the session has a `resumeWindowMs`.
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
  const principal = await options.principal?.(request);
  return toSSEResponse(session.execute(body, { principal }), options);
}

const EMPTY =
  'The body is empty. Where a parser in front of the handler has read it, its result belongs on the request, as `body`.';

/** The longest accepted body if the app sets no limit: 4 MiB. */
export const MAX_BODY_BYTES = 4 * 2 ** 20;

/**
 * Reads a body. Returns `null` if it has more than `maxBytes`, so that a client cannot fill the memory of the server. The excess
 * is read and dropped: unread bytes would block the connection for the client's next request.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array | string> | readonly Uint8Array[],
  maxBytes: number,
): Promise<Uint8Array | null> {
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
    size += bytes.byteLength;
    if (size <= maxBytes) chunks.push(bytes);
    else chunks.length = 0;
  }
  if (size > maxBytes) return null;
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

/** The response to a request that is refused before it reaches a session. */
export function refuse(status: number, error: string, code: string): Response {
  return Response.json({ error, code }, { status });
}

/** The refusal of a body that is longer than the limit. */
export function refuseLongBody(maxBytes: number): Response {
  const error = `The body is longer than the ${maxBytes} bytes this route takes, so nothing was changed. Send less, or raise maxBodyBytes on the server.`;
  return refuse(413, error, 'body_too_large');
}
