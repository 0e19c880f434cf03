/** Two nodes that share one Redis, and a proxy in front of them that sends each request to the next node. */
import { randomBytes } from 'node:crypto';
import { findRedisServer } from '../../../.scripts/find-servers.mjs';
import type { MountedServer } from '../agent-server-plugin.ts';
import { sendJson } from '../send-json.ts';
import { createProxy } from './create-proxy.ts';
import { type NodeProcess, startNodeProcess } from './node-process.ts';
import { startRedis } from './start-redis.ts';

/** A node, for the page. */
export interface NodeStatus {
  readonly name: string;
  readonly isUp: boolean;
  /** True if the agent of the conversation works in this node. */
  readonly isRunning: boolean;
}

/** Resolves to undefined where there is no redis-server, after a line that says so. */
export async function createCluster(): Promise<MountedServer | undefined> {
  const program = findRedisServer();
  if (program === undefined) {
    console.log(
      'There is no redis-server on this machine, so the playground starts without its cluster. Install it (Debian: "apt-get install redis-server", macOS: "brew install redis").',
    );
    return undefined;
  }
  const redis = await startRedis(program);
  // Receipts of one node must be valid at the other one.
  const receiptSecret = randomBytes(32).toString('hex');
  const env = { REDIS_URL: redis.url, RECEIPT_SECRET: receiptSecret, SHOWS_NODES: 'yes' };
  const nodes = await Promise.all(['node-1', 'node-2'].map((name) => startNodeProcess(name, env)));
  const proxy = createProxy(() => nodes.flatMap((node) => node.port() ?? []));

  return {
    async handle(request, response) {
      const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === '/cluster' && request.method === 'POST') {
        nodes.find(({ name }) => name === searchParams.get('kill'))?.kill();
        return sendJson(response, 200, {});
      }
      if (pathname === '/cluster') {
        return sendJson(response, 200, await Promise.all(nodes.map((node) => readStatus(node, search))));
      }
      if (pathname !== '/cut') return proxy.handle(request, response);
      // The connection may be at any node.
      await Promise.all(nodes.map((node) => askNode(node, `/cut${search}`, { method: 'POST' })));
      return sendJson(response, 200, { cut: true });
    },
    upgrade: proxy.upgrade,
    async close() {
      for (const node of nodes) node.close();
      await redis.close();
    },
  };
}

async function readStatus(node: NodeProcess, search: string): Promise<NodeStatus> {
  const answer = await askNode(node, `/runs${search}`);
  const { isRunning = false } = ((await answer?.json()) ?? {}) as { isRunning?: boolean };
  return { name: node.name, isUp: answer !== undefined, isRunning };
}

/** Resolves to undefined if the node does not answer. */
async function askNode(node: NodeProcess, path: string, init?: RequestInit): Promise<Response | undefined> {
  const port = node.port();
  if (port === undefined) return undefined;
  return fetch(`http://127.0.0.1:${port}/api${path}`, init).catch(() => undefined);
}
