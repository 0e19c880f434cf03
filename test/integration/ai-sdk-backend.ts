/** A chat route of the AI SDK as a backend of the conversation suites: the real package, with a model that plays the same scripts. */
import { type ModelMessage, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createAiSdkTransport } from '../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import { toNodeHandler } from '../../src/server.ts';
import { createChatRoute, type ModelStep, type PostedBody } from '../backends/ai-sdk/chat-route.ts';
import { createChatSocket } from '../backends/ai-sdk/chat-socket.ts';
import type { TranscriptLine } from '../support/octavus-platform-script.ts';
import type { AgentResponse, AgentScript, Backend, BackendKind, ServerToolTable } from './backend.ts';
import { listen } from './listen.ts';

const reconnect = { initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 5 };

/** The transport to the server at `port`, as an application creates it. */
export function connectAiSdk(port: number, send: typeof fetch = fetch) {
  return createAiSdkTransport({
    api: `http://127.0.0.1:${port}/api/chat`,
    fetch: send,
    resume: true,
    reconnect,
  });
}

/** The same over a socket. The address has a query that tells the sockets of tests apart. */
export function connectAiSdkSocket(port: number, query: string) {
  return createAiSdkTransport({ socketUrl: `http://127.0.0.1:${port}/api/chat?${query}`, reconnect });
}

/** The responses that a server keeps. `ended`: the latest one also after its end. The documentation has one server of each kind. */
export type KeptStreams = 'running' | 'ended';

/** @param kept a server that forgets them cannot say whether a lost yes has arrived, so only the other one asks for approvals */
export function aiSdkBackend(kept: KeptStreams = 'running'): BackendKind {
  return {
    name: kept === 'running' ? 'AI SDK' : 'AI SDK with ended streams',
    resumes: true,
    keepsRuns: false,
    numbersEvents: false,
    asksBeforePay: kept === 'ended',
    remembersMessages: true,
    open: (script, serverTools) => openAiSdk(script, serverTools, kept),
  };
}

/** The tools of the client that the scripts call. Those of the server are in the table. */
const CLIENT_TOOLS = ['locate', 'confirm'];

async function openAiSdk(
  script: AgentScript,
  serverTools: ServerToolTable = {},
  kept: KeptStreams = 'running',
): Promise<Backend> {
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
    forgetsEnded: kept === 'running',
  });
  const { port, cut, close } = await listen(
    toNodeHandler((request) => route.handle(request)),
    createChatSocket({ respond: route.respond }),
  );
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
    tool({
      inputSchema,
      needsApproval: name === 'pay',
      execute: async (args, { toolCallId }) => run({ ...args, toolCallId }) ?? null,
    }),
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
      if ('approval' in part && part.approval?.approved === false)
        lines.set(JSON.stringify([toolCallId, 'no']), {
          answer: toolCallId,
          error: part.approval.reason ?? 'no',
        });
      else if (state === 'output-error')
        lines.set(JSON.stringify([toolCallId, part.errorText]), {
          answer: toolCallId,
          error: part.errorText,
        });
    }
  }
  return [...users, ...lines.values()];
}
