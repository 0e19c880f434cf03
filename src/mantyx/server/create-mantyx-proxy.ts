/**
 * A same-origin route in front of Mantyx agent runs (protocol 0.11, section 1): keys must not reach a browser, and one
 * key reads every run of its workspace. What is not listed here does not get through.
 */
import { invalidOptions } from '../../shared/errors.ts';
import { createMemoryMantyxOwners, type MantyxOwners } from './mantyx-owners.ts';
import { type Body, readAnswer, readJsonBody, refuse, toRefusal } from './mantyx-replies.ts';
import { type MantyxServerSpec, type MantyxStart, toStartBody } from './mantyx-start.ts';
import { createMantyxUpstream, type MantyxUpstreamOptions } from './mantyx-upstream.ts';

/** Fields of a message a browser may be allowed to choose. */
export type MantyxBrowserField =
  | 'reasoningLevel'
  | 'outputSchema'
  | 'loopDetection'
  | 'toolBudgets'
  | 'metadata'
  | 'budgets'
  | 'name';

/** Options of {@link createMantyxProxy}. */
export interface MantyxProxyOptions extends MantyxUpstreamOptions {
  /** Who is asking, by your own session. Undefined: 401. */
  readonly authenticate: (request: Request) => string | undefined | Promise<string | undefined>;
  /** The agent, its model, tools and limits. What the person said and the tools of the page are added. */
  readonly spec: (start: MantyxStart) => MantyxServerSpec | Promise<MantyxServerSpec>;
  /** Fields the browser may say as well; where both do, the server's count. Default: none. */
  readonly allow?: readonly MantyxBrowserField[];
  /** Default: {@link createMemoryMantyxOwners}, which is for one process. */
  readonly owners?: MantyxOwners;
}

interface Asked {
  readonly userId: string;
  readonly request: Request;
  readonly body: Body;
  /** What stands before `/api/v1/...` in the browser's URL. */
  readonly mount: string;
  readonly url: URL;
}

/** Ids as Mantyx makes them; anything else cannot leave its place in a path. */
const ROUTE =
  /^(.*)\/api\/v1\/workspaces\/([^/]+)\/(agent-runs|agent-sessions)(?:\/([\w-]{1,128})(?:\/([a-z-]+))?)?$/;

/**
 * Everything a page with `createMantyxTransport` asks for, for those it belongs to: starting runs, sessions and messages
 * with a spec of yours, and of a run of one's own its stream, its state, answers to its calls, and cancelling it. Somebody
 * else's run is as unknown as one that never was (404).
 *
 * Mount it anywhere; the page's `baseUrl` is that place. For `node:http` see `toNodeHandler`; an answer may be 2 MB and
 * its JSON several times that, which is what `maxBodyBytes` there is for.
 *
 * @throws AgentChatError `invalid_options` where one of the four options it needs is missing.
 */
