/** The requests that the Mantyx proxy forwards, and the responses it makes of the platform's. */
import type { Upstream } from './create-upstream.ts';
import type { MantyxOwners } from './owners.ts';
import { type Body, readReply, refuse, toRefusal } from './replies.ts';
import { type MantyxServerSpec, type MantyxStart, toStartBody } from './to-start-body.ts';

interface ProxyContext {
  readonly workspace: string;
  readonly spec: (start: MantyxStart) => MantyxServerSpec | Promise<MantyxServerSpec>;
  readonly allow: readonly string[];
  readonly owners: MantyxOwners;
  readonly upstream: Upstream;
}

interface ProxyRequest {
  readonly kind: string | undefined;
  readonly id: string | undefined;
  readonly action: string | undefined;
  readonly userId: string;
  readonly request: Request;
  readonly body: Body;
  /** The path before `/api/v1/...` in the browser's URL. */
  readonly mount: string;
  readonly url: URL;
}

/** Handles a request of the owner of the run or session; undefined if there is no such route. */
export function handleRoute(context: ProxyContext, route: ProxyRequest): Promise<Response> | undefined {
  const { kind, id, action, body, request } = route;
  const { ask, post } = context.upstream;
  if (id === undefined) {
    if (request.method !== 'POST') return undefined;
    return kind === 'agent-runs'
      ? start(context, 'run', kind, route)
      : start(context, 'session', 'agent-sessions', route);
  }
  switch (`${request.method} ${kind} ${action ?? ''}`) {
    case 'GET agent-runs ':
      return readState(context, id, route);
    case 'GET agent-runs stream':
      return stream(context, id, route);
    case 'POST agent-runs tool-results': {
      const { toolUseId, result, error } = body;
      return withoutBody(post(`agent-runs/${id}/tool-results`, { toolUseId, result, error }, request.signal));
    }
    case 'POST agent-runs cancel':
      return withoutBody(post(`agent-runs/${id}/cancel`, {}));
    case 'POST agent-sessions messages':
      return start(context, 'message', `agent-sessions/${id}/messages`, route);
    case 'DELETE agent-sessions ':
      return withoutBody(ask(`agent-sessions/${id}`, { method: 'DELETE' }));
    default:
      return undefined;
  }
}

async function start(
  { workspace, spec, allow, owners, upstream }: ProxyContext,
  use: MantyxStart['use'],
  path: string,
  { userId, request, body, mount }: ProxyRequest,
): Promise<Response> {
  // A session has its spec already. A message with new tools must not remove the tools of the server's spec.
  const isPlain = use === 'message' && body.tools === undefined;
  const given = isPlain ? {} : await spec({ use, userId, body, request });
  const made = toStartBody(body, use === 'message' ? { tools: given.tools } : given, allow);
  if (made.refusal !== undefined) return refuse(400, 'invalid_request', made.refusal);
  // The browser's signal does not abort this request, because a run that was created needs an owner.
  const response = await upstream.post(path, made.body);
  if (!response.ok) return toRefusal(response);
  const reply = await readReply(response);
  const field = use === 'session' ? 'sessionId' : 'runId';
  const id = reply?.[field];
  if (typeof id !== 'string') return refuse(502, 'upstream_error', `Mantyx answered without a ${field}.`);
  try {
    await owners.set(id, userId);
  } catch (thrown) {
    const undo =
      use === 'session'
        ? upstream.ask(`agent-sessions/${id}`, { method: 'DELETE' })
        : upstream.post(`agent-runs/${id}/cancel`, {});
    await undo.catch(() => {});
    throw thrown;
  }
  const streamUrl = `${mount}/api/v1/workspaces/${encodeURIComponent(workspace)}/agent-runs/${id}/stream`;
  return Response.json(use === 'session' ? { sessionId: id } : { runId: id, streamUrl }, {
    status: response.status,
  });
}

async function stream(
  { upstream }: ProxyContext,
  id: string,
  { request, url }: ProxyRequest,
): Promise<Response> {
  const after = request.headers.get('last-event-id') ?? url.searchParams.get('lastSeq') ?? '';
  const headers = {
    accept: 'text/event-stream',
    ...(/^\d{1,15}$/.test(after) ? { 'last-event-id': after } : {}),
  };
  const response = await upstream.ask(`agent-runs/${id}/stream`, { headers, signal: request.signal });
  if (!response.ok) return toRefusal(response);
  return new Response(response.body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}

async function readState(
  { upstream }: ProxyContext,
  id: string,
  { request }: ProxyRequest,
): Promise<Response> {
  const response = await upstream.ask(`agent-runs/${id}`, { signal: request.signal });
  if (!response.ok) return toRefusal(response);
  const reply = await readReply(response);
  if (reply === undefined)
    return refuse(502, 'upstream_error', 'Mantyx answered without the state of the run.');
  // The spec belongs to the server; the browser must not see it.
  const { spec: _, ...state } = reply;
  return Response.json(state);
}

/** Answers 204 or the refusal, for requests whose response body has no use for the page. */
async function withoutBody(replied: Promise<Response>): Promise<Response> {
  const response = await replied;
  if (!response.ok) return toRefusal(response);
  await response.body?.cancel();
  return new Response(null, { status: 204 });
}
