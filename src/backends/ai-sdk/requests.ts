/** How the requests of a chat reach its server: by `http-requests.ts` or `socket-requests.ts`. */
import type { Connection, TransportIO } from '../../core/transport/agent-transport.ts';
import { type MayBeMade, made, type SenderOptions } from '../../core/transport/create-sender.ts';
import type { AiSdkChunk, AiSdkMessage } from './ui-message.ts';

/** The options that every request reads. */
export interface AiSdkRequestOptions extends SenderOptions {
  /** Fields of the body besides `id`, `messages`, `trigger` and `messageId`. */
  readonly body?: MayBeMade<Readonly<Record<string, unknown>>>;
  /** Changes a request before it goes out, as `prepareSendMessagesRequest` of `DefaultChatTransport` does: its body, headers and address. */
  readonly prepareRequest?: (
    request: AiSdkRequest,
  ) => PreparedAiSdkRequest | undefined | Promise<PreparedAiSdkRequest | undefined>;
}

/** The parts of a request, before the app changes it. */
export interface AiSdkRequest {
  /** The id of the chat. */
  readonly id: string;
  readonly messages: readonly AiSdkMessage[];
  readonly trigger: 'submit-message' | 'regenerate-message';
  /** The assistant message that the response goes on with, if it carries answers. */
  readonly messageId: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The option `body`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The changes of an app to a request. A key that it leaves out stays as it is. */
export interface PreparedAiSdkRequest {
  /** The whole body. */
  readonly body?: object;
  /** All headers but the content type. */
  readonly headers?: HeadersInit;
  /** The address of this request. Over a socket there is none. */
  readonly api?: string;
}

/** A request as it goes out. */
export interface OutgoingRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Fields that the app adds to the body. */
  readonly more: Readonly<Record<string, unknown>>;
  /** The body that the app puts in the place of the whole. */
  readonly body: object | undefined;
  readonly api: string | undefined;
}

export async function toOutgoing(
  { headers, body, prepareRequest }: AiSdkRequestOptions,
  chat: PostedChat,
): Promise<OutgoingRequest> {
  const [given, more = {}] = await Promise.all([made(headers), made(body)]);
  const own = Object.fromEntries(new Headers(given));
  const prepared = await prepareRequest?.({ ...chat, headers: own, body: more });
  return {
    headers: prepared?.headers ? Object.fromEntries(new Headers(prepared.headers)) : own,
    more,
    body: prepared?.body,
    api: prepared?.api,
  };
}

/** The chunks of a response, in arrays of those that arrived together. */
export type ChunkStream = AsyncIterable<readonly AiSdkChunk[]>;

export interface PostedChat {
  readonly id: string;
  readonly messages: readonly AiSdkMessage[];
  readonly trigger: 'submit-message' | 'regenerate-message';
  readonly messageId: string | undefined;
}

/** The requests that a chat makes. Each resolves to undefined when the signal aborts. */
export interface Requests {
  /**
   * Resolves once the server has the messages.
   *
   * @throws AgentChatError `http_error`, `connection_failed`, `connection_lost`
   */
  post(chat: PostedChat, io: TransportIO): Promise<ChunkStream | undefined>;
  /**
   * Asks for the response that is going on. Resolves to null if there is none.
   *
   * @param received the number of its chunks that are here: a server that can leaves them out
   */
  resume(chatId: string, received: number, io: TransportIO): Promise<ResumedStream | null | undefined>;
  readonly connection?: Connection;
}

export interface ResumedStream {
  readonly chunks: ChunkStream;
  /** True if the response comes from its first chunk. */
  readonly isReplay: boolean;
}
