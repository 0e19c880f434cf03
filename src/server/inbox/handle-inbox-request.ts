import type { OpenCall } from '../../core/protocol/open-calls.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { hasOwn, isRecord } from '../../shared/json.ts';
import type { Principal } from '../../shared/principal.ts';
import type { GetSession } from '../http/handle-agent-request.ts';
import { isForgeable } from '../http/is-forgeable.ts';
import { readJsonRequest, refuseBody } from '../http/read-json-request.ts';
import { type GetPrincipal, readPrincipal } from '../http/read-principal.ts';
import { refuse } from '../http/refuse.ts';
import { toSSEResponse } from '../http/to-sse-stream.ts';
import { parseContinue } from '../parse-session-request.ts';
import { reportFailure } from '../report-failure.ts';
import { storeFailure } from '../session-errors.ts';
import { createEventGenerator } from '../store/event-source.ts';
import type { SessionStore } from '../store/session-store.ts';
import { createSessionSource } from './create-session-source.ts';
import { createInboxEvents, type InboxEvent } from './inbox-events.ts';
import type { InboxQuery, InboxReceipt, InboxSource } from './inbox-source.ts';
import { isWrongPosition, listAll } from './merge-sources.ts';

/** Options of {@link handleInboxRequest}. */
export interface InboxRequestOptions {
  /** The store that all sessions share. It must have `listOpenCalls`. Default: no session, where there are `sources`. */
  readonly store?: SessionStore;
  /**
   * Needed with a `store`. Opens the session of a call. It must open the sessions of other people as well: `mayAnswer` of the session and
   * of the tool decide which of its calls this person sees and answers.
   */
  readonly getSession?: GetSession;
  /** Other backends whose calls wait for people, such as the `inbox` of a tool service. Their calls and those of the store are one list. */
  readonly sources?: readonly InboxSource[];
  /** Returns the person who sent the request, by your login. Undefined answers 401. */
  readonly principal: GetPrincipal;
  /** Longest accepted body, in bytes; a longer one is answered with 413 and `body_too_large`. Default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** How often an event stream sends a comment, so that proxies keep it open. Milliseconds; default 15,000. 0: never. */
  readonly heartbeatMs?: number;
  /**
   * Called with the error that the store, a source or `getSession` threw, for your logs. A session that cannot be opened within ten seconds
   * is left out of the list, and so are the calls of a source that fails, or takes twenty seconds. A client learns that the server failed
   * if the store, and each of the sources, has failed.
   */
  readonly onError?: (thrown: unknown) => unknown;
  readonly clock?: Clock;
}

const MAX_LIMIT = 200;

/** The HTTP status of a refusal, by its code. Any other refusal says that the call has changed meanwhile: 409. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_receipt: 400,
  not_allowed: 403,
  unknown_session: 404,
  tool_unknown: 503,
  session_conflict: 503,
  store_failed: 503,
};

/**
 * A complete HTTP route of the inbox: all open questions of a person over all sessions of a store and over other `sources`, for
 * `usePendingInbox`. Works wherever `Request` and `Response` do; for `node:http` wrap it in `toNodeHandler`.
 *
 * - `GET` answers `{ calls, next? }`: the calls that this person may answer, the oldest first, each an `OpenCall`. `?limit=` takes 1 to
 *   200 (default 50), `?after=` the `next` of the list before
 * - `GET` with `accept: text/event-stream` answers with the event `{ type: 'calls', calls, next? }`, and sends it again whenever the list
 *   changed. After a failure of the store and of all sources an `error` event ends the stream; the client opens it again
 * - `POST` with `{ sessionId, executionId, toolResults }` answers some of the open calls. `200 { status: 'accepted' }` comes as soon as
 *   the answers are stored; the run goes on without the client. A refusal is `{ error, code }` and has changed nothing: 403
 *   `not_allowed`, 400 for an invalid request, 404 `unknown_session`, 503 if the same request may succeed later, else 409
 *
 * Without a principal every request is answered with 401. A POST of another origin is refused as `handleAgentRequest` refuses it.
 */
export async function handleInboxRequest(request: Request, options: InboxRequestOptions): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'POST') {
    const response = refuse(
      405,
      'Send a GET to list the open calls, a POST to answer some.',
      'method_not_allowed',
    );
    response.headers.set('allow', 'GET, POST');
    return response;
  }
  if (isForgeable(request)) {
    const message =
      'A page of another origin must send content-type: application/json. Then its browser asks this server first.';
    return refuse(415, message, 'unsupported_media_type');
  }
  const principal = await readPrincipal(request, options);
  if (principal instanceof Response) return principal;
  if (principal === undefined) return refuse(401, 'Sign in to see your open questions.', 'unauthorized');
  if (request.method === 'POST') return answer(request, principal, options);
  const page = readPage(new URL(request.url));
  if (page instanceof Response) return page;
  const accepts = request.headers.get('accept') ?? '';
  return accepts.includes('text/event-stream')
    ? follow(request, page, options)
    : list(request, { ...page, principal }, options);
}

