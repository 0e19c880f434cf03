/** Several processes of one server, as far as their sessions can tell: each has a store, a connection and runs of its own. */

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
  /** The token of the lease of the session, or undefined without a lease. */
  readToken(): Promise<number | undefined>;
  close(): void;
}

export async function openNodes(server: RedisServer, leaseMs = 300): Promise<Nodes> {
  const id = createId();
  const prefix = `${id}:`;
  const openNode = async (): Promise<Node> => {
    const client = await server.connect();
    const store = createRedisSessionStore({ client, prefix, leaseMs });
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
  const nodes = [await openNode(), await openNode(), await openNode()] as const;
  return {
    ...{ id, nodes },
    async readToken() {
      const lease = await observer.get(`${prefix}lease:${id}`);
      return lease === null ? undefined : Number.parseInt(lease, 10);
    },
    close() {
      for (const { store } of nodes) store.close();
    },
  };
}
