import { expect, test, vi } from 'vitest';
import { createHttpTransport } from '../../src/transport/create-http-transport.ts';
import { createIO, read, trigger } from './support.ts';

/** A page that was open while a new version of the app took the old files away. */
const { takenAway } = vi.hoisted(() => ({
  takenAway() {
    throw new Error('the server no longer has it');
  },
}));
vi.mock('../../src/transport/http-error.ts', takenAway);
vi.mock('../../src/transport/watch-silence.ts', takenAway);

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

test('a run that the server does not go on with can be asked again where the code that reads errors cannot be loaded', async () => {
  const gone = new Response('gone', { status: 404 });
  const transport = createHttpTransport({ request: async () => gone });
  const resume = { type: 'resume', executionId: 'run', cursor: '1' } as const;
  const attach = transport.attach as NonNullable<typeof transport.attach>;
  const reading = read(attach(resume, createIO()));
  await reading.done;
  expect(reading.ending).toMatchObject({ code: 'not_resumable', retryable: true });
});

test('a response is read on where the code that watches its heartbeats cannot be loaded, and nobody is told', async () => {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);
  process.on('unhandledRejection', onRejection);
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const say = (text: string) => writer.write(new TextEncoder().encode(text));
  const reading = read(
    createHttpTransport({ request: async () => new Response(body.readable) }).start(trigger, createIO()),
  );
  await say('data: {"type":"start"}\n\n: heartbeat\n\n');
  await reading.until(1);
  await import('../../src/transport/watch-silence.ts').catch(() => {});
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onRejection);
  expect(rejections).toEqual([]);
  await say('data: {"type":"finish","finishReason":"stop"}\n\n');
  await writer.close();
  await reading.done;
  expect(reading.types()).toEqual(['start', 'finish']);
});
