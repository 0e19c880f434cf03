import { expect, test, vi } from 'vitest';
import { createHttpTransport } from '../../src/transport/create-http-transport.ts';
import { createIO, read, trigger } from './support.ts';

/** A page that was open while a new version of the app took the old files away. */
vi.mock('../../src/transport/http-error.ts', () => {
  throw new Error('the server no longer has it');
});

test.each([
  [404, false],
  [500, true],
])(
  '%i is told by its number where the code that reads errors cannot be loaded',
  async (status, retryable) => {
    const transport = createHttpTransport({ request: async () => new Response('no', { status }) });
    const reading = read(transport.start(trigger, createIO()));
    await reading.done;
    expect(reading.ending).toMatchObject({
      code: 'http_error',
      message: `Request failed: ${status}`,
      status,
      retryable,
    });
  },
);
