import type { Clock } from '../../shared/clock.ts';
import { orInvalid } from '../../shared/errors.ts';
import { toHttpError } from './http-error.ts';
import { sendRequest } from './http-request.ts';

/** A value, or a function that makes it for each request. */
export type MayBeMade<Value> = Value | (() => Value | Promise<Value>);

/** How a transport of another backend makes its requests. */
export interface SenderOptions {
  /** Added to those of every request. */
  readonly headers?: MayBeMade<HeadersInit>;
  /** The option of `fetch` for cookies. Default: to the own origin only. */
  readonly credentials?: RequestCredentials;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * Sends JSON, or asks without a body, and returns the response. Resolves to undefined when the signal aborts.
 *
 * @throws AgentChatError `http_error`, `connection_failed`; `invalid_options` for a body that JSON cannot carry
 */
export type Send = (
  url: string,
  body: object | undefined,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Response | undefined>;

export function createSender({ headers, credentials, fetch: given }: SenderOptions, clock: Clock): Send {
  return async (url, body, own, signal) => {
    const request = async () => {
      const more = new Headers(await made(headers));
      const json = body && {
        method: 'POST',
        body: orInvalid(() => JSON.stringify(body), 'The request cannot be written as JSON'),
      };
      const type = body && { 'content-type': 'application/json' };
      return (given ?? fetch)(url, {
        ...json,
        headers: { ...type, ...own, ...Object.fromEntries(more) },
        signal,
        ...(credentials && { credentials }),
      });
    };
    const response = await sendRequest(request, undefined, signal);
    if (response && !response.ok) throw await toHttpError(response, signal, clock);
    return response;
  };
}

/** Returns the value of an option. */
export function made<Value>(value: MayBeMade<Value> | undefined): Value | Promise<Value> | undefined {
  return typeof value === 'function' ? (value as () => Value | Promise<Value>)() : value;
}