export function createMantyxProxy(options: MantyxProxyOptions): (request: Request) => Promise<Response> {
  checkOptions(options);
  const { workspace, authenticate, spec, allow = [] } = options;
  const owners = options.owners ?? createMemoryMantyxOwners();
  const { ask, post } = createMantyxUpstream(options);

  const start = async (use: MantyxStart['use'], path: string, asked: Asked): Promise<Response> => {
    const { userId, request, body, mount } = asked;
    // A session has its spec; a message that brings tools anew must not take away the server's.
    const isPlain = use === 'message' && body.tools === undefined;
    const given = isPlain ? {} : await spec({ use, userId, body, request });
    const made = toStartBody(body, use === 'message' ? { tools: given.tools } : given, allow);
    if (made.refusal !== undefined) return refuse(400, 'invalid_request', made.refusal);
    // Not aborted with the browser's request: a run that was made has to have an owner.
    const response = await post(path, made.body);
    if (!response.ok) return toRefusal(response);
    const answer = await readAnswer(response);
    const field = use === 'session' ? 'sessionId' : 'runId';
    const id = answer?.[field];
    if (typeof id !== 'string') return refuse(502, 'upstream_error', `Mantyx answered without a ${field}.`);
    try {
      await owners.set(id, userId);
    } catch (thrown) {
      const undo =
        use === 'session'
          ? ask(`agent-sessions/${id}`, { method: 'DELETE' })
          : post(`agent-runs/${id}/cancel`, {});
      await undo.catch(() => {});
      throw thrown;
    }
    const streamUrl = `${mount}/api/v1/workspaces/${encodeURIComponent(workspace)}/agent-runs/${id}/stream`;
    return Response.json(use === 'session' ? { sessionId: id } : { runId: id, streamUrl }, {
      status: response.status,
    });
  };

  const stream = async (id: string, { request, url }: Asked): Promise<Response> => {
    const after = request.headers.get('last-event-id') ?? url.searchParams.get('lastSeq') ?? '';
    const headers = {
      accept: 'text/event-stream',
      ...(/^\d{1,15}$/.test(after) ? { 'last-event-id': after } : {}),
    };
    const response = await ask(`agent-runs/${id}/stream`, { headers, signal: request.signal });
    if (!response.ok) return toRefusal(response);
    return new Response(response.body, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  };

  const snapshot = async (id: string, { request }: Asked): Promise<Response> => {
    const response = await ask(`agent-runs/${id}`, { signal: request.signal });
    if (!response.ok) return toRefusal(response);
    const answer = await readAnswer(response);
    if (answer === undefined)
      return refuse(502, 'upstream_error', 'Mantyx answered without the state of the run.');
    // The spec is the server's.
    const { spec: _, ...state } = answer;
    return Response.json(state);
  };

  /** What a route does, or undefined where there is none. */
  const route = (
    method: string,
    kind: string | undefined,
    id: string | undefined,
    action: string | undefined,
    asked: Asked,
  ): Promise<Response> | undefined => {
    const { body, request } = asked;
    if (id === undefined) {
      if (method !== 'POST') return undefined;
      return kind === 'agent-runs' ? start('run', kind, asked) : start('session', 'agent-sessions', asked);
    }
    switch (`${method} ${kind} ${action ?? ''}`) {
      case 'GET agent-runs ':
        return snapshot(id, asked);
      case 'GET agent-runs stream':
        return stream(id, asked);
      case 'POST agent-runs tool-results': {
        const { toolUseId, result, error } = body;
        return pass(post(`agent-runs/${id}/tool-results`, { toolUseId, result, error }, request.signal));
      }
      case 'POST agent-runs cancel':
        return pass(post(`agent-runs/${id}/cancel`, {}));
      case 'POST agent-sessions messages':
        return start('message', `agent-sessions/${id}/messages`, asked);
      case 'DELETE agent-sessions ':
        return pass(ask(`agent-sessions/${id}`, { method: 'DELETE' }));
      default:
        return undefined;
    }
  };

  return async (request) => {
    const site = request.headers.get('sec-fetch-site') ?? 'same-origin';
    if (site !== 'same-origin' && site !== 'none')
      return refuse(403, 'forbidden', 'This route is for pages of its own origin.');
    const userId = await authenticate(request);
    // Also for those who say nobody by null or '': they would share their runs.
    if (!userId) return refuse(401, 'unauthorized', 'Sign in first.');
    const url = new URL(request.url);
    const [, mount = '', slug, kind, id, action] = ROUTE.exec(url.pathname) ?? [];
    if (slug !== encodeURIComponent(workspace)) return unknown();
    if (id !== undefined && (await owners.get(id)) !== userId) return unknown();
    // A cancel needs no body.
    const body = request.method === 'POST' && action !== 'cancel' ? await readJsonBody(request) : {};
    if (body === undefined)
      return refuse(400, 'invalid_request', 'The body must be a JSON object, sent as application/json.');
    return (
      (await route(request.method, kind, id, action, { userId, request, body, mount, url })) ?? unknown()
    );
  };
}

/** A credential may be empty where it is not set, as in a build: requests say so. */
function checkOptions({ workspace, credential, authenticate, spec }: Partial<MantyxProxyOptions> = {}): void {
  const given = {
    workspace: typeof workspace === 'string' && workspace !== '',
    credential: typeof credential === 'string' || typeof credential === 'function',
    authenticate: typeof authenticate === 'function',
    spec: typeof spec === 'function',
  };
  const missing = Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [] : [name]));
  if (missing.length === 0) return;
  throw invalidOptions(
    `createMantyxProxy needs ${missing.join(', ')}: createMantyxProxy({ workspace: 'acme', credential, authenticate: (request) => userId, spec: () => ({ systemPrompt }) }).`,
  );
}

/** Of an answer that says nothing but whether it went well, just that. */
async function pass(asking: Promise<Response>): Promise<Response> {
  const response = await asking;
  if (!response.ok) return toRefusal(response);
  await response.body?.cancel();
  return new Response(null, { status: 204 });
}

function unknown(): Response {
  return refuse(404, 'not_found', 'There is no such run or session.');
}
