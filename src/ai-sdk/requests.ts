import type { Clock } from '../shared/clock.ts';
import { invalidOptions } from '../shared/errors.ts';
import { createSender, type MayBeMade, made, type SenderOptions } from '../transport/create-sender.ts';
import { toEventStream } from './to-event-stream.ts';
import type { AiSdkMessage } from './ui-message.ts';

/** How requests are made. */
export interface AiSdkRequestOptions extends SenderOptions {
  /** The route of the chat. Default `/api/chat`. */
  readonly api?: string | URL;
  /** Fields of the body besides `id`, `messages`, `trigger` and `messageId`. */
  readonly body?: MayBeMade<Readonly<Record<string, unknown>>>;
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
  const address = String(options.api ?? '/api/chat');
  if (address === '') throw invalidOptions('createAiSdkTransport needs the address of the chat as `api`.');
  const send = createSender(options, clock);
  return {
    async post(chat, signal) {
      const body = { ...(await made(options.body)), ...chat, trigger: 'submit-message' };
      const response = await send(address, body, {}, signal);
      return response && toEventStream(response);
    },
    resume: (chatId, signal) => send(toResumeAddress(address, chatId), undefined, {}, signal),
  };
}

/** The id comes before the query of the address. */
function toResumeAddress(address: string, chatId: string): string {
  const [path = '', query] = address.split('?', 2);
  const stream = `${path}/${encodeURIComponent(chatId)}/stream`;
  return query === undefined ? stream : `${stream}?${query}`;
}
