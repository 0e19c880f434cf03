/** Heartbeats say how many frames of the client have arrived. A frame that is missing in the count was swallowed on its way. */
import { expect, test } from 'vitest';
import { beginRun, delta, finish, numbered, openSocketTransport, start } from './open-socket-transport.ts';
import { createIO, read, respond, trigger } from './support.ts';

const beat = (received?: unknown) => ({ type: 'heartbeat', received });
const asks = { type: 'client-tool-request', executionId: 'e1', toolCalls: [] };
const asked = { type: 'finish', finishReason: 'client-tool-calls' };

test('a request that is swallowed twice is sent a third time', async () => {
  const { server, clock, transport } = openSocketTransport();
  const reading = read(transport.run(trigger, createIO()));
  await clock.advance(0);
  for (const connections of [2, 3]) {
    await clock.advance(12_000);
    server.socket.say(beat(0));
    await clock.advance(1_000);
    expect(server.sockets).toHaveLength(connections);
    expect(server.socket.sent).toMatchObject([{ type: 'trigger' }]);
  }
  server.socket.say(numbered(1, start), numbered(2, finish));
  await reading.done;
  expect(reading.types()).toEqual(['start', 'finish']);
});

test('a swallowed request is sent again without a reconnect policy, too', async () => {
  const { server, clock, transport } = openSocketTransport({ reconnect: false });
  const reading = read(transport.run(trigger, createIO()));
  await clock.advance(12_000);
  server.socket.say(beat(0));
  await clock.advance(0);
  expect(server.socket.sent).toMatchObject([{ type: 'trigger' }]);
  server.socket.say(numbered(1, start), numbered(2, finish));
  await reading.done;
  expect(server.sockets).toHaveLength(2);
});

test.each([undefined, null, '0', true, {}, -1, 0.5, Number.NaN])(
  'a heartbeat that counts %s ends no connection, and the next one counts',
  async (received) => {
    const { server, clock, transport } = openSocketTransport();
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(20_000);
    // A socket of the app may bring frames that are objects already.
    server.socket.onmessage?.({ data: beat(received) as never });
    await clock.advance(1_000);
    expect(server.sockets).toHaveLength(1);
    server.socket.say(beat(0));
    await clock.advance(1_000);
    expect(server.sockets).toHaveLength(2);
    expect(reading.ending).toBe('open');
  },
);

test('a count that is too high, and one that is lower than before, end no connection', async () => {
  const opened = openSocketTransport();
  const reading = await beginRun(opened);
  for (const received of [1_000_000_000, 1, 0]) {
    await opened.clock.advance(20_000);
    opened.server.socket.say(beat(received));
  }
  opened.server.socket.say(numbered(2, delta('a')));
  await reading.until(2);
  expect(opened.server.sockets).toHaveLength(1);
});

/** The server has missed a stop, and the client has sent answers 2 s before it hears of that. */
async function missStop() {
  const opened = openSocketTransport();
  const { server, clock, transport } = opened;
  const reading = await beginRun(opened);
  await transport.stop?.({ type: 'stop', executionId: 'e1' });
  server.socket.say(numbered(2, asks), numbered(3, asked));
  await reading.done;
  await clock.advance(9_000);
  const answering = read(transport.run({ ...respond, cursor: '3' }, createIO()));
  await clock.advance(2_000);
  return { server, clock, answering };
}

test('answers that are sent again and acknowledged keep their connection', async () => {
  const { server, clock, answering } = await missStop();
  server.socket.say(beat(1));
  await clock.advance(1_000);
  expect(server.socket.sent).toMatchObject([{ type: 'continue' }]);
  server.socket.say(numbered(4, start));
  await answering.until(1);
  await clock.advance(20_000);
  expect(server.sockets.map(({ readyState }) => readyState)).toEqual([3, 1]);
});

test('answers that wait for a connection are sent over one connection', async () => {
  const { server, clock } = await missStop();
  server.refuse = new Error('down');
  server.socket.say(beat(1));
  await clock.advance(9_000);
  server.refuse = undefined;
  await clock.advance(8_000);
  expect(server.sockets.map(({ readyState }) => readyState)).toEqual([3, 1]);
  expect(server.socket.sent).toMatchObject([{ type: 'continue' }]);
});

test.each([
  ['of a server without cursors', {}, start],
  ['that the app does not want resumed', { reconnect: false } as const, numbered(1, start)],
])('a run %s goes on when the server has missed a stop', async (_, settings, first) => {
  const { server, clock, transport } = openSocketTransport(settings);
  await transport.connection?.connect();
  await transport.stop?.({ type: 'stop' });
  const reading = read(transport.run(trigger, createIO()));
  await clock.advance(0);
  server.socket.say(first);
  await reading.until(1);
  await clock.advance(12_000);
  server.socket.say(beat(1));
  await clock.advance(1_000);
  expect(server.sockets).toHaveLength(1);
  expect(reading.ending).toBe('open');
});
