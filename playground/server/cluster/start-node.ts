import { createServer } from 'node:http';
import { createRedisSessionStore } from 'handrail/redis';
import { createClient } from 'redis';
import { createAgentServer } from '../create-agent-server.ts';

/** A node that died is noticed after so long. Short, for people who watch. Milliseconds. */
const LEASE_MS = 3_000;
/** How often a node looks for conversations that nobody goes on with. Milliseconds. */
const RECOVER_EVERY_MS = 30_000;

/**
 * Starts a node: the agent server of the playground, with its conversations in the Redis at `REDIS_URL`. Listens on `PORT`, or on a free
 * port, and says where. `RECEIPT_SECRET` is the same for all nodes; `SHOWS_NODES` is set where the page can kill them.
 *
 * @public `run-node.mjs` calls it by its name, so no import statement shows the use.
 */
export async function startNode(env: NodeJS.ProcessEnv): Promise<void> {
  const client = createClient({ url: env.REDIS_URL ?? 'redis://localhost:6379' });
  client.on('error', (error) => console.error('Redis:', error));
  await client.connect();
  const store = createRedisSessionStore({ client, prefix: 'playground:', leaseMs: LEASE_MS });
  const agents = await createAgentServer(env, store);

  const server = createServer((request, response) => {
    const { url = '/' } = request;
    if (url === '/health') return void response.writeHead(client.isReady ? 200 : 503).end();
    request.url = url.replace(/^\/api/, '');
    agents.handle(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  server.on('upgrade', (request, socket, head) => agents.upgrade(request, socket, head));
  server.listen(Number(env.PORT ?? 0), () => {
    const address = server.address();
    if (address !== null && typeof address !== 'string') console.log(`Listening on port ${address.port}`);
  });
  setInterval(() => {
    agents.recover().catch((error: unknown) => console.error('Recovery:', error));
  }, RECOVER_EVERY_MS);
}
