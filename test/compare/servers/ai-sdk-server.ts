/**
 * A route of the AI SDK as its documentation writes it ("Chatbot Message Persistence", "Chatbot Resume Streams"), with the real `ai` and a
 * scripted model: chats are stored when a response ends, also one that nobody reads, and streams are kept to be resumed.
 */
import {
  convertToModelMessages,
  createIdGenerator,
  type ModelMessage,
  stepCountIs,
  streamText,
  tool,
  type UIMessage,
} from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';
import type { CompareServer } from './compare-server.ts';
import { answer, createServerState, type Said } from './script.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};

export function createAiSdkServer(): CompareServer {
  const state = createServerState();
  let stored: UIMessage[] = [];
  let kept: ReadableStream<string> | undefined;
  const model = new MockLanguageModelV3({
    doStream: async ({ prompt }) => ({ stream: speak(say(prompt as ModelMessage[]), state.gate.promise) }),
  });
  const say = (prompt: readonly ModelMessage[]): Said => {
    const said = JSON.stringify(prompt.findLast(({ role }) => role === 'user')?.content);
    const last = prompt.at(-1);
    return answer(said, last?.role === 'tool' ? describeResult(last.content) : undefined, state);
  };
  const pay = tool({
    inputSchema: z.object({ amount: z.number() }),
    needsApproval: true,
    execute: async (args) => {
      state.paid.push(args);
      return `paid ${args.amount}`;
    },
  });
  async function post(request: Request): Promise<Response> {
    const { messages } = (await request.json()) as { messages: UIMessage[] };
    const tools = { pay };
    const result = streamText({
      model,
      messages: await convertToModelMessages(messages, { tools }),
      tools,
      stopWhen: stepCountIs(5),
      onError: () => {},
    });
    // The response goes on to its end, and is stored, where its reader has gone.
    void result.consumeStream();
    return result.toUIMessageStreamResponse({
      originalMessages: messages,
      generateMessageId: createIdGenerator({ prefix: 'msg', size: 16 }),
      onFinish: ({ messages: finished }) => {
        stored = finished;
        kept = undefined;
      },
      consumeSseStream: ({ stream }) => {
        kept = stream;
      },
    });
  }
  function resume(): Response {
    if (kept === undefined) return new Response(null, { status: 204 });
    const [replayed, rest] = kept.tee();
    kept = rest;
    const headers = { 'content-type': 'text/event-stream' };
    return new Response(replayed.pipeThrough(new TextEncoderStream()), { headers });
  }
  return {
    state,
    restart: () => {
      kept = undefined;
    },
    async handle(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/stored') return Response.json(stored);
      return request.method === 'GET' ? resume() : post(request);
    },
  };
}

function describeResult(content: ModelMessage['content']): string {
  const [part] = Array.isArray(content) ? content : [];
  if (part?.type !== 'tool-result') return 'declined';
  const { output } = part;
  return output.type === 'execution-denied' ? 'declined' : String(output.value);
}

type Speech = Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'];

function speak(said: Said, gate: Promise<void>): Speech {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
      if (said.type === 'pay') {
        const input = JSON.stringify({ amount: said.amount });
        controller.enqueue({ type: 'tool-call', toolCallId: crypto.randomUUID(), toolName: 'pay', input });
      } else {
        const [first, second] = said.type === 'slow' ? said.halves : [said.text, ''];
        controller.enqueue({ type: 'text-start', id: 't' });
        controller.enqueue({ type: 'text-delta', id: 't', delta: first });
        if (said.type === 'slow') await gate;
        controller.enqueue({ type: 'text-delta', id: 't', delta: second });
        controller.enqueue({ type: 'text-end', id: 't' });
      }
      const unified = said.type === 'pay' ? 'tool-calls' : 'stop';
      controller.enqueue({ type: 'finish', finishReason: { unified, raw: unified }, usage });
      controller.close();
    },
  });
}
