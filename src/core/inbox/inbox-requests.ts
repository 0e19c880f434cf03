/** The requests of an inbox: the list, once or as a stream that follows it, and answers (`handleInboxRequest` of `handrail/server`). */

import type { Clock } from '../../shared/clock.ts';
import { AgentChatError, isReadable } from '../../shared/errors.ts';
import { isRecord, parseJson } from '../../shared/json.ts';
import type { ToolResult } from '../protocol/events.ts';
import { decodeOpenCallList, type OpenCallList } from '../protocol/open-calls.ts';
import { toHttpError } from '../transport/http-error.ts';
import { sendRequest } from '../transport/http-request.ts';
import { type Batch, readEventStream } from '../transport/read-event-stream.ts';
import type { SseMessage } from '../wire/sse.ts';

/** The address of the inbox, and how to reach it. */
export interface InboxRoute {
  readonly url: string | URL;
  /** Added to each request. A function is called for each request, so that it can return a fresh token. */
  readonly headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>) | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** The body of a POST. */
export interface InboxAnswer {
  readonly sessionId: string;
  readonly executionId: string;
  readonly toolResults: readonly ToolResult[];
}

/** Reads the list once. Resolves to undefined when the signal aborts. @throws AgentChatError */
export async function readList(
  route: InboxRoute,
  clock: Clock,
  signal: AbortSignal,
): Promise<OpenCallList | undefined> {
  const response = await send(route, { headers: { accept: 'application/json' } }, clock, signal);
  if (response === undefined) return undefined;
  const text = await response.text();
  return signal.aborted ? undefined : decodeOpenCallList(parseJson(text));
}

/** Yields the list, and again whenever it changed. Ends when the response ends. @throws AgentChatError, or the error of a cut body */
export function followList(
  route: InboxRoute,
  clock: Clock,
  signal: AbortSignal,
): AsyncIterable<readonly OpenCallList[]> {
  const open = () => send(route, { headers: { accept: 'text/event-stream' } }, clock, signal);
  return readEventStream(open, { signal }, clock, decodeLists);
}

/** Sends answers. Resolves when the server has taken them, or the signal aborts. @throws AgentChatError with the code of the refusal */
export async function sendAnswer(
  route: InboxRoute,
  answer: InboxAnswer,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  await send(route, { method: 'POST', headers, body: JSON.stringify(answer) }, clock, signal);
}

/** @throws AgentChatError when there is no response, or its status is no success. */
async function send(
  { url, headers, fetch: fetchUrl = fetch }: InboxRoute,
  init: { readonly method?: string; readonly headers: Record<string, string>; readonly body?: string },
  clock: Clock,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const request = async () => {
    const given = new Headers(typeof headers === 'function' ? await headers() : headers);
    return fetchUrl(url, { ...init, headers: { ...init.headers, ...Object.fromEntries(given) }, signal });
  };
  const response = await sendRequest(request, undefined, signal);
  if (response !== undefined && !response.ok) throw await toHttpError(response, signal, clock);
  return response;
}

function decodeLists(messages: readonly SseMessage[]): Batch<OpenCallList> {
  const events: OpenCallList[] = [];
  try {
    for (const { data } of messages) {
      const event = parseJson(data);
      if (isRecord(event) && event.type === 'calls') events.push(decodeOpenCallList(event));
      // The stream ends with `[DONE]` when its person is no longer signed in.
      else return { events, ended: true, ...(isRecord(event) && { error: toFailure(event) }) };
    }
  } catch (thrown) {
    return { events, ended: true, error: thrown as AgentChatError };
  }
  return { events };
}

/** The error of an `error` event: the server could not read the list. */
function toFailure({ message, code }: Readonly<Record<string, unknown>>): AgentChatError {
  return new AgentChatError({
    code: 'backend_error',
    message: isReadable(message) ? message : 'The server could not read the list.',
    source: 'platform',
    retryable: true,
    ...(isReadable(code) && { backendCode: code }),
  });
}
