/**
 * A runtime of the Standard Agents specification 0.1.0 inside your server, for tests, demos and small apps: threads with `ai_human`
 * and `dual_ai` agents, their REST routes and their stream.
 */
import { MAX_BODY_BYTES } from '../../../server/http/read-body.ts';
import { refuse } from '../../../server/http/refuse.ts';
import { reportFailure } from '../../../server/report-failure.ts';
import type { ServerSocket } from '../../../server/socket/listen-to-socket.ts';
import type { SocketHandle } from '../../../server/socket/serve-socket.ts';
import { systemClock } from '../../../shared/clock.ts';
import { invalidOptions } from '../../../shared/errors.ts';
import { hasOwn } from '../../../shared/json.ts';
import { checkAgent } from './check-agent.ts';
import { createEndpointRouter, type EndpointMatch } from './create-endpoint-router.ts';
import type { ThreadEndpointHandler } from './define-thread-endpoint.ts';
import type { OpenThread } from './open-thread.ts';
import { readJsonBody } from './read-json-body.ts';
import { redactValue } from './redact-secrets.ts';
import { serveThreadStream } from './serve-thread-stream.ts';
import { type OwnHandler, threadEndpoints } from './thread-endpoints.ts';
import type { ThreadRuntimeOptions } from './thread-runtime-options.ts';
import { ThreadTakenError } from './thread-store.ts';
import { Threads } from './threads.ts';

/** The threads of a server. */
export interface ThreadRuntime {
  /**
   * Handles requests to `.../api/threads`; undefined for other paths. An error of an endpoint or the store is answered with
   * 500 and `internal_error`. A path that matches no route gets 404 without a body.
   */
  handle(request: Request): Promise<Response | undefined>;
  /**
   * Checks the URL of a WebSocket upgrade, `.../api/threads/{id}/stream?token=...`, and returns the id of the thread. Undefined: refuse
   * the upgrade, because the token's user has no such thread.
   */
  authorizeStream(url: string): Promise<string | undefined>;
  /**
   * Sends the frames of a thread over a socket until the socket closes. Call `authorizeStream` before.
   *
   * @throws Error if there is no such thread.
   */
  serveStream(socket: ServerSocket, threadId: string): Promise<SocketHandle>;
}

/** The path before `/api/threads` may be anything. The rest is `{id}/{path}`. */
const ROUTE = /^.*?\/api\/threads(?:\/([^/]*)(?:\/(.*))?)?$/;

/**
 * Creates a runtime. `handle` works wherever `Request` and `Response` do. For `node:http` use `toNodeHandler` of `handrail/server`:
 * `toNodeHandler(async (request) => (await runtime.handle(request)) ?? new Response(null, { status: 404 }))`.
 *
 * With a store that outlives the process, a thread goes on where it was as soon as a request asks for it. A tool whose result was
 * not saved runs again.
 *
 * @throws AgentChatError `invalid_options` without agents or `authenticate`, or for an agent that is not whole.
 * @throws TypeError if the name of an endpoint is no route.
 */
