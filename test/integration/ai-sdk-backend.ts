/** A chat route of the AI SDK as a backend of the conversation suites: the real package, with a model that plays the same scripts. */
import { type ModelMessage, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createAiSdkTransport } from '../../src/ai-sdk/create-ai-sdk-transport.ts';
import { toNodeHandler } from '../../src/server.ts';
import { createChatRoute, type ModelStep, type PostedBody } from '../ai-sdk/chat-route.ts';
import type { TranscriptLine } from '../support/octavus-platform-script.ts';
import type { AgentResponse, AgentScript, Backend, BackendKind, ServerToolTable } from './backend.ts';
import { listen } from './listen.ts';

/** The transport to the server at `port`, as an application creates it. */
export function connectAiSdk(port: number, send: typeof fetch = fetch) {
  return createAiSdkTransport({
    api: `http://127.0.0.1:${port}/api/chat`,
    fetch: send,
    resume: true,
    reconnect: { initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 5 },
  });
}

export function aiSdkBackend(): BackendKind {
  return {
    name: 'AI SDK',
    resumes: true,
    keepsRuns: false,
    numbersEvents: false,
    remembersMessages: true,
    open: openAiSdk,
  };
}

/** The tools of the client that the scripts call. Those of the server are in the table. */
const CLIENT_TOOLS = ['locate', 'confirm'];

async function openAiSdk(script: AgentScript, serverTools: ServerToolTable = {}): Promise<Backend> {
  let calls = 0;
  const toStep = (steps: AgentResponse): ModelStep =>
    steps.map((step) => {
      if (typeof step === 'string' || 'reasoning' in step) return step;
      if (!('call' in step)) throw new Error(`The model has no ${Object.keys(step).join(', ')}`);
      calls += 1;
      return { call: step.call, id: `call-${calls}`, args: step.args ?? {} };
    });
  const route = createChatRoute({
    say: (prompt) => toStep(currentResponse(script, prompt)),
    tools: toTools(serverTools),
    keepsStreams: true,
    forgetsEnded: true,
  });
  const { port, cut, close } = await listen(toNodeHandler((request) => route.handle(request)));
  return {
    transport: connectAiSdk(port),
    port,
    refusals: [],
    readTranscript: async () => toTranscript(route.bodies),
    cut,
    close,
  };
}

/** The script's response is as far as the model has come since the latest message. */
function currentResponse(script: AgentScript, prompt: readonly ModelMessage[]): AgentResponse {
  const start = prompt.findLastIndex(({ role }) => role === 'user');
  const content = prompt[start]?.content ?? [];
  const text = [...content]
    .flatMap((part) => (typeof part === 'object' && 'text' in part ? part.text : []))
    .join('');
  const done = prompt.slice(start).filter(({ role }) => role === 'assistant').length;
  return script({ text, attempt: 1 })[done] ?? [];
}

function toTools(serverTools: ServerToolTable): ToolSet {
  const inputSchema = z.object({}).loose();
  const onServer = Object.entries(serverTools).map(([name, run]) => [
    name,
    tool({ inputSchema, execute: async (args) => run(args) ?? null }),
  ]);
  const onClient = CLIENT_TOOLS.map((name) => [name, tool({ inputSchema })]);
  return Object.fromEntries([...onServer, ...onClient]) as ToolSet;
}

/**
 * The history is what the latest request posted. Answers are those of all requests: the same answer, posted again, is one answer, and
 * another one for the same call is a second.
 */
function toTranscript(bodies: readonly PostedBody[]): TranscriptLine[] {
  const users = (bodies.at(-1)?.messages ?? []).flatMap(({ role, parts }): TranscriptLine[] =>
    role === 'user' ? [{ user: parts.map((part) => (part.type === 'text' ? part.text : '')).join('') }] : [],
  );
  const lines = new Map<string, TranscriptLine>();
  for (const { messages } of bodies) {
    for (const part of messages.flatMap(({ parts }) => parts)) {
      if (!('toolCallId' in part)) continue;
      const { toolCallId, type, state } = part;
      lines.set(toolCallId, { call: toolCallId, toolName: type.slice('tool-'.length) });
      if (state === 'output-available')
        lines.set(JSON.stringify([toolCallId, part.output]), { answer: toolCallId, result: part.output });
      if (state === 'output-error')
        lines.set(JSON.stringify([toolCallId, part.errorText]), {
          answer: toolCallId,
          error: part.errorText,
        });
    }
  }
  return [...users, ...lines.values()];
}
