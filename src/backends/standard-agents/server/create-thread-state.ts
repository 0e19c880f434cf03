import { MIN_HIDDEN_LENGTH } from '../../../shared/hide-texts.ts';
import { readOwn, toJsonValue } from '../../../shared/json.ts';
import type { OpenThread } from './open-thread.ts';
import { redactText, redactValue } from './redact-secrets.ts';
import type { Subagents } from './subagents.ts';
import type { NewMessage, Thread } from './thread.ts';
import type { ThreadEffects } from './thread-effects.ts';
import { findFile, toBytes, writeFile } from './thread-files.ts';
import type { EnvValue, ScheduledEffect } from './thread-record.ts';
import type { ExecutionState, GetMessagesOptions, RunCode, ThreadState } from './thread-state.ts';

/** Takes work that starts an execution, or waits for its turn. */
interface WorkQueue {
  queueMessage(message: NewMessage): Promise<void>;
  queueTool(name: string, args: unknown): Promise<void>;
  readonly effects: ThreadEffects;
  readonly subagents: Subagents;
  /** Returns another thread of the runtime. */
  open(threadId: string): Promise<OpenThread | undefined>;
}

interface StateSettings {
  readonly execution: ExecutionState | null;
  readonly runCode: RunCode | undefined;
}

/** Creates the state that tools of an execution, or an endpoint, get of a thread. */
export function createThreadState(
  thread: Thread,
  work: WorkQueue,
  { execution, runCode }: StateSettings,
): ThreadState {
  const { id, agent_id, user_id, created_at } = thread.record;
  return {
    threadId: id,
    agentId: agent_id,
    userId: user_id,
    createdAt: created_at,
    context: {},
    execution,
    getMessages: async (options) => selectMessages(thread, options),
    // What a person writes is not masked, and this is no text of a person.
    queueMessage: ({ role, content, silent = false }) =>
      work.queueMessage({ role, content: redactText(content, thread.secretTexts), silent }),
    queueTool: (name, args = {}) => work.queueTool(name, args),
    emit: (eventType, data) => thread.send({ type: 'custom', eventType, data: toJsonValue(data, 'data') }),
    async getValue<Value>(key: string) {
      return structuredClone(readOwn(thread.record.values, key) ?? null) as Value | null;
    },
    setValue: (key, value) => setValue(thread, key, value),
    async env(name) {
      const found = thread.readEnv(name);
      if (found === undefined) throw new Error(`The environment variable ${name} is not set in this thread`);
      return found.value;
    },
    envType: async (name) => thread.envType(name),
    setEnv: (name, value, { type } = {}) =>
      setEnv(thread, name, { value, type: type ?? thread.envType(name) }),
    scheduleEffect: (name, args = {}, delay) => work.effects.schedule(name, args, delay),
    getScheduledEffects: async (name) =>
      redactValue(work.effects.list(name), thread.secretTexts) as ScheduledEffect[],
    removeScheduledEffect: (effectId) => work.effects.remove(effectId),
    get children() {
      return work.subagents.entries;
    },
    ...createFamilyState(thread, work),
    redact: (value) => redactValue(value, thread.secretTexts),
    async readFile(path) {
      const file = findFile(thread, path);
      return file === undefined ? null : toBytes(file).buffer;
    },
    writeFile: (path, data, mimeType) => writeFile(thread, path, data, mimeType),
    runCode(source, options) {
      if (runCode !== undefined) return runCode(source, options);
      throw new Error(
        'This runtime has no runCode. Pass that of handrail/sandbox: createThreadRuntime({ agents, runCode })',
      );
    },
  };
}

/** The part of the state that leads to the parent and to the subagents. */
function createFamilyState(
  thread: Thread,
  work: WorkQueue,
): Pick<ThreadState, 'getChildThread' | 'getParentThread' | 'notifyParent'> {
  const { id, agent_id, parent_id, name = agent_id } = thread.record;
  const openParent = () => (parent_id === undefined ? undefined : work.open(parent_id));
  return {
    async getChildThread(reference) {
      const isChild = work.subagents.entries.some((entry) => entry.reference === reference);
      const child = isChild ? await work.open(reference) : undefined;
      return child?.runner.createEndpointState() ?? null;
    },
    getParentThread: async () => (await openParent())?.runner.createEndpointState() ?? null,
    async notifyParent(content) {
      // The parent does not know the secrets of this thread.
      const said = redactText(content, thread.secretTexts);
      const text = `Message from the subagent ${name} (${id}): ${said}`;
      await (await openParent())?.runner.queueMessage({ role: 'user', content: text, silent: true });
    },
  };
}

/** Selects messages for an endpoint or a tool. They have no secrets, because an endpoint may send them to a page. */
export function selectMessages(
  thread: Thread,
  { limit, maxDepth = Number.POSITIVE_INFINITY, includeSilent = false }: GetMessagesOptions = {},
) {
  const all = thread
    .readMessages()
    .filter(({ depth, silent }) => depth <= maxDepth && (includeSilent || !silent));
  return {
    messages: limit === undefined ? all : all.slice(Math.max(0, all.length - limit)),
    total: all.length,
  };
}

async function setValue(thread: Thread, key: string, value: unknown): Promise<void> {
  const { [key]: _, ...others } = thread.record.values;
  const isDeleted = value === undefined || value === null;
  thread.change({ values: isDeleted ? others : { ...others, [key]: toJsonValue(value, key) } });
  await thread.save();
}

export async function setEnv(thread: Thread, name: string, value: EnvValue): Promise<void> {
  const fault = findEnvFault(name, value);
  if (fault !== undefined) throw new TypeError(fault);
  thread.putEnv(name, value);
  await thread.save();
}

/** Returns why a variable cannot be set to this value, or undefined. The empty text is allowed: it holds the place of a value. */
export function findEnvFault(name: string, { value, type }: EnvValue): string | undefined {
  if (typeof value !== 'string') return `The environment variable ${name} must be a string`;
  if (type === 'text' || value === '' || value.length >= MIN_HIDDEN_LENGTH) return undefined;
  return `The secret ${name} must have at least ${MIN_HIDDEN_LENGTH} characters, because a shorter one cannot be masked: it would be found inside other words. Use a longer value, or give it the type text`;
}

/** Lists the variables that are set or that the agent declares. Only values that may be shown are in the list. */
export function listEnv(thread: Thread) {
  const names = new Set([...Object.keys(thread.declaredEnv), ...Object.keys(thread.record.env)]);
  return [...names].map((name) => {
    const found = thread.readEnv(name);
    const type = thread.envType(name);
    const shown = type === 'text' && found !== undefined ? { value: found.value } : {};
    return { name, type, isSet: found !== undefined, ...shown };
  });
}
