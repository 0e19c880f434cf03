/** Threads in a session store: in memory, PostgreSQL or Redis, beside the sessions of other agents. */
import { createMemorySessionStore } from '../../../server/store/create-memory-session-store.ts';
import type { SessionRecord, SessionStore } from '../../../server/store/session-store.ts';
import { hostOf } from '../../../server/store/store-host.ts';
import type { Clock } from '../../../shared/clock.ts';
import { deepEqual } from '../../../shared/deep-equal.ts';
import { fromSessionRecord, toSessionRecord } from './stored-thread.ts';
import type { ThreadRecord } from './thread-record.ts';

/** Begins the ids of threads in a session store, so that no session has the id of a thread. */
export const THREAD_PREFIX = 'standard-agents/';

/** Another process has saved the thread since this one read it: what this process has of it is out of date. */
export class ThreadTakenError extends Error {
  override readonly name = 'ThreadTakenError';

  constructor(threadId: string) {
    super(
      `Another process has saved the thread ${threadId} since this one read it, so nothing was saved. Send all requests of a thread to one process`,
    );
  }
}

/** Saves one thread, save after save. */
export type SaveThread = (record: ThreadRecord) => Promise<void>;

/** The threads of a session store. */
export class ThreadStore {
  readonly #store: SessionStore;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /** Saves a thread that is new. */
  async create(record: ThreadRecord): Promise<void> {
    await this.#createSaver(record.id, 0)(record);
  }

  /** Returns the thread and the function that saves it from now on, or null. */
  async load(threadId: string): Promise<{ readonly record: ThreadRecord; readonly save: SaveThread } | null> {
    const stored = await this.#store.load(THREAD_PREFIX + threadId);
    if (stored === null) return null;
    return { record: fromSessionRecord(stored), save: this.#createSaver(threadId, stored.revision) };
  }

  #createSaver(threadId: string, loaded: SessionRecord['revision']): SaveThread {
    const sessionId = THREAD_PREFIX + threadId;
    let revision = loaded;
    let isTaken = false;
    /** The record of the last save, if it is unknown whether that save has arrived. */
    let unconfirmed: SessionRecord | undefined;
    const hasArrived = async () =>
      unconfirmed !== undefined && isSame(await this.#store.load(sessionId), unconfirmed);
    const save = async (thread: ThreadRecord): Promise<boolean> => {
      const record = toSessionRecord(thread, revision + 1);
      const before = unconfirmed;
      unconfirmed = record;
      if ((await this.#store.save(sessionId, record)) === false) {
        unconfirmed = before;
        return false;
      }
      revision = record.revision;
      unconfirmed = undefined;
      return true;
    };
    return async (record) => {
      // A later revision would be saved over what the other process has saved.
      if (isTaken) throw new ThreadTakenError(threadId);
      let isSaved = await save(record);
      if (!isSaved && (await hasArrived())) {
        revision += 1;
        isSaved = await save(record);
      }
      if (!isSaved) {
        isTaken = true;
        throw new ThreadTakenError(threadId);
      }
      hostOf(this.#store).notifySaved(sessionId);
    };
  }
}

function isSame(stored: SessionRecord | null, record: SessionRecord): boolean {
  return deepEqual(stored, JSON.parse(JSON.stringify(record)));
}

/** The store of a runtime that is given none: in memory, for one process. It drops no thread. */
export function createMemoryThreadStore(options: { readonly clock?: Clock } = {}): SessionStore {
  return createMemorySessionStore({ ...options, maxSessions: Number.POSITIVE_INFINITY });
}
