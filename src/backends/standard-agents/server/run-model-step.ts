/** Asks the model once and writes its message, chunk by chunk for the clients and as a whole into the thread. */
import { describeThrown } from '../../../shared/errors.ts';
import { readStandardJsonSchema } from '../../../shared/read-standard-json-schema.ts';
import { untilAborted } from '../../../shared/until-aborted.ts';
import { type AnyAgentDefinition, type ModelChunk, type ModelTool, sideOf } from './agent-definition.ts';
import type { ToolSet } from './define-tool.ts';
import { sideOfRow } from './next-step.ts';
import { createStreamRedactor } from './redact-secrets.ts';
import type { NewMessage, Thread } from './thread.ts';
import type { ThreadHooks } from './thread-hooks.ts';
import type {
  MessageMetadata,
  ProviderExecutedToolResult,
  Side,
  ThreadMessage,
  ToolCallEntry,
} from './thread-message.ts';
import type { ThreadState } from './thread-state.ts';
import type { ThreadWriter } from './thread-writer.ts';

interface ModelStep {
  readonly thread: Thread;
  readonly writer: ThreadWriter;
  readonly hooks: ThreadHooks;
  readonly agent: AnyAgentDefinition;
  readonly tools: ToolSet;
  /** Whose model is asked. */
  readonly side: Side;
  readonly state: ThreadState;
  readonly signal: AbortSignal;
  readonly onThrown: (thrown: unknown) => void;
}

/** Never rejects because of the model or a hook: their error makes the message `failed`. */
export async function runModelStep(step: ModelStep): Promise<void> {
  const { thread, writer, agent, side, onThrown } = step;
  const pending = createSideMessage(agent, side, { status: 'pending' });
  try {
    const row = await writer.create(pending);
    const reply = new Reply(thread, row);
    const error = await readReply(step, reply);
    await writer.update(row, reply.end(error)).catch((thrown: unknown) => {
      onThrown(thrown);
      // What the model wrote is not stored: the hook may have been there to change it.
      thread.put({ ...row, ...toFailed(row, thrown) });
    });
  } catch (thrown) {
    onThrown(thrown);
    thread.put(thread.createMessage({ ...pending, ...toFailed(pending, thrown) }));
  }
}

function toFailed({ metadata }: NewMessage, thrown: unknown) {
  return { status: 'failed', metadata: { ...metadata, error: describeThrown(thrown) } } as const;
}

/** Returns a message of a side. In a thread with a person, only side A has messages of this kind. */
export function createSideMessage(
  agent: AnyAgentDefinition,
  side: Side,
  fields: Partial<ThreadMessage>,
): NewMessage {
  const { label } = sideOf(agent, side);
  return {
    ...{ role: 'assistant', content: null },
    ...(label === undefined ? {} : { name: label }),
    ...(side === 'b' ? { metadata: { side } } : {}),
    ...fields,
  };
}

/** Reads the message of the model. Resolves to what the model, or a hook before it, threw. */
async function readReply(
  { thread, agent, tools, side, hooks, state, signal, onThrown }: ModelStep,
  reply: Reply,
): Promise<string | undefined> {
  try {
    // Neither what waits in the queue nor the message that the model is about to write.
    const known = thread.readMessages().filter(({ status }) => status !== 'pending');
    const rows = await hooks.change('filter_messages', state, known);
    const history = toHistory(rows, agent, side);
    const messages = await hooks.change('prefilter_llm_history', state, history);
    const { prompt, model } = sideOf(agent, side);
    const system = prompt && (await hooks.change('after_system_message', state, prompt));
    const context = { messages, tools: describeTools(tools), state, signal };
    const chunks = model({ ...context, ...(system && { system }) })[Symbol.asyncIterator]();
    for (;;) {
      const next = await untilAborted(chunks.next(), signal);
      // A model that does not react to its signal is left alone; its `return` may wait for it.
      if (next === undefined) void chunks.return?.().catch(() => {});
      if (next === undefined || next.done) return undefined;
      reply.add(next.value);
    }
  } catch (thrown) {
    onThrown(thrown);
    return describeThrown(thrown);
  }
}

