/** One process of the cluster. Arguments: the address of Redis, that of the payment service, the duration of a lease. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from 'redis';
import { createRedisSessionStore } from '../../../src/redis.ts';
import { createAgentSession, createNodeHandler } from '../../../src/server.ts';
import { agent, createTools } from './conversation.ts';

const [redisUrl = '', paymentUrl = '', leaseMs = ''] = process.argv.slice(2);

const client = createClient({ url: redisUrl, socket: { reconnectStrategy: () => 20 } });
client.on('error', () => {
  // Redis is restarted by the fault run.
});
await client.connect();
const store = createRedisSessionStore({ client, leaseMs: Number(leaseMs) });

const openSession = (id: string) =>
  createAgentSession({
    ...{ id, agent, store },
    tools: createTools(async (order, key) => {
      const response = await fetch(paymentUrl, { method: 'POST', body: JSON.stringify({ id, order, key }) });
      return response.text();
    }),
  });

const server = createServer(
  createNodeHandler((id) => (id === undefined ? undefined : openSession(id)), {
    principal: () => ({ id: 'ada' }),
  }),
);
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on ${(server.address() as AddressInfo).port}`);
});

const recover = () => {
  setTimeout(
    () =>
      store
        .recover(openSession)
        .catch(() => {})
        .finally(recover),
    Number(leaseMs),
  );
};
recover();
