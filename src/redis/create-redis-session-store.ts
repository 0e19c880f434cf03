import type {
  LeasedStore,
  OpenRecoverable,
  SessionCluster,
  SessionLease,
} from '../server/sessions/cluster/session-cluster.ts';
import { waitingCalls } from '../server/sessions/last-events.ts';
import type { SessionRecord, SessionStore } from '../server/sessions/session-store.ts';
import { systemClock } from '../shared/clock.ts';
import { invalidOptions } from '../shared/errors.ts';
import { createId } from '../shared/ids.ts';
import { createRelay } from './create-relay.ts';
import { createDoorbell } from './doorbell.ts';
import { createScriptRunner, type RedisConnection } from './redis-connection.ts';
import { createRedisEventLog } from './redis-event-log.ts';
import { createRedisKeys, fromKeyText, toKeyText } from './redis-keys.ts';
import { FIND_LEFT, SAVE } from './scripts.ts';
import { createSessionLeases } from './session-leases.ts';

/** Options of {@link createRedisSessionStore}. */
export interface RedisSessionStoreOptions {
  /** A connected client: `createClient({ url })` of the package `redis`. The store opens one more connection with its `duplicate()`. */
  readonly client: RedisConnection;
  /** Begins all keys and channels. Default `handrail:`. */
  readonly prefix?: string;
  /**
   * How long a process owns a session after its last sign of life. Milliseconds; default 10,000. So long does a session rest when its
   * process dies. It must be longer than any pause of a process that lives.
   */
  readonly leaseMs?: number;
  /** Events that are stored of a session's current execution, and for a while some hundred more. Default 10,000. */
  readonly maxEvents?: number;
}

/** A store of {@link createRedisSessionStore}. */
export interface RedisSessionStore extends SessionStore {
  readonly cluster: SessionCluster;
  readonly openLog: NonNullable<SessionStore['openLog']>;
  readonly watch: NonNullable<SessionStore['watch']>;
  /**
   * Goes on with the sessions that nobody goes on with: those whose process died during a run, and those with a question whose deadline is
   * over. Resolves to their number. Call it when a process starts, and every minute or so; several processes may do so at the same time.
   *
   * @param openSession returns the session with an id, or undefined to leave it alone. Default: with the options of the session that this
   * process created last with this store, and does nothing before there is one.
   */
  recover(openSession?: OpenRecoverable): Promise<number>;
  /** Closes the connection that the store opened, not the client. The runs of this process end. */
  close(): void;
}

/** How long a reply, or a request that nobody took, is kept for a process that may have died. */
const REPLY_MS = 600_000;

/**
 * Creates a session store in Redis 6.2 or later that any number of processes share. Each process takes each request of each session: one
 * process owns a session while it handles a request or runs the agent, and the others hand it their requests and pass its events on. So
 * triggers, answers, stops and resumes need no routing by session id.
 *
 * A session is owned with a lease, which its process renews. A process that dies, or that does not answer for `leaseMs`, loses its
 * sessions. The next request or {@link RedisSessionStore.recover} goes on from what was stored. A process that comes back then writes
 * nothing any more: Redis refuses its records and events, and it ends its runs. No lease is held while a question waits. The process that
 * owns a session handles its requests with the session object that it made last for this session.
 *
 * All this holds as long as Redis keeps what it has confirmed. Use `appendonly yes` with `appendfsync always`: without it, a crash of Redis
 * loses the last second, and a failover to a replica may lose more. Then a session goes on from an earlier record: the last answers are
 * asked for again, and a step of a tool that was done in the lost time may run once more. Redis Cluster is not supported.
 *
 * No session is deleted by itself. The keys `<prefix>session:<id>` and `<prefix>events:<id>` are all that is kept of one.
 *
 * Rejections of the client reject the call of the store; the session reports them to its `onError`.
 *
 * @throws AgentChatError `invalid_options` when `client` is no client of Redis, or a number is not a whole number of 1 or more.
 */