export function createThreadRuntime(options: ThreadRuntimeOptions): ThreadRuntime {
  checkOptions(options);
  const { authenticate, clock = systemClock, maxBodyBytes = MAX_BODY_BYTES, onError } = options;
  const threads = new Threads({ ...options, clock, maxBodyBytes });
  options.kit?.connect(threads);
  const findRoute = createRouter(options);

  /** Returns the thread if it is the user's. */
  async function findThread(threadId: string, userId: string): Promise<OpenThread | undefined> {
    const found = await threads.find(threadId);
    return found?.thread.record.user_id === userId ? found : undefined;
  }

  async function answer(request: Request, url: URL, threadId: string | undefined, path: string) {
    const userId = await authenticate(readBearerToken(request));
    // Also for null and '': all users with an empty id would share their threads.
    if (!userId) return refuse(401, 'Send a valid bearer token.', 'unauthorized');
    if (threadId === undefined && request.method === 'POST') {
      const body = await readJsonBody(request, maxBodyBytes);
      return body instanceof Response ? body : createThread(threads, options.agents, body, userId);
    }
    if (!threadId) return refuse(400, `The path ${url.pathname} has no thread id.`, 'missing_thread_id');
    const found = await findThread(threadId, userId);
    if (found === undefined) return refuse(404, 'There is no such thread.', 'unknown_thread');
    return callRoute(findRoute(request.method, path), request, found);
  }

  return {
    async handle(request) {
      const url = new URL(request.url);
      const match = ROUTE.exec(url.pathname);
      if (match === null) return undefined;
      const [, threadId, path = ''] = match;
      return answer(request, url, threadId, path).catch((thrown: unknown) => {
        reportFailure(onError, thrown, { source: 'request', threadId } as const);
        return refuseFailure(thrown);
      });
    },
    async authorizeStream(url) {
      // The URL of an upgrade in `node:http` is a path.
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      const [, threadId, path] = ROUTE.exec(pathname) ?? [];
      const userId = await authenticate(searchParams.get('token') ?? undefined);
      if (!userId || !threadId || path !== 'stream') return undefined;
      return (await findThread(threadId, userId)) && threadId;
    },
    async serveStream(socket, threadId) {
      const found = await threads.find(threadId);
      if (found === undefined) throw new Error(`There is no thread ${threadId}. Call authorizeStream first.`);
      return { dispose: serveThreadStream(socket, found, clock) };
    },
  };
}

async function callRoute(
  route: EndpointMatch<OwnHandler> | undefined,
  request: Request,
  found: OpenThread,
): Promise<Response> {
  if (route === undefined) return new Response(null, { status: 404 });
  try {
    // An endpoint of plain JavaScript may return nothing.
    return (await route.handler(request, found, route.params)) ?? new Response(null, { status: 204 });
  } catch (thrown) {
    throw redactValue(thrown, found.thread.secretTexts);
  }
}

function checkOptions({ agents, authenticate }: Partial<ThreadRuntimeOptions> = {}): void {
  if (typeof agents !== 'object' || typeof authenticate !== 'function') {
    throw invalidOptions(
      "createThreadRuntime needs agents and authenticate: createThreadRuntime({ agents: { helper: { type: 'ai_human', model } }, authenticate: (token) => userId }).",
    );
  }
  for (const [id, agent] of Object.entries(agents)) checkAgent(id, agent, agents);
}

/** The routes of the runtime come first: no endpoint can take the place of the messages of a thread. */
function createRouter({ endpoints = {}, packedEndpoints = [], kit }: ThreadRuntimeOptions) {
  const withState = (handler: ThreadEndpointHandler): OwnHandler => {
    return (request, { runner }, params) => handler(request, runner.createEndpointState(), params);
  };
  const sets = [endpoints, ...(kit ? [kit.endpoints] : []), ...packedEndpoints].map((set) =>
    Object.fromEntries(Object.entries(set).map(([file, handler]) => [file, withState(handler)])),
  );
  return createEndpointRouter<OwnHandler>(threadEndpoints, ...sets);
}

function refuseFailure(thrown: unknown): Response {
  if (!(thrown instanceof ThreadTakenError)) return refuse(500, 'The server failed.', 'internal_error');
  const response = refuse(
    503,
    'Another process has changed the thread. Send the request again.',
    'thread_taken',
  );
  response.headers.set('retry-after', '1');
  return response;
}

function readBearerToken(request: Request): string | undefined {
  return /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
}

async function createThread(
  threads: Threads,
  agents: ThreadRuntimeOptions['agents'],
  { agent_id: agentId, user_id: namedUser = null, tags = [] }: Readonly<Record<string, unknown>>,
  userId: string,
): Promise<Response> {
  if (typeof agentId !== 'string' || !hasOwn(agents, agentId)) {
    return refuse(400, `There is no agent ${JSON.stringify(agentId)}. Set agent_id.`, 'unknown_agent');
  }
  if (namedUser !== null && namedUser !== userId) {
    return refuse(403, 'user_id is not the user of the bearer token. Leave it out.', 'forbidden');
  }
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) {
    return refuse(400, 'tags must be a list of strings.', 'invalid_request');
  }
  const id = await threads.create({ agent_id: agentId, user_id: userId, tags });
  return Response.json({ id, threadId: id, agent_id: agentId, message: 'Thread created successfully' });
}
