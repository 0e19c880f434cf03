import { reportFailure } from '../../../server/report-failure.ts';
import type { SessionStore } from '../../../server/store/session-store.ts';
import { createId } from '../../../shared/ids.ts';
import { readOwn } from '../../../shared/json.ts';
import type { OpenThread } from './open-thread.ts';
import { redactValue } from './redact-secrets.ts';
import type { ThreadFamily } from './subagents.ts';
import { Thread } from './thread.ts';
import type { SubagentRegistryEntry, ThreadRecord } from './thread-record.ts';
import { ThreadRunner } from './thread-runner.ts';
import type { ThreadRuntimeOptions } from './thread-runtime-options.ts';
import { createMemoryThreadStore, type SaveThread, ThreadStore, ThreadTakenError } from './thread-store.ts';

type ThreadsOptions = ThreadRuntimeOptions & Required<Pick<ThreadRuntimeOptions, 'clock' | 'maxBodyBytes'>>;

/** The fields that a thread has from the beginning. */
type NewThread = Pick<ThreadRecord, 'id' | 'agent_id' | 'user_id' | 'tags' | 'env'> & Partial<ThreadRecord>;

/** The threads of a runtime. A thread that was used stays in memory, because its execution and its clients are there. */
export class Threads implements ThreadFamily {
  readonly #options: ThreadsOptions;
  readonly #sessions: SessionStore;
  readonly #store: ThreadStore;
  readonly #used = new Map<string, Promise<OpenThread | undefined>>();

  constructor(options: ThreadsOptions) {
    this.#options = options;
    this.#sessions = options.store ?? createMemoryThreadStore({ clock: options.clock });
    this.#store = new ThreadStore(this.#sessions);
  }

  get store(): SessionStore {
    return this.#sessions;
  }

  /** Returns a thread for the inbox of the kit. */
  async openForKit(threadId: string) {
    const found = await this.find(threadId);
    return found && { userId: found.thread.record.user_id, state: found.runner.createEndpointState() };
  }

  /** Creates a thread and returns its id. */
  async create(fields: Pick<ThreadRecord, 'agent_id' | 'user_id' | 'tags'>): Promise<string> {
    const id = createId();
    await this.#create({ id, env: {}, ...fields });
    return id;
  }

  async #create(fields: NewThread): Promise<void> {
    const empty = { messages: [], queue: [], values: {}, files: {} };
    const created = { created_at: this.#options.clock.now() * 1_000, run: 'idle' } as const;
    await this.#store.create({ ...created, ...empty, ...fields });
    const hooks = readOwn(this.#options.agents, fields.agent_id)?.hooks ?? [];
    if (!hooks.some(({ hook }) => hook === 'after_thread_created')) return;
    const runner = (await this.find(fields.id))?.runner;
    // The thread is there. A client that was told otherwise would create a second one.
    await runner?.hooks.show('after_thread_created', runner.createEndpointState());
  }

  /** Creates the thread of a subagent, with the variables that its parent has now, unless it is there. */
  async createChild(entry: SubagentRegistryEntry, { record }: Thread): Promise<OpenThread> {
    const { reference: id, name: agent_id, displayName: name } = entry;
    const { user_id, tags, env, secrets = [], id: parent_id, level = 0 } = record;
    const fields = { ...{ id, agent_id, name, parent_id, level: level + 1 }, ...{ user_id, env, secrets } };
    if ((await this.find(id)) === undefined)
      await this.#create({ ...fields, tags: [...tags, `name:${name}`] });
    const child = await this.find(id);
    if (child === undefined) throw new Error(`There is no agent ${agent_id} for the subagent ${name}`);
    return child;
  }

  /** Returns the thread, or undefined for an unknown id. Work that a process left unfinished goes on. */
  find(threadId: string): Promise<OpenThread | undefined> {
    const known = this.#used.get(threadId);
    if (known !== undefined) return known;
    const loading = this.#load(threadId);
    this.#used.set(threadId, loading);
    // An unknown id takes no memory, and a store that failed is asked again.
    const forget = () => this.#used.delete(threadId);
    loading.then((found) => found ?? forget(), forget);
    return loading;
  }

  /** Another process goes on with the thread. The next request reads what that process has saved. */
  #forget(threadId: string, runner: ThreadRunner): void {
    this.#used.delete(threadId);
    runner.stop();
    runner.effects.stop();
  }

  /** A subagent that was left by an earlier process is followed again, and its parent hears of an end that it has missed. */
  async #joinFamily(open: OpenThread): Promise<void> {
    const { parent_id, children = [] } = open.thread.record;
    if (parent_id !== undefined) (await this.find(parent_id))?.runner.subagents.follow(open);
    for (const { reference, status } of children) {
      if (status !== 'running') continue;
      const child = await this.find(reference);
      if (child !== undefined) open.runner.subagents.follow(child);
    }
  }

  async #load(threadId: string): Promise<OpenThread | undefined> {
    const loaded = await this.#store.load(threadId);
    const agent = loaded && readOwn(this.#options.agents, loaded.record.agent_id);
    if (!loaded || !agent) return undefined;
    const { runCode, onError, onStop, clock, maxBodyBytes } = this.#options;
    const save: SaveThread = (record) =>
      loaded.save(record).catch((thrown: unknown) => {
        if (thrown instanceof ThreadTakenError) this.#forget(threadId, runner);
        throw thrown;
      });
    const thread = new Thread(loaded.record, { save, clock, envTypes: agent.env ?? {} });
    const runner: ThreadRunner = new ThreadRunner(thread, {
      ...{ agent, runCode, clock, agents: this.#options.agents, family: this },
      onThrown: (thrown, source) =>
        reportFailure(onError, redactValue(thrown, thread.secretTexts), { source, threadId }),
    });
    const onStopped = async () => {
      await runner.subagents.stop();
      await this.#options.kit?.abortPending(runner.createEndpointState());
      await onStop?.(runner.createEndpointState());
    };
    const open: OpenThread = { thread, runner, onStopped, maxBodyBytes };
    runner.resume();
    runner.effects.resume();
    this.#joinFamily(open).catch((thrown: unknown) =>
      reportFailure(onError, thrown, { source: 'store', threadId } as const),
    );
    return open;
  }
}
