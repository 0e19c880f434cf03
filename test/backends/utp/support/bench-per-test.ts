import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type NatsServer, startNatsServer } from '../../../support/nats-server.ts';
import { type Bench, openBench } from './open-bench.ts';

/**
 * Opens a bench before each test of a file, over one NATS server, and closes it after the test. No wakeup may break a rule.
 *
 * @param onOpen called with the bench and the address of the server
 */
export function benchPerTest(onOpen: (bench: Bench, url: string) => void): void {
  let server: NatsServer;
  let bench: Bench;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    bench = await openBench(server.url);
    onOpen(bench, server.url);
  });
  afterEach(async () => {
    expect(bench.worker.violations).toEqual([]);
    await bench.end();
  });
}
