/** Three processes behind a load balancer, with Redis and a payment service. All of them are real, and a fault can hit each. */
import { json } from 'node:stream/consumers';
import { createRedisSessionStore, type RedisSessionStore } from '../../../src/redis.ts';
import { listen } from '../../integration/listen.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { type LoadBalancer, startLoadBalancer, type Upstream } from './load-balancer.ts';

/** How long a payment takes. */
const PAYMENT_MS = 50;

/** Short, so that a process that died is replaced soon. */
const LEASE_MS = 300;

export interface Cluster {
  /** The port of the load balancer. */
  readonly port: number;
  readonly store: RedisSessionStore;
  /** The keys that were paid for in a session. */
  paidIn(sessionId: string): readonly string[];
  /** Hits the process that sent something last, or Redis. Resolves when all is up again. */
  hit(fault: ClusterFault): Promise<void>;
  close(): Promise<void>;
}

/**
 * - `kill`: the process dies at once, and is started again
 * - `suspend`: the process stands still until another one may have its sessions, then goes on
 * - `restart-redis`: Redis dies at once, and is started again with what it had confirmed
 */
export type ClusterFault = 'kill' | 'suspend' | 'restart-redis';

interface NodeProcess extends Upstream {
  isUp: boolean;
  port: number;
  process: ServerProcess;
}

/** @param program the bundled program of the processes */
export async function openCluster(program: string): Promise<Cluster> {
  const redis = await startRedisServer();
  const payments = await startPayments();
  const start = async () => {
    const args = [program, redis.url, payments.url, String(LEASE_MS)];
    const process = await startServerProcess(globalThis.process.execPath, args, 'listening on');
    return { process, port: Number(/listening on (\d+)/.exec(process.lines.join('\n'))?.[1]) };
  };
  const nodes: NodeProcess[] = (await Promise.all([start(), start(), start()])).map((node) => ({
    ...node,
    isUp: true,
  }));
  const balancer = await startLoadBalancer(nodes);
  const store = createRedisSessionStore({ client: await redis.connect() });
  return {
    ...{ port: balancer.port, store, paidIn: payments.paidIn },
    async hit(fault) {
      if (fault === 'restart-redis') {
        await redis.crash();
        return redis.restart();
      }
      const node = nodes.find((other) => other === balancer.lastSender());
      if (node?.isUp) await hitNode(node, fault, start);
    },
    close: () => closeAll(nodes, balancer, redis, store, payments.close),
  };
}

async function hitNode(
  node: NodeProcess,
  fault: 'kill' | 'suspend',
  start: () => Promise<Pick<NodeProcess, 'port' | 'process'>>,
): Promise<void> {
  node.isUp = false;
  if (fault === 'kill') {
    await node.process.end('SIGKILL');
    Object.assign(node, await start());
  } else {
    node.process.signal('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, LEASE_MS * 2));
    node.process.signal('SIGCONT');
  }
  node.isUp = true;
}

async function closeAll(
  nodes: readonly NodeProcess[],
  balancer: LoadBalancer,
  redis: RedisServer,
  store: RedisSessionStore,
  closePayments: () => Promise<void>,
): Promise<void> {
  store.close();
  await Promise.all(nodes.map(({ process }) => process.end('SIGKILL')));
  await Promise.all([balancer.close(), closePayments(), redis.stop()]);
}

/** A service that pays once for each key, as payment services do. */
async function startPayments() {
  const paid = new Map<string, Set<string>>();
  const server = await listen(async (request, response) => {
    const { id, key } = (await json(request)) as { id: string; key: string };
    const keys = paid.get(id) ?? new Set();
    paid.set(id, keys.add(key));
    // The money moves before the answer arrives: a process that dies meanwhile has paid, and does not know it.
    setTimeout(() => response.end(`receipt ${key}`), PAYMENT_MS);
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    paidIn: (sessionId: string) => [...(paid.get(sessionId) ?? [])],
    close: server.close,
  };
}