export function createRedisSessionStore(options: RedisSessionStoreOptions): RedisSessionStore {
  const { client, prefix = 'handrail:', leaseMs = 10_000, maxEvents = 10_000 } = checkOptions(options);
  const run = createScriptRunner(client);
  const keys = createRedisKeys(prefix);
  const node = createId();
  const clock = systemClock;
  let registered: OpenRecoverable | undefined;

  /** @param token that of the lease, or 0 without a lease */
  function createStore(
    token: number,
    onFenced: () => void,
  ): Required<Pick<SessionStore, 'save' | 'openLog'>> {
    return {
      async save(sessionId, record) {
        const saved = await run(SAVE, saveKeys(sessionId), [
          token,
          ...toSaved(sessionId, record),
          keys.saved,
        ]);
        if (saved === -1) onFenced();
        return saved === 1;
      },
      openLog: (sessionId, executionId, lastSeq) =>
        createRedisEventLog({
          ...{ run, keys: keys.of(sessionId), executionId, lastSeq, maxEvents, token, onFenced },
        }),
    };
  }
  function saveKeys(sessionId: string): string[] {
    const { session, events } = keys.of(sessionId);
    return [session, events, keys.waiting, keys.deadlines, keys.running];
  }
  const doorbell = createDoorbell(client, keys, node, (sessionId) => leases.attend(sessionId));
  const relay = createRelay({
    ...{ run, keys, doorbell, node, leaseMs, clock, replyMs: REPLY_MS },
    forget: (key) => void client.sendCommand(['UNLINK', key]).catch(() => {}),
  });
  const leases = createSessionLeases({
    ...{ run, keys, node, leaseMs, clock, replyMs: REPLY_MS, onRenewed: relay.receive },
    createStore: (token: number, lease: SessionLease, lose: () => void): LeasedStore => ({
      ...{ load, watch: doorbell.onSave, lease, shared: store },
      ...createStore(token, lose),
    }),
  });

  async function load(sessionId: string): Promise<SessionRecord | null> {
    const record = await client.sendCommand(['HGET', keys.of(sessionId).session, 'record']);
    return record === null ? null : (JSON.parse(String(record)) as SessionRecord);
  }
  const cluster: SessionCluster = {
    async open(request, handle) {
      for (;;) {
        const source = await cluster.own(request.sessionId, handle, (leased) => handle(request, leased));
        const opened = source ?? (await relay.send(request, () => cluster.open(request, handle)));
        if (opened !== null) return opened;
      }
    },
    async own(sessionId, handle, task) {
      await doorbell.listen();
      const owned = await leases.own(sessionId, handle);
      if (owned === null) return undefined;
      try {
        return await task(owned.session.store);
      } finally {
        owned.release();
      }
    },
    register(openSession) {
      registered = openSession;
    },
  };
  const store: RedisSessionStore = {
    load,
    ...createStore(0, () => {}),
    watch: doorbell.onSave,
    cluster,
    async recover(openSession = registered) {
      const left = await run(FIND_LEFT, [keys.running, keys.deadlines], [keys.of('').lease, clock.now()]);
      let recovered = 0;
      for (const id of new Set(left as readonly string[])) {
        const session = await openSession?.(fromKeyText(id));
        if (await session?.recover()) recovered += 1;
      }
      return recovered;
    },
    close() {
      leases.close();
      doorbell.close();
    },
  };
  return store;
}

/** The arguments of the script that saves a record, from the revision on. */
function toSaved(sessionId: string, record: SessionRecord): (string | number)[] {
  const { revision, execution } = record;
  const state = execution?.state ?? 'none';
  const waiting = execution === null ? [] : waitingCalls(execution);
  // The deadlines of other calls are for their clients.
  const deadlines = waiting.flatMap(({ question, deadline = [] }) => (question ? deadline : []));
  return [
    revision,
    JSON.stringify(record),
    toKeyText(execution?.id ?? ''),
    state,
    toKeyText(sessionId),
    execution?.askedAt ?? 0,
    deadlines.length > 0 ? Math.min(...deadlines) : '',
  ];
}

function checkOptions(options: RedisSessionStoreOptions): RedisSessionStoreOptions {
  const { client, leaseMs = 1, maxEvents = 1 } = options ?? {};
  if (typeof client?.sendCommand !== 'function' || typeof client.duplicate !== 'function') {
    throw invalidOptions(
      'createRedisSessionStore: client must be a client of the package redis: createClient({ url }), connected.',
    );
  }
  for (const [name, value] of Object.entries({ leaseMs, maxEvents })) {
    if (!(Number.isInteger(value) && value >= 1)) {
      throw invalidOptions(
        `createRedisSessionStore: ${name} must be a whole number of 1 or more, not ${String(value)}.`,
      );
    }
  }
  return options;
}
