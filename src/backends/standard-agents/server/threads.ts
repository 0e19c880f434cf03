import { reportFailure } from '../../../server/report-failure.ts';
import { createId } from '../../../shared/ids.ts';
import { readOwn } from '../../../shared/json.ts';
import { redactThrown } from './redact-secrets.ts';
import { Thread } from './thread.ts';
import type { OpenThread } from './thread-endpoints.ts';
import type { ThreadRecord } from './thread-record.ts';
import { ThreadRunner } from './thread-runner.ts';
import type { ThreadRuntimeOptions } from './thread-runtime-options.ts';
import { createMemoryThreadStore, type SaveThread, ThreadStore, ThreadTakenError } from './thread-store.ts';

type ThreadsOptions = ThreadRuntimeOptions & Required<Pick<ThreadRuntimeOptions, 'clock' | 'maxBodyBytes'>>;

/** The threads of a runtime. A thread that was used stays in memory, because its execution and its clients are there. */
export class Threads {
  readonly #options: ThreadsOptions;
  readonly #store: ThreadStore;
  readonly #used = new Map<string, Promise<OpenThread | undefined>>();

  constructor(options: ThreadsOptions) {
    this.#options = options;
    this.#store = new ThreadStore(options.store ?? createMemoryThreadStore());
  }

  /** Creates a thread and returns its id. */
  async create(fields: Pick<ThreadRecord, 'agent_id' | 'user_id' | 'tags'>): Promise<string> {
    const id = createId();
    const empty = { messages: [], queue: [], values: {}, env: {}, files: {} };
    const created = { created_at: this.#options.clock.now() * 1_000, run: 'idle' } as const;
    await this.#store.create({ id, ...created, ...fields, ...empty });
    const hooks = this.#options.agents[fields.agent_id]?.hooks ?? [];
    if (hooks.some(({ hook }) => hook === 'after_thread_created')) {
      const runner = (await this.find(id))?.runner;
      await runner?.hooks.tell('after_thread_created', runner.createEndpointState());
    }
    return id;
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
      ...{ agent, runCode, clock },
      onThrown: (thrown, source) =>
        reportFailure(onError, redactThrown(thrown, thread.secretTexts), { source, threadId }),
    });
    runner.resume();
    runner.effects.resume();
    const onStopped = async () => void (await onStop?.(runner.createEndpointState()));
    return { thread, runner, onStopped, maxBodyBytes };
  }
}
