/** The sessions that this process owns: it takes a session, renews its lease while it holds the session, and gives it back. */

import type { Clock } from '../../../shared/clock.ts';
import { KeyedSerialQueue } from '../../../shared/serial-queue.ts';
import type { HandleRequest, LeasedStore, SessionLease } from '../../store/session-cluster.ts';
import type { RunScript } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';
import { ACQUIRE, RELEASE, RENEW } from './scripts.ts';

/** How long a process owns a session after its last sign of life, if the app does not say. Milliseconds. */
export const DEFAULT_LEASE_MS = 10_000;

/** The connection and the settings of one process. */
export interface ClusterIO {
  readonly run: RunScript;
  readonly keys: RedisKeys;
  /** The id of this process. */
  readonly node: string;
  readonly leaseMs: number;
  /** How long a reply, or a request that nobody took, is kept for a process that may have died. Milliseconds. */
  readonly replyMs: number;
  readonly clock: Clock;
}

/** A session that this process owns. */
export interface OwnedSession {
  readonly sessionId: string;
  readonly store: LeasedStore;
  /** Handles the requests that other processes relay. */
  readonly handle: HandleRequest;
}

interface Owned extends OwnedSession {
  readonly token: number;
  /** Those who hold the lease: each is called when it is lost. */
  readonly holders: Set<() => void>;
  handle: HandleRequest;
  renewedAt: number;
  cancelRenewal: () => void;
}

interface LeasesOptions extends ClusterIO {
  /** Returns the store whose writes carry the token. `onRefused` is to be called when Redis refuses one. */
  createStore(token: number, lease: SessionLease, onRefused: () => void): LeasedStore;
  /** Called after each renewal, with what was in the mailbox. */
  onRenewed(session: OwnedSession, messages: readonly string[]): void;
}

export class SessionLeases {
  readonly #options: LeasesOptions;
  readonly #sessions = new Map<string, Owned>();
  /** The acquisition, the renewals and the release of one session come one after the other. */
  readonly #queue = new KeyedSerialQueue();

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** Takes the session, unless another process owns it. It is held until `release`. */
  own(
    sessionId: string,
    handle: HandleRequest,
  ): Promise<{ readonly store: LeasedStore; readonly release: () => void } | null> {
    return this.#queue.run(sessionId, async () => {
      const { clock, leaseMs } = this.#options;
      const known = this.#sessions.get(sessionId);
      // A process that was suspended may have lost the session without knowing.
      if (known !== undefined && clock.now() - known.renewedAt > leaseMs) await this.#renew(known);
      const owned = this.#sessions.get(sessionId) ?? (await this.#acquire(sessionId, handle));
      if (owned === undefined) return null;
      owned.handle = handle;
      return { store: owned.store, release: this.#hold(owned) };
    });
  }

  /** Looks into the mailbox of a session, if this process owns it. */
  attend(sessionId: string): void {
    const owned = this.#sessions.get(sessionId);
    if (owned !== undefined) this.#renewSoon(owned);
  }

  /** Gives up all sessions. Their leases expire. */
  close(): void {
    for (const owned of this.#sessions.values()) this.#drop(owned);
  }

  async #acquire(sessionId: string, handle: HandleRequest): Promise<Owned | undefined> {
    const { run, keys, node, leaseMs, clock, createStore } = this.#options;
    const { lease, session } = keys.of(sessionId);
    const renewedAt = clock.now();
    const token = (await run(ACQUIRE, [lease, session, keys.tokens], [node, leaseMs])) as number | null;
    if (token === null) return undefined;
    const hold: SessionLease['hold'] = (onLost) => this.#hold(owned, onLost);
    const owned: Owned = {
      ...{ sessionId, handle, token, renewedAt },
      store: createStore(token, { hold }, () => this.#drop(owned)),
      holders: new Set(),
      cancelRenewal() {},
    };
    this.#sessions.set(sessionId, owned);
    this.#scheduleRenewal(owned);
    return owned;
  }

  #hold(owned: Owned, onLost = () => {}): () => void {
    const holder = () => onLost();
    owned.holders.add(holder);
    return () => {
      owned.holders.delete(holder);
      if (owned.holders.size === 0) void this.#queue.run(owned.sessionId, () => this.#giveBack(owned));
    };
  }

  #scheduleRenewal(owned: Owned): void {
    const { clock, leaseMs } = this.#options;
    owned.cancelRenewal = clock.after(leaseMs / 3, () => this.#renewSoon(owned));
  }

  #renewSoon(owned: Owned): void {
    // A renewal that fails gives the session up. The writes of its run report why.
    this.#queue.run(owned.sessionId, () => this.#renew(owned)).catch(() => {});
  }

  async #renew(owned: Owned): Promise<void> {
    const { run, keys, node, leaseMs, replyMs, clock, onRenewed } = this.#options;
    if (this.#sessions.get(owned.sessionId) !== owned) return;
    owned.cancelRenewal();
    const startedAt = clock.now();
    const { lease, session, mailbox } = keys.of(owned.sessionId);
    try {
      const args = [owned.token, node, leaseMs, keys.reply(''), replyMs];
      const messages = (await run(RENEW, [lease, session, mailbox], args)) as readonly string[] | null;
      if (messages === null) return this.#drop(owned);
      owned.renewedAt = startedAt;
      this.#scheduleRenewal(owned);
      onRenewed(owned, messages);
    } catch (thrown) {
      // The renewal may have taken requests that were in its answer. Their senders see that this lease ends.
      this.#drop(owned);
      throw thrown;
    }
  }

  /** Keeps the session if a request came meanwhile, from a client or from another process. */
  async #giveBack(owned: Owned): Promise<void> {
    const { run, keys, node } = this.#options;
    const { lease, mailbox } = keys.of(owned.sessionId);
    try {
      while (owned.holders.size === 0 && this.#sessions.get(owned.sessionId) === owned) {
        if ((await run(RELEASE, [lease, mailbox], [owned.token, node])) === 1) this.#drop(owned);
        else await this.#renew(owned);
      }
    } catch {
      // The lease expires by itself.
      this.#drop(owned);
    }
  }

  #drop(owned: Owned): void {
    if (this.#sessions.get(owned.sessionId) === owned) this.#sessions.delete(owned.sessionId);
    owned.cancelRenewal();
    const holders = [...owned.holders];
    owned.holders.clear();
    for (const onLost of holders) onLost();
  }
}
