/** What a process knows of a session besides its record: the run under way, and the queue of requests to handle. */

import type { Run } from '../runs/run.ts';
import { createMemoryLogs, type OpenLog } from '../store/event-log.ts';
import { leaseOf } from '../store/session-cluster.ts';
import type { SessionState } from '../store/session-state.ts';
import type { SessionStore } from '../store/session-store.ts';

/** Shared by all session objects of one id and store. */
export interface LiveSession {
  /** The run under way, or `null`. */
  getRun(): Run | null;
  /** The record as the run under way has it; the handlers of requests share it with the run. */
  getState(): SessionState | null;
  setRun(run: Run, state: SessionState): void;
  /** To be called when a run has ended. */
  forgetEnded(): void;
  /** Handles requests one after the other, in the order they came. */
  handle<Value>(handler: () => Promise<Value>): Promise<Value>;
}

interface StoreEntry {
  readonly sessions: Map<string, LiveSession>;
  readonly openLog: OpenLog;
  /** Each function cancels the timer of a session. */
  readonly timers: Map<string, () => void>;
}

/** Servers create a session object per request, so the objects of one conversation find their shared state by their store. */
const entries = /* @__PURE__ */ new WeakMap<SessionStore, StoreEntry>();

function entryOf(store: SessionStore): StoreEntry {
  let entry = entries.get(store);
  if (entry === undefined) {
    const openLog: OpenLog = store.openLog ? (...args) => openStoreLog(store)(...args) : createMemoryLogs();
    entry = { sessions: new Map(), openLog, timers: new Map() };
    entries.set(store, entry);
  }
  return entry;
}

function openStoreLog(store: SessionStore): OpenLog {
  if (store.openLog === undefined) throw new TypeError('The session store lost its openLog method');
  return store.openLog.bind(store);
}

/** The log of an execution, from the store or in memory. */
export function openEventLog(store: SessionStore, ...args: Parameters<OpenLog>): ReturnType<OpenLog> {
  return entryOf(store).openLog(...args);
}

/** Replaces the timer of a session: `cancel` ends the new one, undefined means that there is none. */
export function setTimer(store: SessionStore, sessionId: string, cancel: (() => void) | undefined): void {
  const { timers } = entryOf(store);
  timers.get(sessionId)?.();
  timers.delete(sessionId);
  if (cancel !== undefined) timers.set(sessionId, cancel);
}

/**
 * Calls the handler of a request when earlier requests of the session were handled. The session leaves the memory of the
 * process when no request is left to handle and no run is under way.
 */
export async function handleLive<Value>(
  store: SessionStore,
  sessionId: string,
  handler: (live: LiveSession) => Promise<Value>,
): Promise<Value> {
  const { sessions } = entryOf(store);
  let live = sessions.get(sessionId);
  if (live === undefined) {
    const created = createLiveSession((idle) => {
      if (sessions.get(sessionId) !== idle) return;
      sessions.delete(sessionId);
      release?.();
    });
    const release = leaseOf(store)?.hold(() => void created.getRun()?.end('interrupted'));
    sessions.set(sessionId, created);
    live = created;
  }
  const session = live;
  return session.handle(() => handler(session));
}

function createLiveSession(onIdle: (live: LiveSession) => void): LiveSession {
  let queue: Promise<unknown> = Promise.resolve();
  let handling = 0;
  let current: { run: Run; state: SessionState } | null = null;
  const getCurrent = () => (current?.run.isEnded() ? null : current);
  const live: LiveSession = {
    getRun: () => getCurrent()?.run ?? null,
    getState: () => getCurrent()?.state ?? null,
    setRun(run, state) {
      current = { run, state };
    },
    forgetEnded() {
      if (handling === 0 && getCurrent() === null) onIdle(live);
    },
    handle(handler) {
      handling += 1;
      const result = queue.then(handler).finally(() => {
        handling -= 1;
        live.forgetEnded();
      });
      queue = result.catch(() => {});
      return result;
    },
  };
  return live;
}
