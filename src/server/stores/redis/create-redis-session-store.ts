import { type Clock, systemClock } from '../../../shared/clock.ts';
import { invalidOptions } from '../../../shared/errors.ts';
import { createId } from '../../../shared/ids.ts';
import { fromKeyText } from '../../store/key-text.ts';
import { KnownRecords } from '../../store/known-records.ts';
import { listOpenCalls } from '../../store/list-open-calls.ts';
import type { ClusterStore, OpenRecoverable } from '../../store/session-cluster.ts';
import type { SessionStore } from '../../store/session-store.ts';
import { readWaitingSessions } from './read-waiting-sessions.ts';
import { createRedisChoices } from './redis-choices.ts';
import { RedisCluster } from './redis-cluster.ts';
import { createScriptRunner, type RedisConnection } from './redis-connection.ts';
import { createRedisKeys } from './redis-keys.ts';
import { FIND_LEFT } from './scripts.ts';
import { createSessionAccess, NO_LEASE } from './session-access.ts';
import { DEFAULT_LEASE_MS } from './session-leases.ts';

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
  /** When leases are renewed, and replies looked after. The deadlines of questions count by the time of Redis. Default: the real clock. */
  readonly clock?: Clock;
}

/** A store of {@link createRedisSessionStore}. */
export interface RedisSessionStore extends ClusterStore {
  readonly openLog: NonNullable<SessionStore['openLog']>;
  readonly watch: NonNullable<SessionStore['watch']>;
  readonly listOpenCalls: NonNullable<SessionStore['listOpenCalls']>;
  /** The time of Redis. */
  readonly now: NonNullable<SessionStore['now']>;
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
 * process owns a session while it handles a request or runs the agent, and the others relay their requests to it and pass its events on. So
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
 * No session is deleted by itself. The keys `<prefix>session:<id>` and `<prefix>events:<id>` are all that is kept of one. Remembered
 * choices are in `<prefix>choices:<id of a person>`.
 *
 * Rejections of the client reject the call of the store; the session reports them to its `onError`.
 *
 * @throws AgentChatError `invalid_options` when `client` is no client of Redis, or a number is not a whole number of 1 or more.
 */
export function createRedisSessionStore(options: RedisSessionStoreOptions): RedisSessionStore {
  const {
    client,
    prefix = 'handrail:',
    leaseMs = DEFAULT_LEASE_MS,
    maxEvents = 10_000,
  } = checkOptions(options);
  const { clock = systemClock } = options;
  const run = createScriptRunner(client);
  const keys = createRedisKeys(prefix);
  const access = { run, keys, maxEvents, known: new KnownRecords() };
  const choices = createRedisChoices(client, keys);
  async function now(): Promise<number> {
    const [seconds, microseconds] = (await client.sendCommand(['TIME'])) as readonly [string, string];
    return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
  }
  const cluster: RedisCluster = new RedisCluster({
    ...{ client, run, keys, leaseMs, clock, node: createId(), replyMs: REPLY_MS },
    createStore(token, lease, onRefused) {
      const { watch } = cluster;
      return { ...createSessionAccess(access, token, onRefused), choices, watch, now, lease, shared: store };
    },
  });
  const store: RedisSessionStore = {
    ...createSessionAccess(access, NO_LEASE, () => {}),
    choices,
    cluster,
    watch: cluster.watch,
    now,
    listOpenCalls: (options) =>
      listOpenCalls(store, (from, count) => readWaitingSessions(access, from, count), options),
    async recover(openSession = cluster.openRegistered) {
      const left = await run(
        FIND_LEFT,
        [keys.running, keys.deadlines],
        [keys.of('').lease, keys.of('').session],
      );
      let recovered = 0;
      for (const id of new Set(left as readonly string[])) {
        const session = await openSession(fromKeyText(id));
        if (await session?.recover()) recovered += 1;
      }
      return recovered;
    },
    close: () => cluster.close(),
  };
  return store;
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
