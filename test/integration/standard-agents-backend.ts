/** A Standard Agents runtime with the kit as a backend of the conversation suites: it plays the same scripts, as a model would. */
import { WebSocket } from 'ws';
import {
  createStandardAgentsTransport,
  type StandardAgentsTransportOptions,
} from '../../src/backends/standard-agents/create-standard-agents-transport.ts';
import { fromSessionRecord } from '../../src/backends/standard-agents/server/stored-thread.ts';
import { createMemoryThreadStore } from '../../src/backends/standard-agents/server/thread-store.ts';
import { toNodeHandler } from '../../src/server.ts';
import {
  createThreadRuntime,
  type ModelChunk,
  type ModelContext,
  standardAgentsKit,
  type ThreadMessage,
  type ToolSet,
} from '../../src/standard-agents-server.ts';
import type { TranscriptLine } from '../support/octavus-platform-script.ts';
import type { AgentScript, Backend, BackendKind, ServerToolTable } from './backend.ts';
import { reconnect } from './connect.ts';
import { listen } from './listen.ts';

const ANSWER_TOOL = 'client_tool_answer';
/** The tools of the page in all suites. */
const CLIENT_TOOLS = [
  ...['locate', 'confirm', 'ask', 'auto', 'echo', 'slow', 'quick', 'decline', 'cancel', 'reasoned'],
  ...['throws', 'position', 'missing', 'toString'],
];

/** The transport to the runtime at `port`, as an application creates it. */
export function connectStandardAgents(
  port: number,
  send: typeof fetch = fetch,
  connect: NonNullable<StandardAgentsTransportOptions['connect']> = (url) => new WebSocket(url),
) {
  return createStandardAgentsTransport({
    endpoint: `http://127.0.0.1:${port}`,
    agentId: 'helper',
    token: 'ann',
    fetch: send,
    connect,
    reconnect,
  });
}

export function standardAgentsBackend(): BackendKind {
  return {
    name: 'handrail/standard-agents',
    resumes: true,
    keepsRuns: true,
    numbersEvents: true,
    remembersMessages: true,
    open: openStandardAgents,
  };
}

async function openStandardAgents(script: AgentScript, serverTools: ServerToolTable = {}): Promise<Backend> {
  const threads = new Map<string, readonly ThreadMessage[]>();
  const store = createMemoryThreadStore();
  let calls = 0;
  const model = (context: ModelContext) => playStep(script, context, () => `call-${++calls}`);

  function startRuntime() {
    const kit = standardAgentsKit({
      tools: Object.fromEntries(CLIENT_TOOLS.map((name) => [name, { description: `Does ${name}.` }])),
    });
    let isDead = false;
    const runtime = createThreadRuntime({
      agents: { helper: { type: 'ai_human', tools: { ...kit.tools, ...toTools(serverTools) }, model } },
      authenticate: (token) => token,
      endpoints: kit.endpoints,
      onStop: kit.abortPending,
      store: {
        ...store,
        async save(sessionId, record) {
          // A process that is gone writes nothing more, and goes no further.
          if (isDead) await new Promise(() => {});
          const { id, messages } = fromSessionRecord(record);
          threads.set(id, messages);
          return store.save(sessionId, record);
        },
      },
    });
    const kill = () => {
      isDead = true;
    };
    return { runtime, kill };
  }

  let server = startRuntime();
  const handle = async (request: Request) =>
    (await server.runtime.handle(request)) ?? new Response(null, { status: 404 });
  const { port, cut, close } = await listen(toNodeHandler(handle), async (socket, { url = '' }) => {
    const threadId = await server.runtime.authorizeStream(url);
    if (threadId === undefined) socket.close();
    else await server.runtime.serveStream(socket, threadId);
  });
  return {
    transport: connectStandardAgents(port),
    port,
    refusals: [],
    readTranscript: async () => [...threads.values()].flatMap(toTranscript),
    async restart() {
      server.kill();
      cut();
      server = startRuntime();
    },
    cut,
    close,
  };
}

function toTools(table: ServerToolTable): ToolSet {
  const tools = Object.entries(table).map(([name, run]) => {
    const execute = async (_: unknown, args: Record<string, unknown>) => {
      return { status: 'success' as const, result: JSON.stringify(run(args) ?? null) };
    };
    return [name, { description: `Does ${name}.`, execute }] as const;
  });
  return Object.fromEntries(tools);
}

/** Plays the response that follows those in the history. */
async function* playStep(
  script: AgentScript,
  { messages, signal }: ModelContext,
  createCallId: () => string,
): AsyncGenerator<ModelChunk> {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const text = messages[start]?.content ?? '';
  const attempt = messages.filter(({ role, content }) => role === 'user' && content === text).length;
  const said = messages.slice(start + 1).filter(isOfModel).length;
  for (const step of script({ text, attempt })[said] ?? []) {
    if (typeof step === 'string') yield { type: 'content-delta', delta: step };
    else if ('reasoning' in step) yield { type: 'reasoning-delta', delta: step.reasoning };
    else if ('hold' in step) await step.hold(signal);
    else if ('call' in step) {
      const id = createCallId();
      yield { type: 'tool-call-start', id, name: step.call };
      yield { type: 'tool-call-done', id, arguments: { ...step.args } };
    } else throw new Error(`The model has no ${Object.keys(step).join(', ')}`);
  }
}

/** The kit brings answers as the results of calls that the model did not make. */
function isOfModel({ role, tool_calls }: ThreadMessage): boolean {
  return role === 'assistant' && !tool_calls?.includes(ANSWER_TOOL);
}

function toTranscript(messages: readonly ThreadMessage[]): TranscriptLine[] {
  const calls = messages.flatMap(({ tool_calls }) => JSON.parse(tool_calls ?? '[]'));
  return messages.flatMap((message): TranscriptLine[] => {
    if (message.role === 'user') return [{ user: message.content ?? '' }];
    if (message.role === 'assistant') {
      return isOfModel(message) ? readCalls(message) : [];
    }
    const called = calls.find(({ id }) => id === message.tool_call_id)?.function;
    const isWaiting = CLIENT_TOOLS.includes(called?.name);
    if (isWaiting) return [];
    const answer =
      called?.name === ANSWER_TOOL ? JSON.parse(called.arguments).id : String(message.tool_call_id);
    const content = message.content ?? '';
    return [
      message.tool_status === 'error' ? { answer, error: content } : { answer, result: JSON.parse(content) },
    ];
  });
}

function readCalls({ tool_calls }: ThreadMessage): TranscriptLine[] {
  const calls: { id: string; function: { name: string } }[] = JSON.parse(tool_calls ?? '[]');
  return calls.map(({ id, function: { name } }) => ({ call: id, toolName: name }));
}
