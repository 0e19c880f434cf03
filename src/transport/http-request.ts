/** Turns both forms of the request options, `request` and `url`, into one function. */
import type { NativePayload } from '../protocol/native-encode.ts';
import { invalidOptions } from '../shared/errors.ts';
import { untilAborted } from '../shared/until-aborted.ts';
import { toNoResponse } from './http-error.ts';
import { toPayloadText } from './payload-text.ts';
import { toConnectionError } from './request-error.ts';

/** Sends one payload and gives the response, of whatever status. */
export type HttpRequest<Payload = NativePayload> = (
  payload: Payload,
  context: { readonly signal: AbortSignal },
) => Promise<Response>;

/** A value, or how to get it for a payload. */
export type PerPayload<Value> = Value | ((payload: NativePayload) => Value | Promise<Value>);

/** Your own request: add the session, authenticate, choose the route. */
export interface HttpRequestOptions {
  /** `POST`s the payload (usually as `{ sessionId, ...payload }`) and returns the response unread. */
  readonly request: HttpRequest;
  readonly url?: undefined;
}

/**
 * The request made for you: a JSON `POST` that accepts `text/event-stream`. Every payload has the same headers, so that a
 * server of another origin that takes the first one takes them all; a cursor is in the body.
 */
export interface HttpUrlOptions {
  readonly url: string | URL;
  /** Added to `content-type` and `accept`, or in their place: `text/plain` spares a request to another origin its preflight. */
  readonly headers?: PerPayload<HeadersInit>;
  /** Merged under the payload, such as `{ sessionId }`. */
  readonly body?: PerPayload<Readonly<Record<string, unknown>>>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  readonly request?: undefined;
}

/** @throws AgentChatError `invalid_options` when there is neither a `request` function nor a `url`, or both. */
export function toHttpRequest(options: HttpRequestOptions | HttpUrlOptions): HttpRequest {
  const { request, url } = options ?? {};
  if (typeof request === 'function' && url === undefined) return request;
  if (request === undefined && (url instanceof URL || (url && typeof url === 'string'))) {
    return createRequest(options as HttpUrlOptions);
  }
  throw invalidOptions('createHttpTransport needs a `url` or a `request` function, and not both.');
}

function createRequest(options: HttpUrlOptions): HttpRequest {
  return async (payload, { signal }) => {
    const given = new Headers(await valueFor(options.headers, payload));
    const headers = new Headers({
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...Object.fromEntries(given),
    });
    const body = toPayloadText({ ...(await valueFor(options.body, payload)), ...payload });
    // A stop is often sent while the page goes away.
    const keepalive = payload.type === 'stop';
    const send = options.fetch ?? globalThis.fetch;
    return send(options.url, { method: 'POST', headers, body, signal, keepalive });
  };
}

function valueFor<Value>(value: PerPayload<Value> | undefined, payload: NativePayload) {
  return typeof value === 'function'
    ? (value as (payload: NativePayload) => Value | Promise<Value>)(payload)
    : value;
}

/**
 * Sends, and gives the response, or undefined once the signal aborts: a request that ignores its signal must not
 * hold the turn, and what it brings later is closed unread.
 *
 * @throws AgentChatError `connection_failed` when there was no response.
 */
export async function sendRequest<Payload>(
  request: HttpRequest<Payload>,
  payload: Payload,
  signal: AbortSignal,
): Promise<Response | undefined> {
  if (signal.aborted) return undefined;
  const responded = (async () => request(payload, { signal }))();
  let response: Response | undefined;
  try {
    response = await untilAborted(responded, signal);
  } catch (thrown) {
    if (!signal.aborted) throw toConnectionError(thrown);
  }
  if (signal.aborted) {
    responded.then(discard).catch(() => {});
    return undefined;
  }
  if (response?.body || Number(response?.status) >= 0) return response;
  throw toNoResponse();
}

/** Closes an unread response. */
export function discard(response: Response | undefined): void {
  if (response?.body && !response.body.locked) void response.body.cancel().catch(() => {});
}
