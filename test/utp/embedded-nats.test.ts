import { beforeAll, describe } from 'vitest';
import { startEmbeddedNats } from '../../playground/server/embedded-nats.ts';
import { testNats } from './support/nats-tests.ts';

describe('the embedded NATS server', () => {
  let url = '';
  beforeAll(async () => {
    const server = await startEmbeddedNats();
    url = server.url;
    return () => server.stop();
  });

  testNats(() => url);
});
