/** The processes that share a store: which of them owns a session, and how the others reach it. */

import type { EventSource } from '../../store/event-source.ts';
import type {
  ClusterRequest,
  HandleRequest,
  LeasedStore,
  OpenRecoverable,
  SessionCluster,
  SessionLease,
} from '../../store/session-cluster.ts';
import { createDoorbell, type Doorbell } from './doorbell.ts';
import type { RedisConnection } from './redis-connection.ts';
import { Relay } from './relay.ts';
import { type ClusterIO, SessionLeases } from './session-leases.ts';

interface RedisClusterOptions extends ClusterIO {
  readonly client: RedisConnection;
  /** See {@link SessionLeases}. */
  createStore(token: number, lease: SessionLease, onRefused: () => void): LeasedStore;
}

export class RedisCluster implements SessionCluster {
  readonly #doorbell: Doorbell;
  readonly #leases: SessionLeases;
  readonly #relay: Relay;
  #openRegistered: OpenRecoverable | undefined;

  constructor(options: RedisClusterOptions) {
    const { client, keys, node } = options;
    const doorbell = createDoorbell(client, keys, node, (sessionId) => this.#leases.attend(sessionId));
    const forget = (key: string) => void client.sendCommand(['UNLINK', key]).catch(() => {});
    this.#doorbell = doorbell;
    this.#relay = new Relay({ ...options, doorbell, forget });
    this.#leases = new SessionLeases({
      ...options,
      onRenewed: (session, messages) => this.#relay.receive(session, messages),
    });
  }

  /** See `watch` of `SessionStore`. */
  readonly watch: Doorbell['onSave'] = (listener) => this.#doorbell.onSave(listener);

  /** Opens a session with the options of the one that was created last with the store. */
  readonly openRegistered: OpenRecoverable = (sessionId) => this.#openRegistered?.(sessionId);

  register(openSession: OpenRecoverable): void {
    this.#openRegistered = openSession;
  }

  async open(request: ClusterRequest, handle: HandleRequest): Promise<EventSource> {
    for (;;) {
      const own = await this.own(request.sessionId, handle, (leased) => handle(request, leased));
      const opened = own ?? (await this.#relay.send(request, () => this.open(request, handle)));
      if (opened !== null) return opened;
    }
  }

  async own<Value>(
    sessionId: string,
    handle: HandleRequest,
    task: (store: LeasedStore) => Promise<Value>,
  ): Promise<Value | undefined> {
    await this.#doorbell.listen();
    const owned = await this.#leases.own(sessionId, handle);
    if (owned === null) return undefined;
    try {
      return await task(owned.store);
    } finally {
      owned.release();
    }
  }

  close(): void {
    this.#leases.close();
    this.#doorbell.close();
  }
}
