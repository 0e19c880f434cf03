/** Sends the requests of a thread (AgentBuilder documentation; the routes of the client tools are those of our server kit). */

import { type MayBeMade, made } from '../../core/transport/create-sender.ts';
import { toConnectionError, toHttpError } from '../../core/transport/http-error.ts';
import { sendRequest } from '../../core/transport/http-request.ts';
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError, invalidResponse } from '../../shared/errors.ts';
import { compact, isRecord, parseJson } from '../../shared/json.ts';
import { isName, readRow } from './thread-row.ts';
import { readClientCall, type ThreadSnapshot } from './thread-snapshot.ts';

export interface ThreadApiOptions {
  /** The base of `/api/threads`: the address of the server, or a path of the page's own site. */
  readonly endpoint: string | URL;
  /**
   * Goes into the `Authorization` header of each request, and into the address of the stream. A function is called for each request:
   * return a short-lived token.
   */
  readonly token: MayBeMade<string>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Behind `/api/threads`. */
  readonly path: string;
  readonly body?: object;
}

/** A response that is no error of the request. */
export interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** All methods throw `connection_failed`, `http_error` and `invalid_response`, and resolve to undefined when the signal aborts. */
export interface ThreadApi {
  /** @param accepted statuses besides 2xx that are returned and not thrown */
  ask(call: Call, signal: AbortSignal, accepted?: readonly number[]): Promise<Reply | undefined>;
  readSnapshot(threadId: string, signal: AbortSignal): Promise<ThreadSnapshot | undefined>;
  /** The address of a thread. */
  urlOf(threadId: string): string;
  /** The address of a thread's stream, with the token. */
  streamUrl(threadId: string): Promise<URL>;
}

export function createThreadApi(
  { endpoint, token, fetch: given }: ThreadApiOptions,
  clock: Clock,
): ThreadApi {
  const root = `${String(endpoint).replace(/\/+$/, '')}/api/threads`;
  const urlOf = (threadId: string) => `${root}/${encodeURIComponent(threadId)}`;

  const ask: ThreadApi['ask'] = async ({ method, path, body }, signal, accepted = []) => {
    const request = async () => {
      const headers = new Headers({ authorization: `Bearer ${await made(token)}` });
      if (body !== undefined) headers.set('content-type', 'application/json');
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      // A page often sends a stop while it closes.
      const keepalive = path.endsWith('/stop');
      return (given ?? globalThis.fetch)(`${root}${path}`, {
        method,
        headers,
        signal,
        keepalive,
        ...content,
      });
    };
    const response = await sendRequest(request, undefined, signal);
    if (response === undefined) return undefined;
    if (!response.ok && !accepted.includes(response.status)) throw await toHttpError(response, signal, clock);
    const text = await readText(response, signal);
    return text === undefined ? undefined : { status: response.status, body: readBody(text, response, path) };
  };

  return {
    ask,
    urlOf,
    async readSnapshot(threadId, signal) {
      const path = `/${encodeURIComponent(threadId)}`;
      const get = (more: string) => ask({ method: 'GET', path: `${path}${more}` }, signal);
      const replies = await Promise.all([get(''), get('/messages'), get('/client-tools').catch(orNoKit)]);
      const [thread, messages, tools] = replies;
      if (thread === undefined || messages === undefined || tools === undefined) return undefined;
      return {
        status: thread.body.status,
        rows: toList(messages.body.messages).flatMap((raw) => readRow(raw) ?? []),
        calls: toList(tools.body.calls).flatMap((raw) => readClientCall(raw) ?? []),
      };
    },
    async streamUrl(threadId) {
      const url = new URL(`${urlOf(threadId)}/stream`, globalThis.location?.href);
      url.protocol = url.protocol.replace('http', 'ws');
      url.searchParams.set('token', (await made(token)) ?? '');
      return url;
    },
  };
}

/** A server without the kit has no list of calls: it has only tools of its own. */
function orNoKit(thrown: unknown): Reply {
  if (AgentChatError.isInstance(thrown) && thrown.status === 404 && thrown.backendCode === undefined)
    return { status: 404, body: {} };
  throw thrown;
}

async function readText(response: Response, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await response.text();
  } catch (thrown) {
    if (signal.aborted) return undefined;
    throw toConnectionError(thrown);
  }
}

function readBody(text: string, { ok }: Response, path: string): Readonly<Record<string, unknown>> {
  const body = text.trim() === '' ? {} : parseJson(text);
  if (isRecord(body)) return body;
  // The text of a refusal may be that of a proxy.
  if (!ok) return {};
  throw invalidResponse(
    `The server answered /api/threads${path} with a body that is not a JSON object. Check the endpoint of createStandardAgentsTransport.`,
  );
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Creates a thread and returns its id. Returns undefined when the signal aborts. */
export async function createThread(
  api: ThreadApi,
  agentId: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const reply = await api.ask({ method: 'POST', path: '', body: { agent_id: agentId } }, signal);
  if (reply === undefined) return undefined;
  // The documentation of AgentBuilder has both names.
  const id = [reply.body.threadId, reply.body.id].find(isName);
  if (id !== undefined) return id;
  throw invalidResponse('The server created a thread and did not tell its id (threadId or id).');
}

/** The body of a message, as `POST messages` takes it. */
export interface NewMessage {
  readonly id: string;
  readonly content: string;
  readonly attachments: readonly object[] | undefined;
}

/** Posts a message of a person. The server takes a message with the same id once. */
export async function postMessage(
  api: ThreadApi,
  threadId: string,
  message: NewMessage,
  signal: AbortSignal,
): Promise<void> {
  const path = `/${encodeURIComponent(threadId)}/messages`;
  await api.ask({ method: 'POST', path, body: compact({ role: 'user', ...message }) }, signal);
}
