/** Requests to Mantyx in the name of the app: the credential is added here and nowhere else. */
import { reportFailure } from '../../server/report-failure.ts';
import { type Body, refuse } from './mantyx-replies.ts';

export interface MantyxUpstreamOptions {
  /** The workspace's slug. The browser's `workspace` has to be the same. */
  readonly workspace: string;
  /** An API key or an OAuth access token, or how to get one: it is asked for each request. */
  readonly credential: string | (() => string | Promise<string>);
  /** Default `https://app.mantyx.io`. */
  readonly baseUrl?: string | URL;
  /** Hears why Mantyx could not be reached, for your logs: the page is only told that it could not. */
  readonly onError?: (thrown: unknown) => unknown;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Paths are below the workspace's. Where Mantyx cannot be reached, both resolve to a refusal with status 502. */
export interface MantyxUpstream {
  ask(path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Response>;
  post(path: string, body: Body, signal?: AbortSignal): Promise<Response>;
}

export function createMantyxUpstream(options: MantyxUpstreamOptions): MantyxUpstream {
  const { workspace, credential, baseUrl = 'https://app.mantyx.io', onError } = options;
  const root = `${String(baseUrl).replace(/\/+$/, '')}/api/v1/workspaces/${encodeURIComponent(workspace)}/`;

  const ask: MantyxUpstream['ask'] = async (path, init) => {
    const token = typeof credential === 'string' ? credential : await credential();
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    const send = options.fetch ?? globalThis.fetch;
    // A redirect would carry the credential elsewhere.
    return send(`${root}${path}`, { ...init, headers, redirect: 'error' }).catch((thrown: unknown) => {
      // A page that went away is no failure.
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
