/** Sends requests to the platform, or to the proxy that adds the key (Mantyx protocol 0.11, section 1). Any 2xx is a success. */

import { type ErrorBody, toConnectionError, toHttpError } from '../../core/transport/http-error.ts';
import { discard, type HttpRequest, sendRequest } from '../../core/transport/http-request.ts';
import type { Clock } from '../../shared/clock.ts';
import { invalidResponse } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';

export interface ApiOptions {
  /** The base of `/api/v1/workspaces/...`: `https://app.mantyx.io`, or a route of yours that adds the key. */
  readonly baseUrl: string | URL;
  /** The workspace's slug. */
  readonly workspace: string;
  /** Added to each request. A function is called for each request. */
  readonly headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>);
  /** The option of `fetch` for cookies: `include` sends them to a route of another origin. Default: to the own origin only. */
  readonly credentials?: RequestCredentials;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

interface Call {
  readonly path: string;
  /** If present, the request is a `POST`. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Resumes the stream after this event. */
  readonly lastEventId?: string;
}

export interface Api {
  /** Resolves to the JSON of the response, or to `{}` if the body is empty or the signal aborts. */
  ask(call: Call, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  /** Resolves to the response with its body unread, or to undefined if the signal aborts. */
  open(call: Call, signal: AbortSignal): Promise<Response | undefined>;
}

/** Both methods throw `connection_failed` and `http_error`; `ask` also throws `invalid_response`. */
export function createApi(options: ApiOptions, clock: Clock): Api {
  const { workspace, headers, credentials } = options;
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
      ...(credentials && { credentials }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A page often sends a cancel while it closes.
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
    // The error below covers invalid JSON too.
  }
  throw invalidResponse(
    `Mantyx answered ${path} with a body that is not a JSON object. Check baseUrl and the proxy.`,
  );
}

/** Reads an error body: `error` is a code or a text; the other fields have details. */
function describeError({
  error,
  message,
  hint,
  candidates,
  required,
  code,
}: Readonly<Record<string, unknown>>): ErrorBody {
  const list = (value: unknown) => (Array.isArray(value) ? value.map(String).join(', ') : String(value));
  const sentences = [
    [message, error].find((text) => typeof text === 'string' && text !== ''),
    hint,
    ...(candidates === undefined ? [] : [`Candidates: ${list(candidates)}.`]),
    ...(required === undefined ? [] : [`Required: ${list(required)}.`]),
  ];
  const text = sentences.filter((sentence) => typeof sentence === 'string' && sentence !== '').join(' ');
  const token = [code, error].find((text) => typeof text === 'string' && /^\w+$/.test(text));
  return { ...(text === '' ? {} : { message: text }), ...(typeof token === 'string' ? { code: token } : {}) };
}
