/** Sends requests to Mantyx for the app. Only this file uses the credential. */
import { reportFailure } from '../../../server/report-failure.ts';
import { type Body, refuse } from './replies.ts';

export interface UpstreamOptions {
  /** The workspace's slug. The browser's `workspace` must be the same. */
  readonly workspace: string;
  /** An API key or an OAuth access token, or a function that returns one, called for each request. */
  readonly credential: string | (() => string | Promise<string>);
  /** Default `https://app.mantyx.io`. */
  readonly baseUrl?: string | URL;
  /** Called with the error when Mantyx could not be reached, for your logs. The page gets a 502 without details. */
  readonly onError?: (thrown: unknown) => unknown;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Paths are relative to the workspace. If Mantyx cannot be reached, both methods resolve to a refusal with status 502. */
export interface Upstream {
  ask(path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Response>;
  post(path: string, body: Body, signal?: AbortSignal): Promise<Response>;
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const { workspace, credential, baseUrl = 'https://app.mantyx.io', onError } = options;
  const root = `${String(baseUrl).replace(/\/+$/, '')}/api/v1/workspaces/${encodeURIComponent(workspace)}/`;

  const ask: Upstream['ask'] = async (path, init) => {
    const token = typeof credential === 'string' ? credential : await credential();
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    const send = options.fetch ?? globalThis.fetch;
    // A redirect would send the credential to another server.
    return send(`${root}${path}`, { ...init, headers, redirect: 'error' }).catch((thrown: unknown) => {
      // An aborted request is not a failure: the page went away.
      if (!init.signal?.aborted) reportFailure(onError, thrown);
      return refuse(502, 'upstream_unreachable', 'Mantyx could not be reached.');
    });
  };
  return {
    ask,
    post: (path, body, signal) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      }),
  };
}
