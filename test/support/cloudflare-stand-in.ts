/**
 * A stand-in for an `AIChatAgent` of Cloudflare: the frames of its socket that a page needs to talk and to run a tool of its own, with a chat
 * route of the AI SDK behind it.
 */
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import type { WebSocket } from 'ws';
import type { createChatRoute } from '../backends/ai-sdk/chat-route.ts';

interface Frame {
  readonly type: string;
  readonly id?: string;
  readonly init?: { readonly body: string };
  readonly toolCallId?: string;
  readonly output?: unknown;
}

type ChatRoute = ReturnType<typeof createChatRoute>;

export function createCloudflareStandIn(route: ChatRoute) {
  let messages: UIMessage[] = [];
  /** Settles when the answer to a call has opened a continuation, which the page then asks for. */
  let opening: Promise<void> | undefined;
  let continuation: { id: string; stream: ReadableStream<UIMessageChunk>; message: UIMessage } | undefined;

  async function answer(
    socket: WebSocket,
    id: string,
    stream: ReadableStream<UIMessageChunk>,
    message?: UIMessage,
  ) {
    const messageId = message?.id ?? crypto.randomUUID();
    const [sent, read] = stream.pipeThrough(withMessageId(messageId)).tee();
    const isContinuation = message !== undefined;
    const send = (body: string, done: boolean) =>
      socket.send(
        JSON.stringify({ type: 'cf_agent_use_chat_response', id, body, done, continuation: isContinuation }),
      );
    const reading = isContinuation ? undefined : remember(read);
    for await (const chunk of sent) send(JSON.stringify(chunk), false);
    await reading;
    send('', true);
  }

  /** The page may answer a call of this message. */
  async function remember(stream: ReadableStream<UIMessageChunk>) {
    let latest: UIMessage | undefined;
    for await (const next of readUIMessageStream({ stream })) latest = next;
    if (latest) messages = [...messages, latest];
  }

  /** Applies what the page said of a call, and goes on with the message. */
  async function goOn(
    socket: WebSocket,
    change: (part: Record<string, unknown>) => object,
    toolCallId: unknown,
  ) {
    const last = messages.at(-1);
    if (last === undefined) return;
    const parts = last.parts.map((part) =>
      'toolCallId' in part && part.toolCallId === toolCallId ? { ...part, ...change({ ...part }) } : part,
    );
    const message = { ...last, parts } as UIMessage;
    messages = [...messages.slice(0, -1), message];
    socket.send(JSON.stringify({ type: 'cf_agent_message_updated', message }));
    const stream = await route.respond({ id: 'chat-7', messages, trigger: 'submit-message' });
    continuation = { id: crypto.randomUUID(), stream, message };
  }

  return {
    /** Answers the request for the messages of the agent, which the hook sends first. */
    readMessages: () => messages,
    serve(socket: WebSocket) {
      const onFrame = async (frame: Frame) => {
        switch (frame.type) {
          case 'cf_agent_use_chat_request': {
            messages = (JSON.parse(frame.init?.body ?? '{}') as { messages: UIMessage[] }).messages;
            const stream = await route.respond({ id: 'chat-7', messages, trigger: 'submit-message' });
            return answer(socket, String(frame.id), stream);
          }
          case 'cf_agent_tool_result':
            opening = goOn(
              socket,
              () => ({ state: 'output-available', output: frame.output }),
              frame.toolCallId,
            );
            return opening;
          case 'cf_agent_stream_resume_request': {
            await opening;
            const waiting = continuation && { type: 'cf_agent_stream_resuming', id: continuation.id };
            return socket.send(JSON.stringify(waiting ?? { type: 'cf_agent_stream_resume_none' }));
          }
          case 'cf_agent_stream_resume_ack': {
            if (continuation === undefined || continuation.id !== frame.id) return;
            const { id, stream, message } = continuation;
            continuation = undefined;
            return answer(socket, id, stream, message);
          }
        }
      };
      socket.on('message', (data) => void onFrame(JSON.parse(String(data)) as Frame));
    },
  };
}

/** The agent of Cloudflare names its messages; the route leaves that to the page. */
function withMessageId(messageId: string): TransformStream<UIMessageChunk, UIMessageChunk> {
  return new TransformStream({
    transform: (chunk, controller) =>
      controller.enqueue(chunk.type === 'start' ? { ...chunk, messageId } : chunk),
  });
}
