/**
 * Several processes of one server, as far as their sessions can tell: each has a store, a connection and runs of its own. Their clock
 * stands still unless a test moves it, and a lease in Redis lasts longer than any test, unless a test ends it.
 */

import type { Agent } from '../../../../src/server/agent.ts';
import {
  type AgentSession,
  createAgentSession,
} from '../../../../src/server/sessions/create-agent-session.ts';
import {
  createRedisSessionStore,
  type RedisSessionStore,
} from '../../../../src/server/stores/redis/create-redis-session-store.ts';
import type { ServerTools } from '../../../../src/server/tools/server-tool.ts';
import { createId } from '../../../../src/shared/ids.ts';
import { createManualClock, type ManualClock } from '../../../../src/testing/manual-clock.ts';
import type { RedisClient, RedisServer } from '../../../support/redis-server.ts';

export interface Node {
  readonly store: RedisSessionStore;
  readonly client: RedisClient;
  open(agent: Agent, tools?: ServerTools): AgentSession;
  /** The process loses its connections at once, as when it dies. Its runs go on until they need the store. */
  die(): void;
}

export interface Nodes {
  /** The id of the session that all nodes open. */
  readonly id: string;
  readonly nodes: readonly [Node, Node, Node];
  readonly clock: ManualClock;
  /** The token of the lease of the session, or undefined without a lease. */
  readToken(): Promise<number | undefined>;
  /** Ends the lease of the session in Redis, as its time does. */
  expireLease(): Promise<void>;
  /** Resolves when `read` has the value. Reads again whenever a key of the store has changed. */
  untilEqual(read: () => Promise<unknown>, expected: unknown): Promise<void>;
  /** Lets time pass until the promise settles. */
  whileTimePasses<Value>(promise: Promise<Value>): Promise<Value>;
  close(): void;
}

export const LEASE_MS = 600_000;

export async function openNodes(server: RedisServer): Promise<Nodes> {
  const id = createId();
  const prefix = `${id}:`;
  const lease = `${prefix}lease:${id}`;
  const clock = createManualClock();
  const openNode = async (): Promise<Node> => {
    const client = await server.connect();
    const store = createRedisSessionStore({ client, prefix, leaseMs: LEASE_MS, clock });
    return {
      ...{ store, client },
      open: (agent, tools = {}) => createAgentSession({ id, agent, store, tools }),
      die() {
        store.close();
        client.destroy();
      },
    };
  };
  const observer = await server.connect();
  const listener = await server.connect();
  let wake = () => {};
  await observer.configSet('notify-keyspace-events', 'KA');
  await listener.pSubscribe(`__keyspace@0__:${prefix}*`, () => wake());
  const nodes = [await openNode(), await openNode(), await openNode()] as const;
  return {
    ...{ id, nodes, clock },
    async readToken() {
      const held = await observer.get(lease);
      return held === null ? undefined : Number.parseInt(held, 10);
    },
    async expireLease() {
      await observer.del(lease);
    },
    async untilEqual(read, expected) {
      for (;;) {
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        if ((await read()) === expected) return;
        await changed;
      }
    },
    async whileTimePasses(promise) {
      let isOver = false;
      const over = promise.finally(() => {
        isOver = true;
      });
      over.catch(() => {});
      while (!isOver) {
        await clock.advance(LEASE_MS / 3);
        // What the processes have sent in this time is done before the answer comes.
        await observer.ping();
      }
      return over;
    },
    close() {
      for (const { store } of nodes) store.close();
    },
  };
}
