/** Requests to the platform, or to the proxy that adds the key (Mantyx protocol 0.11, section 1). Any 2xx is a success. */
import type { Clock } from '../shared/clock.ts';
import { isRecord } from '../shared/json.ts';
import { type ErrorBody, toHttpError } from '../transport/http-error.ts';
import { discard, type HttpRequest, sendRequest } from '../transport/http-request.ts';
import { toConnectionError, toInvalidResponse } from '../transport/request-error.ts';

export interface ApiOptions {
  /** Where `/api/v1/workspaces/...` is: `https://app.mantyx.io`, or a route of yours that adds the key. */
  readonly baseUrl: string | URL;
  /** The workspace's slug. */
  readonly workspace: string;
  /** Added to each request. A function is asked each time. */
  readonly headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>);
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

interface Call {
  readonly path: string;
  /** Present: a `POST`. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Read on after this event. */
  readonly lastEventId?: string;
}

export interface Api {
  /** The JSON that is answered, `{}` where there is none. An aborted signal gives that too: look at it. */
  ask(call: Call, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  /** The response, unread; undefined once the signal aborts. */
  open(call: Call, signal: AbortSignal): Promise<Response | undefined>;
}

/** Both throw `connection_failed` and `http_error`, and `ask` throws `invalid_response`. */
export function createApi(options: ApiOptions, clock: Clock): Api {
  const { workspace, headers } = options;
  const root = `${String(options.baseUrl).replace(/\/+$/, '')}/api/v1/workspaces/${encodeURIComponent(workspace)}`;

  const request: HttpRequest<Call> = async ({ path, body, lastEventId }, { signal }) => {
    const sent = new Headers(typeof headers === 'function' ? await headers() : headers);
    if (body !== undefined) sent.set('content-type', 'application/json');
    if (lastEventId !== undefined) sent.set('last-event-id', lastEventId);
    const send = options.fetch ?? globalThis.fetch;
    return send(`${root}/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: sent,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A cancel is often sent while the page goes away.
      keepalive: path.endsWith('/cancel'),
    });
  };

  const open: Api['open'] = async (call, signal) => {
    const response = await sendRequest(request, call, signal);
    if (response === undefined || response.ok) return response;
    throw await toHttpError(response, signal, clock, describeError);
  };

  return {
    open,
    async ask(call, signal) {
      const response = await open(call, signal);
      if (response === undefined) return {};
      let text: string;
      try {
        text = await response.text();
      } catch (thrown) {
        discard(response);
        if (signal.aborted) return {};
        throw toConnectionError(thrown);
      }
      return text.trim() === '' ? {} : parse(text, call.path);
    },
  };
}

function parse(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text);
    if (isRecord(json)) return json;
  } catch {
    // Said below.
  }
  throw toInvalidResponse(
    `Mantyx answered ${path} with something that is no JSON object. Check baseUrl and the proxy.`,
  );
}

/** `error` is a code or a text; what helps stands beside it. */
function describeError({
  error,
  message,
  hint,
  candidates,
  required,
  code,
}: Readonly<Record<string, unknown>>): ErrorBody {
  const list = (value: unknown) => (Array.isArray(value) ? value.map(String).join(', ') : String(value));
  const said = [
    [message, error].find((text) => typeof text === 'string' && text !== ''),
    hint,
    ...(candidates === undefined ? [] : [`Candidates: ${list(candidates)}.`]),
    ...(required === undefined ? [] : [`Required: ${list(required)}.`]),
  ];
  const told = said.filter((text) => typeof text === 'string' && text !== '').join(' ');
  const token = [code, error].find((text) => typeof text === 'string' && /^\w+$/.test(text));
  return { ...(told === '' ? {} : { message: told }), ...(typeof token === 'string' ? { code: token } : {}) };
}
