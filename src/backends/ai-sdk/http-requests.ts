import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { createSender, made } from '../../core/transport/create-sender.ts';
import { readEventStream } from '../../core/transport/read-event-stream.ts';
import type { Clock } from '../../shared/clock.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { decodeChunks } from './decode-chunks.ts';
import type { AiSdkRequestOptions, Requests } from './requests.ts';
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
  const send = createSender(options, clock);
  const toChunks = (response: Response, io: TransportIO) =>
    readEventStream(async () => response, io, clock, decodeChunks);
  return {
    async post(chat, io) {
      const response = await send(address, { ...(await made(options.body)), ...chat }, {}, io.signal);
      return response && toChunks(toEventStream(response), io);
    },
    async resume(chatId, _, io) {
      const response = await send(toResumeAddress(address, chatId), undefined, {}, io.signal);
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
