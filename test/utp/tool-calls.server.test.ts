import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type NatsServer, startNatsServer } from './support/nats-server.ts';
import { type Bench, openBench } from './support/open-bench.ts';

let server: NatsServer;
let bench: Bench;
beforeAll(async () => {
  server = await startNatsServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  bench = await openBench(server.url);
});
afterEach(() => bench.end());

test('a function gets the arguments of the card, and its result goes back into the loop of the agent', async () => {
  await bench.start({ tools: { add: ({ a, b }) => ({ sum: Number(a) + Number(b) }) } });
  const [sent] = await bench.worker.call({ toolName: 'add', args: { a: 2, b: 3 } });
  await bench.until(() => expect(bench.worker.status).toBe('running'));
  expect(bench.worker.applied).toMatchObject([
    { toolCallId: sent?.toolCallId, status: 'success', content: { result: { sum: 5 }, error: null } },
  ]);
});
