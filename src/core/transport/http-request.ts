/** Makes requests: by the app's own function, or by `fetch` to a URL. */

import { invalidOptions, invalidResponse } from '../../shared/errors.ts';
import { noteFailedAddress } from '../../shared/failed-addresses.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import { type NativePayload, toPayloadText } from '../protocol/native-encode.ts';
import { toConnectionError } from './http-error.ts';

/** Sends one payload and returns the response, whatever its status. */
export type HttpRequest<Payload = NativePayload> = (
  payload: Payload,
  context: { readonly signal: AbortSignal },
) => Promise<Response>;

/** A value, or a function that returns the value for a payload. */
export type PerPayload<Value> = Value | ((payload: NativePayload) => Value | Promise<Value>);

/** Your own request: add the session, authenticate, choose the route. */
export interface HttpRequestOptions {
  /** `POST`s the payload (usually as `{ sessionId, ...payload }`) and returns the response unread. */
  readonly request: HttpRequest;
  readonly url?: undefined;
}

/**
 * The transport makes the request: a JSON `POST` that accepts `text/event-stream`. Every payload has the same headers, so a server of
 * another origin that allows the first request (CORS) allows them all. The cursor of a resume is in the body.
 */
export interface HttpUrlOptions {
  readonly url: string | URL;
  /**
   * Added to `content-type` and `accept`, or in their place. `handleAgentRequest` refuses a request of another origin whose content
   * type is not JSON.
   */
  readonly headers?: PerPayload<HeadersInit>;
  /** Fields that the payload does not have, such as `{ sessionId }`. A field of the payload wins. */
  readonly body?: PerPayload<Readonly<Record<string, unknown>>>;
  /** The option of `fetch` for cookies: `include` sends them to a server of another origin. Default: to the own origin only. */
  readonly credentials?: RequestCredentials;
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
  throw invalidOptions('createHttpTransport needs a `url` or a `request` function, not both.');
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
    // A stop is often sent while the page is closed. Browsers limit keepalive bodies to 64 KiB, too little for a message.
    const keepalive = payload.type === 'stop';
    const { url, credentials, fetch: send = fetch } = options;
    const cookies = credentials && { credentials };
    const request = { method: 'POST', headers, body, signal, keepalive, ...cookies };
    if (process.env.NODE_ENV !== 'development') return send(url, request);
    return send(url, request).catch((thrown: unknown) => {
      noteFailedAddress(thrown, url);
      throw thrown;
    });
  };
}

function valueFor<Value>(value: PerPayload<Value> | undefined, payload: NativePayload) {
  return typeof value === 'function'
    ? (value as (payload: NativePayload) => Value | Promise<Value>)(payload)
    : value;
}

/**
 * Sends a request. Returns the response, or undefined as soon as the signal aborts: a request that ignores its signal must not hold
 * the turn, and its late response is closed unread.
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
  throw invalidResponse('`request` must return the Response of its fetch (missing `return`?).');
}

/** Closes a response unread. */
export function discard(response: Response | undefined): void {
  if (response?.body && !response.body.locked) void response.body.cancel().catch(() => {});
}
