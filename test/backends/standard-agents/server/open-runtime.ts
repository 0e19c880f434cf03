/** A runtime with scripted models, and the requests of one user to it. */
import type {
  AgentDefinition,
  ModelChunk,
  ModelContext,
} from '../../../../src/backends/standard-agents/server/agent-definition.ts';
import { createThreadRuntime } from '../../../../src/backends/standard-agents/server/create-thread-runtime.ts';
import type { ToolSet } from '../../../../src/backends/standard-agents/server/define-tool.ts';
import { fromSessionRecord } from '../../../../src/backends/standard-agents/server/stored-thread.ts';
import type { ThreadFrame } from '../../../../src/backends/standard-agents/server/thread-frames.ts';
import type { ThreadMessage } from '../../../../src/backends/standard-agents/server/thread-message.ts';
import type { ThreadRecord } from '../../../../src/backends/standard-agents/server/thread-record.ts';
import type { ThreadRuntimeOptions } from '../../../../src/backends/standard-agents/server/thread-runtime-options.ts';
import { THREAD_PREFIX } from '../../../../src/backends/standard-agents/server/thread-store.ts';
import type { SessionStore } from '../../../../src/server/store/session-store.ts';
import { createManualClock } from '../../../../src/testing/manual-clock.ts';
import { settle } from '../../../server/support.ts';

/** The chunks of one model request, or a function that makes them of the context. */
export type ModelStep = readonly ModelChunk[] | ((context: ModelContext) => AsyncIterable<ModelChunk>);

/** A model that takes the next step with each request, and records the contexts. */
export function createScriptedModel(...steps: readonly ModelStep[]) {
  const contexts: ModelContext[] = [];
  const model: AgentDefinition['model'] = (context) => {
    const step = steps[contexts.length];
    contexts.push(context);
    if (step === undefined) throw new Error(`The model was asked ${contexts.length} times`);
    return typeof step === 'function' ? step(context) : list(step);
  };
  return { model, contexts };
}

async function* list(chunks: readonly ModelChunk[]) {
  yield* chunks;
}

export const say = (delta: string): ModelChunk => ({ type: 'content-delta', delta });

/** A call of the model; its id is `{name}-1` unless given. */
export function call(name: string, args: Record<string, unknown> = {}, id = `${name}-1`): ModelChunk[] {
  return [
    { type: 'tool-call-start', id, name },
    { type: 'tool-call-done', id, arguments: args },
  ];
}

interface Options extends Partial<ThreadRuntimeOptions> {
  readonly model?: AgentDefinition['model'];
  readonly tools?: ToolSet;
  readonly env?: AgentDefinition['env'];
}

/** Returns what a store has of a thread. */
export async function readThread(store: SessionStore, threadId: string): Promise<ThreadRecord> {
  const record = await store.load(THREAD_PREFIX + threadId);
  if (record === null) throw new Error(`The store has no thread ${threadId}`);
  return fromSessionRecord(record);
}

/** Users are named by their token: `Bearer ann` is the user ann. */
export function openRuntime({ model = createScriptedModel().model, tools, env, ...options }: Options = {}) {
  const clock = createManualClock();
  const failures: unknown[] = [];
  const agent: AgentDefinition = { type: 'ai_human', model, ...(tools && { tools }), ...(env && { env }) };
  const runtime = createThreadRuntime({
    agents: { helper: agent },
    authenticate: (token) => token,
    onError: (thrown, failure) =>
      failures.push([failure.source, thrown instanceof Error ? thrown.message : thrown]),
    clock,
    ...options,
  });

  async function ask(method: string, path: string, body?: unknown, token = 'ann') {
    const response = await runtime.handle(
      new Request(`http://localhost/app/api/threads${path}`, {
        method,
        headers: token === '' ? {} : { authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      }),
    );
    if (response === undefined) throw new Error('The runtime did not handle the request');
    return response;
  }
  /** Resolves to the status and the JSON body. */
  async function json(method: string, path: string, body?: unknown, token?: string) {
    const response = await ask(method, path, body, token);
    const text = await response.text();
    return [response.status, text === '' ? null : JSON.parse(text)] as const;
  }
  async function createThread(): Promise<string> {
    const [, { id }] = await json('POST', '', { agent_id: 'helper' });
    return id;
  }
  async function rest(threadId: string): Promise<void> {
    do await settle();
    while ((await json('GET', `/${threadId}`))[1].status !== 'idle');
  }
  async function messages(threadId: string, query = ''): Promise<ThreadMessage[]> {
    return (await json('GET', `/${threadId}/messages${query}`))[1].messages;
  }
  return {
    runtime,
    clock,
    failures,
    ask,
    json,
    createThread,
    rest,
    messages,
    /** Sends a message and waits until the thread is idle. */
    async send(threadId: string, content: string): Promise<void> {
      await ask('POST', `/${threadId}/messages`, { role: 'user', content });
      await rest(threadId);
    },
    /** Returns the list of frames that the thread sends from now on. */
    async follow(threadId: string): Promise<ThreadFrame[]> {
      const frames: ThreadFrame[] = [];
      await runtime.serveStream({ send: (data) => void frames.push(JSON.parse(data)) }, threadId);
      return frames;
    },
  };
}

/** The rows as short texts: `user: Hi`. */
export function outline(messages: readonly ThreadMessage[]): string[] {
  return messages.map(({ role, content, tool_calls, tool_status }) => {
    const calls: { function: { name: string } }[] = JSON.parse(tool_calls ?? '[]');
    const parts = [content, ...calls.map((entry) => `[${entry.function.name}]`)].filter(
      (part) => part !== null,
    );
    return `${role}${tool_status === 'error' ? ' error' : ''}: ${parts.join(' ')}`;
  });
}
