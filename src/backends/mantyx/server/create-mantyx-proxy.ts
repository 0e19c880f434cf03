/**
 * A same-origin route in front of Mantyx agent runs (protocol 0.11, section 1): a browser must not have the key, and one key
 * reads every run of its workspace. The proxy forwards only the requests that are listed here.
 */

import { isForgeable } from '../../../server/http/is-forgeable.ts';
import { MAX_BODY_BYTES } from '../../../server/http/read-body.ts';
import { invalidOptions } from '../../../shared/errors.ts';
import { createUpstream, type UpstreamOptions } from './create-upstream.ts';
import { createMemoryMantyxOwners, type MantyxOwners } from './owners.ts';
import { handleRoute } from './proxy-routes.ts';
import { readJsonBody, refuse } from './replies.ts';
import type { MantyxServerSpec, MantyxStart } from './to-start-body.ts';

/** Fields of a message that a browser may be allowed to set. */
export type MantyxBrowserField =
  | 'reasoningLevel'
  | 'outputSchema'
  | 'loopDetection'
  | 'toolBudgets'
  | 'metadata'
  | 'budgets'
  | 'name';

/** Options of {@link createMantyxProxy}. */
export interface MantyxProxyOptions extends UpstreamOptions {
  /** Returns the id of the signed-in user. Undefined is answered with 401. */
  readonly authenticate: (request: Request) => string | undefined | Promise<string | undefined>;
  /** Returns the agent, its model, tools and limits. The proxy adds the message of the person and the tools of the page. */
  readonly spec: (start: MantyxStart) => MantyxServerSpec | Promise<MantyxServerSpec>;
  /** Fields that the browser may set as well; a field of the server's spec wins. Default: none. */
  readonly allow?: readonly MantyxBrowserField[];
  /** Default: {@link createMemoryMantyxOwners}, for one process. */
  readonly owners?: MantyxOwners;
  /** Longest accepted body, in bytes; a longer one is answered with 413 and `body_too_large`. Default 4 MiB. */
  readonly maxBodyBytes?: number;
}

/** The path of a request. Ids have only the characters of Mantyx ids, so that an id cannot change the path upstream. */
const ROUTE =
  /^(.*)\/api\/v1\/workspaces\/([^/]+)\/(agent-runs|agent-sessions)(?:\/([\w-]{1,128})(?:\/([a-z-]+))?)?$/;

/**
 * Handles every request of a page with `createMantyxTransport`: starting runs, sessions and messages with a spec of yours, and
 * for a run of the user its stream, its state, answers to its calls, and cancelling it. The run of another user gets the same
 * 404 as a run that does not exist.
 *
 * Mount it anywhere; the page's `baseUrl` is that place. For `node:http` see `toNodeHandler`, which has a `maxBodyBytes` of its own.
 * An answer may be 2 MB, and its JSON several times that.
 *
 * @throws AgentChatError `invalid_options` if one of the four required options is missing.
 */
export function createMantyxProxy(options: MantyxProxyOptions): (request: Request) => Promise<Response> {
  checkOptions(options);
  const { workspace, authenticate, spec, allow = [], maxBodyBytes = MAX_BODY_BYTES } = options;
  const owners = options.owners ?? createMemoryMantyxOwners();
  const context = { workspace, spec, allow, owners, upstream: createUpstream(options) };

  return async (request) => {
    const site = request.headers.get('sec-fetch-site') ?? 'same-origin';
    const isForeign = site !== 'same-origin' && site !== 'none';
    if (isForeign || isForgeable(request))
      return refuse(403, 'forbidden', 'This route is for pages of its own origin.');
    const userId = await authenticate(request);
    // Also for null and '': all users with an empty id would share their runs.
    if (!userId) return refuse(401, 'unauthorized', 'Sign in first.');
    const url = new URL(request.url);
    const [, mount = '', slug, kind, id, action] = ROUTE.exec(url.pathname) ?? [];
    if (slug !== encodeURIComponent(workspace)) return unknown();
    if (id !== undefined && (await owners.get(id)) !== userId) return unknown();
    // A cancel needs no body.
    const body =
      request.method === 'POST' && action !== 'cancel' ? await readJsonBody(request, maxBodyBytes) : {};
    if (body instanceof Response) return body;
    return (await handleRoute(context, { kind, id, action, userId, request, body, mount, url })) ?? unknown();
  };
}

/** Accepts an empty credential, because a build may run without one; requests fail then. */
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

function unknown(): Response {
  return refuse(404, 'not_found', 'There is no such run or session.');
}
