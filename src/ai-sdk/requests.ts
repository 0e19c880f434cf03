import type { Clock } from '../shared/clock.ts';
import { invalidOptions, orInvalid } from '../shared/errors.ts';
import { toHttpError } from '../transport/http-error.ts';
import { sendRequest } from '../transport/http-request.ts';
import { toEventStream } from './to-event-stream.ts';
import type { AiSdkMessage } from './ui-message.ts';

type MayBeMade<Value> = Value | (() => Value | Promise<Value>);

/** How requests are made. */
export interface AiSdkRequestOptions {
  /** The route of the chat. Default `/api/chat`. */
  readonly api?: string | URL;
  /** Added to those of every request. */
  readonly headers?: MayBeMade<HeadersInit>;
  /** Fields of the body besides `id`, `messages`, `trigger` and `messageId`. */
  readonly body?: MayBeMade<Readonly<Record<string, unknown>>>;
  /** The option of `fetch` for cookies. Default: to the own origin only. */
  readonly credentials?: RequestCredentials;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** The requests that the route of a chat takes. Each resolves to undefined when the signal aborts. */
export interface Requests {
  /** @throws AgentChatError `http_error`, `connection_failed` */
  post(chat: PostedChat, signal: AbortSignal): Promise<Response | undefined>;
  /** Asks for the response that is going on; the status 204 says that there is none. */
  resume(chatId: string, signal: AbortSignal): Promise<Response | undefined>;
}

export interface PostedChat {
  readonly id: string;
  readonly messages: readonly AiSdkMessage[];
  readonly messageId: string | undefined;
}

/** @throws AgentChatError `invalid_options` if `api` is no address */
export function createRequests(options: AiSdkRequestOptions, clock: Clock): Requests {
  const { api = '/api/chat', credentials, fetch: send = (...args) => fetch(...args) } = options;
  const address = String(api);
  if (address === '') throw invalidOptions('createAiSdkTransport needs the address of the chat as `api`.');

  const ask = async (url: string, init: () => Promise<RequestInit>, signal: AbortSignal) => {
    const request = async () => send(url, { ...(await init()), signal, ...(credentials && { credentials }) });
    const response = await sendRequest(request, undefined, signal);
    if (response && !response.ok) throw await toHttpError(response, signal, clock);
    return response && toEventStream(response);
  };
  const toHeaders = async (own: Readonly<Record<string, string>>) => {
    const given = new Headers(await made(options.headers));
    return { ...own, ...Object.fromEntries(given) };
  };

  return {
    post: ({ id, messages, messageId }, signal) =>
      ask(
        address,
        async () => {
          const extra = await made(options.body);
          const chat = { ...extra, id, messages, trigger: 'submit-message', messageId };
          return {
            method: 'POST',
            headers: await toHeaders({ 'content-type': 'application/json' }),
            body: orInvalid(() => JSON.stringify(chat), 'The request cannot be written as JSON'),
          };
        },
        signal,
      ),
    resume: (chatId, signal) =>
      ask(toResumeAddress(address, chatId), async () => ({ headers: await toHeaders({}) }), signal),
  };
}

function made<Value>(value: MayBeMade<Value> | undefined): Value | Promise<Value> | undefined {
  return typeof value === 'function' ? (value as () => Value | Promise<Value>)() : value;
}

/** The id comes before the query of the address. */
function toResumeAddress(address: string, chatId: string): string {
  const [path = '', query] = address.split('?', 2);
  const stream = `${path}/${encodeURIComponent(chatId)}/stream`;
  return query === undefined ? stream : `${stream}?${query}`;
}
