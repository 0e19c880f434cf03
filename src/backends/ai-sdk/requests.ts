/** How the requests of a chat reach its server: by `http-requests.ts` or `socket-requests.ts`. */
import type { Connection, TransportIO } from '../../core/transport/agent-transport.ts';
import type { MayBeMade, SenderOptions } from '../../core/transport/create-sender.ts';
import type { AiSdkChunk, AiSdkMessage } from './ui-message.ts';

/** The options that every request reads. */
export interface AiSdkRequestOptions extends SenderOptions {
  /** Fields of the body besides `id`, `messages`, `trigger` and `messageId`. */
  readonly body?: MayBeMade<Readonly<Record<string, unknown>>>;
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
