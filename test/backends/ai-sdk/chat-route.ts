/**
 * A chat route as the AI SDK's documentation writes it, with the real `ai` package and a scripted model. With `keepsStreams` it keeps
 * its streams in the way of the page "Chatbot Resume Streams".
 */
import {
  convertToModelMessages,
  type ModelMessage,
  stepCountIs,
  streamText,
  type ToolSet,
  type UIMessage,
} from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';

export type ModelStep = readonly (
  | string
  | { readonly reasoning: string }
  | { readonly call: string; readonly id: string; readonly args?: object }
)[];

export interface PostedBody {
  readonly id: string;
  readonly messages: readonly UIMessage[];
  readonly trigger: string;
  readonly messageId?: string;
}

export interface ChatRouteOptions {
  /** Returns what the model says to a prompt. */
  readonly say: (prompt: readonly ModelMessage[]) => ModelStep;
  readonly tools?: ToolSet;
  readonly keepsStreams?: boolean;
  /** True if a response that has ended is not kept, as in the documentation. */
  readonly forgetsEnded?: boolean;
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};

export function createChatRoute({ say, tools = {}, keepsStreams, forgetsEnded }: ChatRouteOptions) {
  const bodies: PostedBody[] = [];
  const kept = new Map<string, ReadableStream<string>>();
  const model = new MockLanguageModelV3({
    doStream: async ({ prompt }) => ({
      stream: simulateReadableStream({
        chunks: toParts(say(prompt as ModelMessage[])),
        chunkDelayInMs: null,
        initialDelayInMs: null,
      }),
    }),
  });

  const run = async (body: PostedBody) => {
    bodies.push(structuredClone(body));
    const messages = await convertToModelMessages([...body.messages], { tools });
    const result = streamText({ model, messages, tools, stopWhen: stepCountIs(5), onError: () => {} });
    const form = {
      originalMessages: [...body.messages],
      messageMetadata: ({
        part,
      }: {
        readonly part: { readonly type: string; readonly totalUsage?: unknown };
      }) => (part.type === 'finish' ? { usage: part.totalUsage } : undefined),
    };
    return { result, form };
  };

  const post = async (request: Request): Promise<Response> => {
    const body = (await request.json()) as PostedBody;
    const { result, form } = await run(body);
    return result.toUIMessageStreamResponse({
      ...form,
      onFinish: () => {
        if (forgetsEnded) kept.delete(body.id);
      },
      consumeSseStream: ({ stream }) => {
        if (keepsStreams) kept.set(body.id, stream);
      },
    });
  };

  const resume = (chatId: string): Response => {
    const stream = kept.get(chatId);
    if (stream === undefined) return new Response(null, { status: 204 });
    const [replayed, rest] = stream.tee();
    kept.set(chatId, rest);
    return new Response(replayed.pipeThrough(new TextEncoderStream()), {
      headers: { 'content-type': 'text/event-stream' },
    });
  };

  const handle = async (request: Request): Promise<Response> => {
    const [, chatId] = /\/api\/chat\/(.+)\/stream$/.exec(request.url) ?? [];
    return chatId === undefined ? post(request) : resume(decodeURIComponent(chatId));
  };
  const send: typeof fetch = (input, init) =>
    handle(new Request(new URL(String(input), 'http://app.test'), init));
  const respond = async (body: PostedBody) => {
    const { result, form } = await run(body);
    return result.toUIMessageStream(form);
  };
  return { fetch: send, handle, respond, bodies, forgetStreams: () => kept.clear() };
}

type StreamPart =
  Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never;

function toParts(step: ModelStep): StreamPart[] {
  const parts = step.flatMap((item, index): StreamPart[] => {
    if (typeof item === 'string') return toTextParts('text', `t${index}`, item);
    if ('reasoning' in item) return toTextParts('reasoning', `r${index}`, item.reasoning);
    const { id: toolCallId, call: toolName, args = {} } = item;
    return [{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(args) }];
  });
  const unified = step.some((item) => typeof item === 'object' && 'call' in item) ? 'tool-calls' : 'stop';
  return [
    { type: 'stream-start', warnings: [] },
    ...parts,
    { type: 'finish', finishReason: { unified, raw: unified }, usage },
  ];
}

function toTextParts(type: 'text' | 'reasoning', id: string, delta: string): StreamPart[] {
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta },
    { type: `${type}-end`, id },
  ];
}
