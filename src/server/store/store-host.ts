import { type Clock, systemClock } from '../../shared/clock.ts';
import type { EventLog, OpenLog } from './event-log.ts';
import type { AnswerableSession } from './list-options.ts';
import { createLiveSession, type LiveSession } from './live-session.ts';
import { createMemoryLogs } from './memory-logs.ts';
import type { ClusterStore, LeasedStore, SessionCluster } from './session-cluster.ts';
import type { SessionStore } from './session-store.ts';
import type { WholeCalls } from './whole-values.ts';

/** A session with requests to handle or a run under way, and the store that it writes to: that of its lease, where there are leases. */
interface HeldSession {
  readonly live: LiveSession;
  readonly store: SessionStore;
}

/** Sessions whose whole values are kept. Beyond it the oldest are dropped: their tools ask again for what they need. */
const MAX_WHOLE = 10_000;

/** Servers create a session object per request, so the objects of one conversation find what they share by their store. */
const hosts = /* @__PURE__ */ new WeakMap<SessionStore, StoreHost>();

/** Returns the host of a store. A store with a lease has the host of the store that the app made. */
export function hostOf(store: SessionStore | LeasedStore): StoreHost {
  const { shared = store } = store as Partial<LeasedStore>;
  const host = hosts.get(shared) ?? new StoreHost(shared);
  hosts.set(shared, host);
  return host;
}

/** What this process has of the sessions of a store beside their records: live sessions, timers, watchers, rules, and the time. */
export class StoreHost {
  /** The store that the app made. */
  readonly store: SessionStore;
  readonly #sessions = new Map<string, HeldSession>();
  /** Each function cancels the timer of a session. */
  readonly #timers = new Map<string, () => void>();
  readonly #watchers = new Set<(sessionId?: string) => void>();
  readonly #whole = new Map<string, WholeCalls>();
  readonly #openMemoryLog: OpenLog = createMemoryLogs();
  /** The checks of who may answer, for the sessions that wait in this process. Only `call-checks.ts` uses it. */
  readonly checks = new Map<string, AnswerableSession['mayAnswer']>();

  constructor(store: SessionStore) {
    this.store = store;
  }

  /** The processes that share the store, if they relay requests to each other. */
  get cluster(): SessionCluster | undefined {
    return (this.store as Partial<ClusterStore>).cluster;
  }

  /**
   * The time for `askedAt`, for deadlines and for what they are compared with. It is the store's, so that a process whose clock is wrong
   * expires no question. A store without a clock has the time of the session's `clock`.
   */
  async now(clock: Clock = systemClock): Promise<number> {
    return (await this.store.now?.()) ?? clock.now();
  }

  /** Returns a clock that shows the time of the store, by its difference from `clock` now. */
  async toStoreClock(clock: Clock): Promise<Clock> {
    if (this.store.now === undefined) return clock;
    const ahead = (await this.now(clock)) - clock.now();
    return {
      now: () => clock.now() + ahead,
      after: (delayMs, callback) => clock.after(delayMs, callback),
      nextFrame: (callback) => clock.nextFrame(callback),
    };
  }

  /** Calls back after each save of any session: by the store, or after the saves of this process. Returns the function that ends it. */
  watch(listener: (sessionId?: string) => void): () => void {
    if (this.store.watch !== undefined) return this.store.watch(listener);
    this.#watchers.add(listener);
    return () => void this.#watchers.delete(listener);
  }

  /** Calls the listeners of {@link watch}, if the store does not. To be called after each save. */
  notifySaved(sessionId: string): void {
    for (const watcher of this.#watchers) watcher(sessionId);
  }

  /** The calls of a session whose values only this process may know, see `whole-values.ts`. */
  whole(sessionId: string): WholeCalls {
    const whole: WholeCalls = this.#whole.get(sessionId) ?? new Map();
    this.#whole.set(sessionId, whole);
    const [oldest] = this.#whole.keys();
    if (this.#whole.size > MAX_WHOLE && oldest !== undefined) this.#whole.delete(oldest);
    return whole;
  }

  /** The log of an execution: in the store, or in memory where the store has none. `store` is that of the lease, where there is one. */
  openLog(store: SessionStore, ...args: Parameters<OpenLog>): EventLog {
    return store.openLog === undefined ? this.#openMemoryLog(...args) : store.openLog(...args);
  }

  /**
   * Calls the handler of a request when earlier requests of the session were handled. The session leaves the memory of the process, and
   * gives its lease back, when no request is left to handle and no run is under way.
   *
   * @param store that of the lease, where there is one
   */
  async handle<Value>(
    store: SessionStore | LeasedStore,
    sessionId: string,
    handler: (live: LiveSession) => Promise<Value>,
  ): Promise<Value> {
    const known = this.#sessions.get(sessionId);
    // The run of an earlier lease can save nothing any more.
    const { live } = known?.store === store ? known : this.#hold(store, sessionId);
    return live.handle(() => handler(live));
  }

  #hold(store: SessionStore | LeasedStore, sessionId: string): HeldSession {
    const live = createLiveSession(() => {
      if (this.#sessions.get(sessionId) === held) this.#sessions.delete(sessionId);
      if (this.#whole.get(sessionId)?.size === 0) this.#whole.delete(sessionId);
      release?.();
      release = undefined;
    });
    const held = { live, store };
    this.#sessions.set(sessionId, held);
    let release = (store as Partial<LeasedStore>).lease?.hold(() => void live.getRun()?.end('interrupted'));
    return held;
  }

  /**
   * Calls `expire` when the store's time is `deadline`, instead of at an earlier deadline of the session. Undefined and Infinity: never.
   * Rejects if the store does not tell the time; the next request or `recover` settles the question then.
   */
  async setDeadline(
    sessionId: string,
    deadline: number | undefined,
    clock: Clock,
    expire: () => void,
  ): Promise<void> {
    this.#timers.get(sessionId)?.();
    this.#timers.delete(sessionId);
    if (deadline === undefined || deadline === Infinity) return;
    let isReplaced = false;
    let cancelTimer = () => {};
    this.#timers.set(sessionId, () => {
      isReplaced = true;
      cancelTimer();
    });
    const now = await this.now(clock);
    if (!isReplaced) cancelTimer = clock.after(deadline - now, expire);
  }
}
