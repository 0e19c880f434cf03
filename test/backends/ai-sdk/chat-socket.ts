/**
 * A server for `WebSocketChatTransport`, written after the outline in the AI SDK's reference: it keeps the chunks of the latest response
 * of each chat, also when that has ended, checks each frame with the function of `ai` 7, and refuses a second response at the same time.
 */
import { safeValidateWebSocketChatTransportRequest, type UIMessage } from 'ai-7';
import type { WebSocket } from 'ws';
import type { PostedBody } from './chat-route.ts';

interface RetainedStream {
  readonly chunks: object[];
  readonly subscribers: Map<WebSocket, string>;
  isEnded: boolean;
}

export interface ChatSocketOptions {
  readonly respond: (body: PostedBody) => Promise<AsyncIterable<object>>;
  /** Called with every frame of a client. */
  readonly onFrame?: (frame: Readonly<Record<string, unknown>>) => void;
}

/** Returns the handler of new sockets. */
export function createChatSocket({ respond, onFrame }: ChatSocketOptions) {
  const streams = new Map<string, RetainedStream>();

  return (socket: WebSocket): void => {
    const send = (frame: object) => socket.send(JSON.stringify(frame));

    const resume = (chatId: string, requestId: string, lastSequence = -1) => {
      const stream = streams.get(chatId);
      if (stream === undefined) return send({ type: 'no-active', requestId });
      send({ type: 'start', requestId });
      for (const [sequence, chunk] of stream.chunks.entries())
        if (sequence > lastSequence) send({ type: 'chunk', requestId, sequence, chunk });
      if (stream.isEnded) send({ type: 'end', requestId });
      else stream.subscribers.set(socket, requestId);
    };

    const start = async (body: PostedBody, requestId: string) => {
      if (streams.get(body.id)?.isEnded === false)
        return send({ type: 'error', requestId, errorText: 'A response is already active for this chat.' });
      const stream: RetainedStream = {
        chunks: [],
        subscribers: new Map([[socket, requestId]]),
        isEnded: false,
      };
      streams.set(body.id, stream);
      const publish = (frame: object) => {
        for (const [subscriber, id] of stream.subscribers)
          subscriber.send(JSON.stringify({ ...frame, requestId: id }));
      };
      for await (const chunk of await respond(body)) {
        publish({ type: 'chunk', sequence: stream.chunks.length, chunk });
        stream.chunks.push(chunk);
      }
      stream.isEnded = true;
      publish({ type: 'end' });
    };

    socket.on('message', async (data) => {
      const value: unknown = JSON.parse(String(data));
      const checked = await safeValidateWebSocketChatTransportRequest<UIMessage>({ value });
      if (!checked.success) throw checked.error;
      const frame = checked.data;
      onFrame?.(value as Readonly<Record<string, unknown>>);
      if (frame.type === 'resume') resume(frame.id, frame.requestId, frame.lastSequence);
      if (frame.type === 'send') await start(frame as unknown as PostedBody, frame.requestId);
    });
    socket.on('close', () => {
      for (const { subscribers } of streams.values()) subscribers.delete(socket);
    });
  };
}
