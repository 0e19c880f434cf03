/** The subagents of a thread: each is a thread of its own, in the registry of its parent (specification 0.15, "Subagents"). */
import { createId } from '../../../shared/ids.ts';
import type { SubagentToolConfig } from './agent-definition.ts';
import type { OpenThread } from './open-thread.ts';
import { toParentFrame } from './parent-frames.ts';
import type { NewMessage, Thread } from './thread.ts';
import type { ThreadHooks } from './thread-hooks.ts';
import type { SessionEnd, SubagentRegistryEntry } from './thread-record.ts';
import type { ThreadState } from './thread-state.ts';

/** The other threads of the runtime. */
export interface ThreadFamily {
  find(threadId: string): Promise<OpenThread | undefined>;
  /** Creates the thread of a subagent, unless it is there. */
  createChild(entry: SubagentRegistryEntry, parent: Thread): Promise<OpenThread>;
}

interface SubagentSettings {
  readonly family: ThreadFamily;
  readonly hooks: ThreadHooks;
  readonly createState: () => ThreadState;
  readonly queueMessage: (message: NewMessage) => Promise<void>;
  readonly onThrown: (thrown: unknown) => void;
}

/** A call of the parent to one of its subagents. A tool that runs again after a crash has the same `key`. */
export interface SubagentCall {
  readonly key: string;
  readonly callId: string;
  readonly message: string;
  readonly signal: AbortSignal;
}

/** How deep subagents may be inside each other. Agents that call each other without an end would create threads for ever. */
const MAX_LEVEL = 20;

export class Subagents {
  readonly #thread: Thread;
  readonly #settings: SubagentSettings;
  readonly #followed = new Set<Thread>();

  constructor(thread: Thread, settings: SubagentSettings) {
    this.#thread = thread;
    this.#settings = settings;
  }

  get entries(): readonly SubagentRegistryEntry[] {
    return this.#thread.record.children ?? [];
  }

  /** Registers a subagent and creates its thread. A call that ran before finds its own one. */
  async create(
    { name, blocking = true, resumable = false }: SubagentToolConfig,
    displayName: string,
    { key, callId }: SubagentCall,
  ): Promise<SubagentRegistryEntry> {
    const known = this.entries.find((entry) => entry.key === key);
    if ((this.#thread.record.level ?? 0) >= MAX_LEVEL) {
      throw new Error(
        `The subagent ${displayName} was not created: this thread is ${MAX_LEVEL} levels below the first one, and agents that call each other must come to an end`,
      );
    }
    const { receives_messages = 'side_a', parentCommunication = 'implicit' } = resumable || {};
    const entry = known ?? {
      ...{ reference: createId(), name, displayName, key, callId, status: 'running' as const },
      ...{ blocking, resumable: resumable !== false, receives_messages, parentCommunication },
    };
    if (known === undefined) this.#thread.change({ children: [...this.entries, entry] });
    // The registry comes first: a thread that is in no registry would be lost.
    await this.#thread.save();
    const child = await this.#settings.family.createChild(entry, this.#thread);
    this.follow(child);
    if (known === undefined) {
      const childState = child.runner.createEndpointState();
      await this.#settings.hooks.show('after_subagent_created', this.#settings.createState(), childState);
    }
    return entry;
  }

  /** Sends a message to a subagent. Resolves to the end of its session if the parent waits for it. */
  async send(entry: SubagentRegistryEntry, call: SubagentCall): Promise<SessionEnd | undefined> {
    const child = await this.#open(entry.reference);
    this.#change(entry.reference, { status: 'running', callId: call.callId });
    await this.#thread.save();
    const role = entry.receives_messages === 'side_b' ? 'assistant' : 'user';
    await child.runner.queueMessage({ role, content: call.message, id: call.key });
    if (!entry.blocking) return undefined;
    const stop = () => void stopThread(child).catch(this.#settings.onThrown);
    if (call.signal.aborted) stop();
    call.signal.addEventListener('abort', stop, { once: true });
    try {
      const end = await child.runner.ends.untilEnd(call.key);
      this.#change(entry.reference, { status: end.status });
      return end;
    } finally {
      call.signal.removeEventListener('abort', stop);
    }
  }

  /** Stops the subagents that work on their own, with their questions. The thread rests after a stop, so their ends are not told to it. */
  async stop(): Promise<void> {
    const running = this.entries.filter(({ status }) => status === 'running');
    if (running.length === 0) return;
    for (const { reference } of running) this.#change(reference, { status: 'failed' });
    await this.#thread.save();
    await Promise.all(running.map(async ({ reference }) => stopThread(await this.#open(reference))));
  }

  /** Shows what a subagent writes and asks to those who follow this thread, and hears of the end of its session. */
  follow({ thread, runner }: OpenThread): void {
    if (this.#followed.has(thread)) return;
    this.#followed.add(thread);
    const { id } = thread.record;
    const { onThrown } = this.#settings;
    thread.listen((frame) => {
      const entry = this.entries.find(({ reference }) => reference === id);
      const shown = entry && toParentFrame(frame, entry);
      if (shown?.type === 'message_data') {
        this.#thread.put(shown.message);
        this.#thread.save().catch(onThrown);
      } else if (shown !== undefined) this.#thread.send(shown);
    });
    runner.ends.listen((end) => void this.#onEnd(thread, end).catch(onThrown));
    const end = runner.ends.read();
    if (end !== undefined) this.#onEnd(thread, end).catch(onThrown);
  }

  async #onEnd({ record }: Thread, { status, message }: SessionEnd): Promise<void> {
    const entry = this.entries.find(({ reference }) => reference === record.id);
    if (entry === undefined || entry.status !== 'running') return;
    if (!entry.blocking && entry.parentCommunication === 'implicit') {
      const said = status === 'failed' ? 'has failed' : 'has finished';
      const content = `The subagent ${entry.displayName} (${entry.reference}) ${said}: ${message}`;
      // The id makes it one message, also if the process dies before the status is saved.
      const id = `${entry.reference}/${entry.callId}/${record.messages.at(-1)?.id}`;
      await this.#settings.queueMessage({ role: 'user', content, id, silent: true });
    }
    this.#change(entry.reference, { status });
    await this.#thread.save();
  }

  async #open(reference: string): Promise<OpenThread> {
    const child = await this.#settings.family.find(reference);
    if (child === undefined) throw new Error(`There is no thread of the subagent ${reference} any more`);
    return child;
  }

  #change(reference: string, changed: Partial<SubagentRegistryEntry>): void {
    const children = this.entries.map((entry) =>
      entry.reference === reference ? { ...entry, ...changed } : entry,
    );
    this.#thread.change({ children });
  }
}

async function stopThread({ runner, onStopped }: OpenThread): Promise<void> {
  runner.stop();
  await Promise.all([runner.ends.stop(), onStopped()]);
}
