import { beforeAll, describe } from 'vitest';
import { startNatsServer } from '../../support/nats-server.ts';
import { testNats } from './support/nats-tests.ts';

describe('nats-server, which the embedded server stands in for', () => {
  let url = '';
  beforeAll(async () => {
    const server = await startNatsServer();
    url = server.url;
    return () => server.stop();
  });

  testNats(() => url);
});
