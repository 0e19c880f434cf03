/** A chat route as the documentation of the AI SDK shows it, with the real `ai` package. A script is in place of the model. */
import { convertToModelMessages, stepCountIs, streamText, type ToolSet, tool, type UIMessage } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { type Agent, type AgentMessage, type ModelEvent, toNodeHandler } from 'handrail/server';
import { z } from 'zod';
import type { Backend } from './backend.ts';
import { modelTools } from './model-tools.ts';
import { createPlaygroundAgent } from './playground-agent.ts';
import { recordAgent } from './record-agent.ts';
import { serverTools } from './server-tools.ts';
import { toStream } from './to-stream.ts';

type Stream = Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'];
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;
type Prompt = Parameters<MockLanguageModelV3['doStream']>[0]['prompt'];
type PromptPart = Exclude<Prompt[number]['content'], string>[number];
type ToolResult = Extract<PromptPart, { type: 'tool-result' }>;

export function createAiSdkBackend(): Backend {
  const { agent, readHistory } = recordAgent(createPlaygroundAgent());
  const tools = createTools();
  const streams = createStreamStore();

  const post = async (request: Request, session: string): Promise<Response> => {
    const { id, messages } = (await request.json()) as { id: string; messages: UIMessage[] };
    const result = streamText({
      model: createScriptedModel(agent, session),
      messages: await convertToModelMessages(messages, { tools }),
      tools,
      stopWhen: stepCountIs(5),
      // The page shows the error. By default it is logged here as well.
      onError: () => {},
    });
    return result.toUIMessageStreamResponse({
      originalMessages: messages,
      onError: (thrown) => (thrown instanceof Error ? thrown.message : String(thrown)),
      consumeSseStream: ({ stream }) => streams.keep(id, stream),
    });
  };

  return {
    info: {
      id: 'ai-sdk',
      label: 'AI SDK',
      description: 'The same script as the model behind a chat route of the AI SDK, with resumable streams.',
      carriers: ['sse'],
      takesFiles: true,
      asksAbout: ['confirm_order'],
    },
    handle: (request, response, session) =>
      toNodeHandler(async (asked) => {
        const [, chatId] = /\/chat\/([^/]+)\/stream$/.exec(new URL(asked.url).pathname) ?? [];
        return chatId === undefined ? post(asked, session) : streams.replay(decodeURIComponent(chatId));
      })(request, response),
    readHistory,
  };
}

/** Keeps the streams that go on, by chat. It forgets a stream that has ended, as the route in the documentation does. */
function createStreamStore() {
  const kept = new Map<string, { stream: ReadableStream<string> }>();
  return {
    async keep(chatId: string, stream: ReadableStream<string>): Promise<void> {
      const [first, drained] = stream.tee();
      const entry = { stream: first };
      kept.set(chatId, entry);
      // Without another reader the stream would stop when the page leaves in the middle.
      for await (const _ of drained);
      if (kept.get(chatId) === entry) kept.delete(chatId);
    },
    /** Answers with the stream from its first chunk. */
    replay(chatId: string): Response {
      const entry = kept.get(chatId);
      if (entry === undefined) return new Response(null, { status: 204 });
      const [replayed, rest] = entry.stream.tee();
      entry.stream = rest;
      return new Response(replayed.pipeThrough(new TextEncoderStream()), {
        headers: { 'content-type': 'text/event-stream' },
      });
    },
  };
}

/** Tools without `execute` are those of the page. The script makes no mistakes, so that its arguments need no check. */
function createTools(): ToolSet {
  const inputSchema = z.looseObject({});
  const ofPage = [...Object.keys(modelTools), 'run_code'].map((name) => [name, tool({ inputSchema })]);
  const ofServer = Object.entries(serverTools).map(([name, run]) => [
    name,
    tool({ inputSchema, execute: async (args) => run(args) }),
  ]);
  // An approval is the confirmation of the AI SDK. The script wants to read the answer as a result.
  const approved = tool({ inputSchema, needsApproval: true, execute: async () => ({ confirmed: true }) });
  return { ...Object.fromEntries([...ofPage, ...ofServer]), confirm_order: approved };
}

function createScriptedModel(agent: Agent, sessionId: string): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    // Otherwise the AI SDK downloads the files of a message.
    supportedUrls: { '*/*': [/.*/] },
    async doStream({ prompt, abortSignal: signal = new AbortController().signal }) {
      const messages = prompt.flatMap(toAgentMessages);
      const input = messages.findLast((message) => message.role === 'user')?.input ?? {};
      const trigger = { name: 'user-message', input };
      const events = agent({ sessionId, executionId: sessionId, messages, trigger, signal });
      return { stream: toStream(toParts(events)) };
    },
  });
}

async function* toParts(events: AsyncIterable<ModelEvent>): AsyncGenerator<StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  for await (const event of events) yield* toPart(event);
}

function toPart(event: ModelEvent): readonly StreamPart[] {
  switch (event.type) {
    case 'text-start':
    case 'text-delta':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-delta':
    case 'reasoning-end':
      return [event];
    case 'tool-input-start':
      return [{ type: 'tool-input-start', id: event.toolCallId, toolName: event.toolName }];
    case 'tool-input-delta':
      return [{ type: 'tool-input-delta', id: event.toolCallId, delta: event.inputTextDelta }];
    case 'tool-input-end':
      return [{ type: 'tool-input-end', id: event.toolCallId }];
    case 'tool-input-available': {
      const { toolCallId, toolName, input } = event;
      return [{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }];
    }
    case 'error':
      return [{ type: 'error', error: new Error(event.message) }];
    case 'finish': {
      const unified = event.finishReason === 'tool-calls' ? 'tool-calls' : 'stop';
      return [{ type: 'finish', finishReason: { unified, raw: unified }, usage: NO_USAGE }];
    }
    default:
      return [];
  }
}

const NO_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function toAgentMessages({ role, content }: Prompt[number]): readonly AgentMessage[] {
  if (role === 'system') return [];
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (role === 'user') {
    const files = content.filter((part) => part.type === 'file');
    const input = { USER_MESSAGE: text, ...(files.length > 0 && { FILES: files }) };
    return [{ role, content: text, trigger: 'user-message', input }];
  }
  if (role === 'tool') return content.filter((part) => part.type === 'tool-result').map(toToolMessage);
  const toolCalls = content
    .filter((part) => part.type === 'tool-call')
    .map(({ toolCallId, toolName, input }) => ({
      toolCallId,
      toolName,
      args: input as Record<string, unknown>,
    }));
  return [{ role, content: text, ...(toolCalls.length > 0 && { toolCalls }) }];
}

function toToolMessage({ toolCallId, toolName, output }: ToolResult): AgentMessage {
  const message = { role: 'tool', toolCallId, toolName } as const;
  switch (output.type) {
    case 'error-text':
      return { ...message, error: output.value };
    case 'execution-denied':
      return { ...message, error: output.reason ?? 'The person did not allow it.' };
    default:
      return { ...message, result: output.value };
  }
}
