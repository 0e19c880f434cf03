/** The sessions that this process owns: it takes a session, renews its lease while it holds the session, and gives it back. */
import type { HandleRequest, LeasedStore, SessionLease } from '../server/sessions/cluster/session-cluster.ts';
import type { Clock } from '../shared/clock.ts';
import type { RunScript } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';
import { ACQUIRE, RELEASE, RENEW } from './scripts.ts';

/** A session that this process owns. */
export interface OwnedSession {
  readonly sessionId: string;
  readonly store: LeasedStore;
  /** Handles the requests that other processes hand over. */
  readonly handle: HandleRequest;
}

export interface SessionLeases {
  /** Takes the session, unless another process owns it. It is held until `release`. */
  own(
    sessionId: string,
    handle: HandleRequest,
  ): Promise<{ readonly session: OwnedSession; readonly release: () => void } | null>;
  /** Looks into the mailbox of a session, if this process owns it. */
  attend(sessionId: string): void;
  /** Gives all sessions up. */
  close(): void;
}

interface LeasesOptions {
  readonly run: RunScript;
  readonly keys: RedisKeys;
  /** The id of this process. */
  readonly node: string;
  readonly leaseMs: number;
  /** How long a reply is kept. Milliseconds. */
  readonly replyMs: number;
  readonly clock: Clock;
  /** Returns the store whose writes carry the token. */
  createStore(token: number, lease: SessionLease, lose: () => void): LeasedStore;
  /** Called after each renewal, with what was in the mailbox. */
  onRenewed(session: OwnedSession, messages: readonly string[]): void;
}

interface Owned extends OwnedSession {
  readonly token: number;
  /** Those who hold the lease: what to do when it is lost. */
  readonly holders: Set<() => void>;
  handle: HandleRequest;
  renewedAt: number;
  cancelRenewal: () => void;
}

export function createSessionLeases(options: LeasesOptions): SessionLeases {
  const { run, keys, node, leaseMs, clock } = options;
  const sessions = new Map<string, Owned>();
  const enqueue = createQueues();

  function drop(owned: Owned): void {
    if (sessions.get(owned.sessionId) === owned) sessions.delete(owned.sessionId);
    owned.cancelRenewal();
    const holders = [...owned.holders];
    owned.holders.clear();
    for (const onLost of holders) onLost();
  }
  function scheduleRenewal(owned: Owned): void {
    owned.cancelRenewal = clock.after(leaseMs / 3, () => {
      void enqueue(owned.sessionId, () => renew(owned)).catch(() => {});
    });
  }
  async function renew(owned: Owned): Promise<void> {
    if (sessions.get(owned.sessionId) !== owned) return;
    owned.cancelRenewal();
    const startedAt = clock.now();
    const { lease, session, mailbox } = keys.of(owned.sessionId);
    try {
      const args = [owned.token, node, leaseMs, keys.reply(''), options.replyMs];
      const messages = (await run(RENEW, [lease, session, mailbox], args)) as readonly string[] | null;
      if (messages === null) return drop(owned);
      owned.renewedAt = startedAt;
      scheduleRenewal(owned);
      options.onRenewed(owned, messages);
    } catch (thrown) {
      // The renewal may have taken requests that were in its answer. Their senders see that this lease ends.
      drop(owned);
      throw thrown;
    }
  }
  async function acquire(sessionId: string, handle: HandleRequest): Promise<Owned | undefined> {
    const { lease, session } = keys.of(sessionId);
    const renewedAt = clock.now();
    const token = (await run(ACQUIRE, [lease, session, keys.tokens], [node, leaseMs])) as number | null;
    if (token === null) return undefined;
    const store = options.createStore(token, { hold: (onLost) => hold(owned, onLost) }, () => drop(owned));
    const owned: Owned = {
      ...{ sessionId, store, handle, token, renewedAt },
      holders: new Set(),
      cancelRenewal() {},
    };
    sessions.set(sessionId, owned);
    scheduleRenewal(owned);
    return owned;
  }
  function hold(owned: Owned, onLost = () => {}): () => void {
    const holder = () => onLost();
    owned.holders.add(holder);
    return () => {
      owned.holders.delete(holder);
      if (owned.holders.size === 0) void enqueue(owned.sessionId, () => giveBack(owned));
    };
  }
  /** Keeps the session if a request came meanwhile, from a client or from another process. */
  async function giveBack(owned: Owned): Promise<void> {
    const { lease, mailbox } = keys.of(owned.sessionId);
    try {
      while (owned.holders.size === 0 && sessions.get(owned.sessionId) === owned) {
        if ((await run(RELEASE, [lease, mailbox], [owned.token, node])) === 1) drop(owned);
        else await renew(owned);
      }
    } catch {
      // The lease expires by itself.
      drop(owned);
    }
  }
  return {
    own: (sessionId, handle) =>
      enqueue(sessionId, async () => {
        const known = sessions.get(sessionId);
        // A process that was suspended may have lost the session without knowing.
        if (known !== undefined && clock.now() - known.renewedAt > leaseMs) await renew(known);
        const owned = sessions.get(sessionId) ?? (await acquire(sessionId, handle));
        if (owned === undefined) return null;
        owned.handle = handle;
        return { session: owned, release: hold(owned) };
      }),
    attend(sessionId) {
      const owned = sessions.get(sessionId);
      if (owned !== undefined) void enqueue(sessionId, () => renew(owned)).catch(() => {});
    },
    close() {
      for (const owned of sessions.values()) drop(owned);
    },
  };
}

/** Returns a function that runs the tasks of one key one after the other. */
function createQueues(): <Value>(key: string, task: () => Promise<Value>) => Promise<Value> {
  const tails = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(task);
    const tail = result
      .catch(() => {})
      .finally(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return result;
  };
}