type Page = Pick<InboxQuery, 'limit' | 'after'>;

function readPage({ searchParams }: URL): Page | Response {
  const [limit, after] = [searchParams.get('limit'), searchParams.get('after')];
  if (limit !== null && !(/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= MAX_LIMIT)) {
    return refuse(400, `limit must be a whole number from 1 to ${MAX_LIMIT}.`, 'invalid_request');
  }
  return { ...(limit !== null && { limit: Number(limit) }), ...(after !== null && { after }) };
}

/** Returns the sources of the route. That of the sessions takes every answer that is for no other. */
function toSources(request: Request, options: InboxRequestOptions): readonly InboxSource[] {
  const { store, getSession, sources = [], clock, onError } = options;
  const claimed = sources.find((one, index) =>
    sources.some((other, at) => at !== index && other.prefix.startsWith(one.prefix)),
  );
  if (claimed !== undefined) {
    throw invalidOptions(
      `handleInboxRequest: two sources have calls whose sessionId begins with '${claimed.prefix}', so an answer would not find its source. Pass each source once.`,
    );
  }
  if (store === undefined || getSession === undefined) {
    if (sources.length > 0 && store === undefined && getSession === undefined) return sources;
    throw invalidOptions('handleInboxRequest: pass store and getSession, or sources alone.');
  }
  const sessions = createSessionSource({
    ...{ store, clock },
    // A store may have the records of a source beside its sessions: the source lists their calls.
    openSession: (sessionId) =>
      sources.some(({ prefix }) => sessionId.startsWith(prefix)) ? null : getSession(sessionId, request),
    onError: (thrown) => reportFailure(onError, thrown),
  });
  return [...sources, sessions];
}

async function list(request: Request, query: InboxQuery, options: InboxRequestOptions): Promise<Response> {
  const { clock = systemClock, onError } = options;
  const sources = toSources(request, options);
  try {
    const calls = await listAll(sources, query, {
      clock,
      onFailure: (thrown) => reportFailure(onError, thrown),
    });
    return Response.json(calls, { headers: { 'cache-control': 'no-store' } });
  } catch (thrown) {
    if (isWrongPosition(thrown)) return refuse(400, (thrown as Error).message, 'invalid_request');
    return refuseFailure(thrown, options);
  }
}

function follow(request: Request, page: Page, options: InboxRequestOptions): Response {
  const { heartbeatMs, clock = systemClock, onError } = options;
  const sources = toSources(request, options);
  const events = createEventGenerator<InboxEvent>(async () => {
    const earlier = new Map<InboxSource, readonly OpenCall[]>();
    return createInboxEvents({
      sources,
      clock,
      async list(onFailure) {
        // A stream may last longer than a login.
        const principal = await readPrincipal(request, options);
        const isSignedIn = principal !== undefined && !(principal instanceof Response);
        return isSignedIn ? listAll(sources, { ...page, principal }, { clock, onFailure, earlier }) : null;
      },
      onError: (thrown) => reportFailure(onError, thrown),
    });
  });
  return toSSEResponse(events, { clock, ...(heartbeatMs !== undefined && { heartbeatMs }) });
}

async function answer(
  request: Request,
  principal: Principal,
  options: InboxRequestOptions,
): Promise<Response> {
  const { body, fault } = await readJsonRequest(request, options);
  if (fault) return refuseBody(fault);
  if (!isRecord(body) || !hasOwn(body, 'sessionId') || typeof body.sessionId !== 'string') {
    return refuse(400, 'sessionId must be a string: that of the open call.', 'invalid_request');
  }
  const { sessionId, executionId, toolResults } = body;
  const parsed = parseContinue({ executionId, toolResults, partial: true });
  if (parsed.type === 'error') return refuse(400, parsed.message, 'invalid_request');
  const source = toSources(request, options).find(({ prefix }) => sessionId.startsWith(prefix));
  if (source === undefined) return refuse(404, 'There is no such session.', 'unknown_session');
  try {
    return toResponse(await source.answer({ ...parsed, sessionId }, principal));
  } catch (thrown) {
    return refuseFailure(thrown, options);
  }
}

function toResponse(receipt: InboxReceipt): Response {
  if (receipt.status === 'accepted') return Response.json({ status: 'accepted' });
  const { code, message, retryable } = receipt;
  const response = refuse(STATUS[code] ?? 409, message, code);
  if (retryable) response.headers.set('retry-after', '1');
  return response;
}

function refuseFailure(thrown: unknown, { onError }: InboxRequestOptions): Response {
  reportFailure(onError, thrown);
  const { message, code = 'store_failed' } = storeFailure(thrown);
  return refuse(503, message, code);
}
