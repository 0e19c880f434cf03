import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { createSender, made } from '../../core/transport/create-sender.ts';
import { readEventStream } from '../../core/transport/read-event-stream.ts';
import type { Clock } from '../../shared/clock.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { decodeChunks } from './decode-chunks.ts';
import { type AiSdkRequestOptions, type Requests, toOutgoing } from './requests.ts';
import { toEventStream } from './to-event-stream.ts';

/**
 * The requests of a chat as `DefaultChatTransport` makes them.
 *
 * @throws AgentChatError `invalid_options` if `api` is no address
 */
export function createHttpRequests(
  options: AiSdkRequestOptions & { readonly api?: string | URL | undefined },
  clock: Clock,
): Requests {
  const address = String(options.api ?? '/api/chat');
  if (address === '') throw invalidOptions('createAiSdkTransport needs the address of the chat as `api`.');
  // Headers are those of the prepared request.
  const { headers: _, ...sender } = options;
  const send = createSender(sender, clock);
  const toChunks = (response: Response, io: TransportIO) =>
    readEventStream(async () => response, io, clock, decodeChunks);
  return {
    async post(chat, io) {
      const { api = address, body, more, headers } = await toOutgoing(options, chat);
      const response = await send(api, body ?? { ...more, ...chat }, headers, io.signal);
      return response && toChunks(toEventStream(response), io);
    },
    async resume(chatId, _, io) {
      const headers = Object.fromEntries(new Headers(await made(options.headers)));
      const response = await send(toResumeAddress(address, chatId), undefined, headers, io.signal);
      if (response?.status === 204) return null;
      return response && { chunks: toChunks(response, io), isReplay: true };
    },
  };
}

/** The id comes before the query of the address. */
function toResumeAddress(address: string, chatId: string): string {
  const [path = '', query] = address.split('?', 2);
  const stream = `${path}/${encodeURIComponent(chatId)}/stream`;
  return query === undefined ? stream : `${stream}?${query}`;
}