/** Returns the rows as the model of a side sees them: the other side is its user, and has run its tools for itself. */
function toHistory(
  rows: readonly ThreadMessage[],
  agent: AnyAgentDefinition,
  side: Side,
): readonly ThreadMessage[] {
  const known = rows.filter((row) => row.depth === 0 && row.status === 'completed' && !isEmpty(row));
  if (agent.type === 'ai_human') return known;
  let writer: Side = 'a';
  return known.flatMap((row): ThreadMessage | [] => {
    if (row.role === 'assistant') writer = sideOfRow(row);
    if (writer === side || row.role === 'user' || row.role === 'system') return row;
    return row.role === 'tool' || !row.content ? [] : { ...row, role: 'user', tool_calls: null };
  });
}

/** A stopped message may be empty, and providers refuse a history with an empty message. */
function isEmpty({ role, content, tool_calls }: ThreadMessage): boolean {
  return role === 'assistant' && !content && !tool_calls;
}

function describeTools(tools: ToolSet): readonly ModelTool[] {
  return Object.entries(tools).map(([name, { description, args }]) => {
    const parameters = args === undefined ? undefined : readStandardJsonSchema(args);
    return { name, description, ...(parameters === undefined ? {} : { parameters }) };
  });
}

/** The message that the model is writing. */
class Reply {
  readonly #thread: Thread;
  readonly #row: ThreadMessage;
  readonly #redactors;
  #content = '';
  #reasoning = '';
  #chunks = 0;
  readonly #started = new Map<string, Extract<ModelChunk, { type: 'tool-call-start' }>>();
  readonly #calls: ToolCallEntry[] = [];
  /** By id: a tool that was in progress is replaced by its end. */
  readonly #providerTools = new Map<string, ProviderExecutedToolResult>();

  constructor(thread: Thread, row: ThreadMessage) {
    this.#thread = thread;
    this.#row = row;
    const readSecrets = () => thread.secretTexts;
    this.#redactors = {
      content: createStreamRedactor(readSecrets),
      reasoning: createStreamRedactor(readSecrets),
    };
  }

  add(chunk: ModelChunk): void {
    switch (chunk.type) {
      case 'content-delta':
        this.#content += chunk.delta;
        return this.#send(this.#redactors.content.push(chunk.delta), 'content');
      case 'reasoning-delta':
        this.#reasoning += chunk.delta;
        return this.#send(this.#redactors.reasoning.push(chunk.delta), 'reasoning');
      case 'tool-call-start':
        this.#started.set(chunk.id, chunk);
        return;
      case 'tool-call-done':
        return this.#addCall(chunk);
      case 'provider-tool-done':
        this.#providerTools.set(chunk.tool.id, chunk.tool);
        return this.#thread.send({ type: 'provider-tool-done', messageId: this.#row.id, tool: chunk.tool });
      case 'subagent-message':
        return this.#thread.put(this.#thread.createMessage({ parent_id: this.#row.id, ...chunk.message }));
      case 'finish':
        if (chunk.usage !== undefined) this.#thread.send({ type: 'telemetry', ...chunk.usage });
        return;
      default:
        chunk satisfies never;
    }
  }

  #addCall({ id, arguments: args, extraContent }: Extract<ModelChunk, { type: 'tool-call-done' }>): void {
    const start = this.#started.get(id);
    if (start === undefined) throw new Error(`The model ended the tool call ${id} without a tool-call-start`);
    this.#calls.push({
      id,
      type: 'function',
      function: { name: start.name, arguments: JSON.stringify(args) },
      extraContent: extraContent ?? start.extraContent,
    });
  }

  #send(chunk: string, kind: 'content' | 'reasoning'): void {
    if (chunk === '') return;
    this.#thread.send({ type: 'message_chunk', messageId: this.#row.id, chunk, index: this.#chunks, kind });
    this.#chunks += 1;
  }

  /** Returns the fields that complete the row. */
  end(error?: string): Partial<ThreadMessage> {
    this.#send(this.#redactors.reasoning.flush(), 'reasoning');
    this.#send(this.#redactors.content.flush(), 'content');
    const metadata: MessageMetadata = {
      ...this.#row.metadata,
      ...(this.#providerTools.size > 0 ? { providerTools: [...this.#providerTools.values()] } : {}),
      ...(error === undefined ? {} : { error }),
    };
    return {
      content: this.#content || null,
      status: error === undefined ? 'completed' : 'failed',
      // Calls of a failed message are not run, because the rest of the message is unknown.
      tool_calls: error === undefined && this.#calls.length > 0 ? JSON.stringify(this.#calls) : null,
      ...(this.#reasoning === '' ? {} : { reasoning_content: this.#reasoning }),
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    };
  }
}
