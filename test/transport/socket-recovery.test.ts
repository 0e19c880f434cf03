import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import {
  beginRun,
  delta,
  finish,
  numbered,
  openSocketTransport,
  resume,
  start,
} from './open-socket-transport.ts';
import { createIO, read, respond, trigger } from './support.ts';

describe('a lost connection', () => {
  test('a lost connection without a cursor is a retryable connection_lost, and the transport reconnects', async () => {
    let closes = 0;
    const { server, transport, clock, states } = openSocketTransport({ onClose: () => closes++ });
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(start, delta('a'));
    await reading.until(2);
    server.socket.drop();
    await reading.done;
    expect(reading.ending).toMatchObject({ code: 'connection_lost', retryable: true });
    await clock.advance(500);
    expect(states).toEqual(['disconnected', 'connecting', 'connected', 'reconnecting', 'connected']);
    expect(closes).toBe(1);
  });

  test('a lost connection with a cursor resumes the run and filters repeats', async () => {
    const { server, transport, clock } = openSocketTransport();
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(numbered(1, start), numbered(2, delta('a')));
    await reading.until(2);
    server.socket.drop();
    await clock.advance(500);
    expect(server.socket.sent).toEqual([resume('2')]);
    server.socket.say(
      numbered(1, start),
      numbered(2, delta('a')),
      numbered(3, delta('b')),
      numbered(4, finish),
    );
    await reading.done;
    expect(reading.events.map(({ cursor }) => cursor)).toEqual(['1', '2', '3', '4']);
  });

  test.each(['onClose', 'a listener'])('%s that calls connect() joins the running attempt', async (who) => {
    const connect = () => void connection.connect();
    const { server, clock, connection, states } = openSocketTransport(
      who === 'onClose' ? { onClose: connect } : {},
    );
    if (who === 'a listener') connection.subscribe(({ state }) => state === 'reconnecting' && connect());
    await connection.connect();
    server.socket.drop();
    await clock.advance(500);
    expect(server.sockets.map(({ readyState }) => readyState)).toEqual([3, 1]);
    expect(states).toEqual(['disconnected', 'connecting', 'connected', 'reconnecting', 'connected']);
  });

  test.each([false, undefined] as const)(
    'a socket transport with reconnect %s may connect again from onClose, also after disconnect()',
    async (reconnect) => {
      const connect = () => void connection.connect();
      const { server, connection, states } = openSocketTransport({
        ...(reconnect === false && { reconnect }),
        onClose: () => server.connects < 2 && connect(),
      });
      await connection.connect();
      if (reconnect === false) server.socket.drop();
      else connection.disconnect();
      await connection.connect();
      expect(server.connects).toBe(2);
      expect(states.slice(3)).toEqual(['disconnected', 'connecting', 'connected']);
    },
  );

  test('reconnect delays double up to the cap, and a connection without frames counts as a failed attempt', async () => {
    const opened = openSocketTransport({
      reconnect: { initialDelayMs: 100, maxDelayMs: 300 },
    });
    const { server, clock, states } = opened;
    const reading = await beginRun(opened);
    server.refuse = new Error('down');
    server.socket.drop();
    for (const [delay, connects] of [
      [99, 1],
      [1, 2],
      [199, 2],
      [1, 3],
      [299, 3],
    ] as const) {
      await clock.advance(delay);
      expect(server.connects).toBe(connects);
    }
    server.refuse = undefined;
    await clock.advance(1);
    expect(server.connects).toBe(4);
    server.socket.drop();
    await clock.advance(299);
    expect(server.connects).toBe(4);
    await clock.advance(1);
    expect(server.connects).toBe(5);
    await clock.advance(300);
    server.socket.say(numbered(2, finish));
    await reading.done;
    expect(reading.types()).toEqual(['start', 'finish']);
    server.socket.drop();
    await clock.advance(100);
    expect(server.connects).toBe(6);
    expect(new Set(states)).toEqual(new Set(['disconnected', 'connecting', 'connected', 'reconnecting']));
  });

  test('a connection that was open for a while does not count as a failed attempt', async () => {
    const { server, clock, connection, states } = openSocketTransport({ reconnect: { maxAttempts: 1 } });
    await connection.connect();
    for (let outage = 1; outage <= 3; outage += 1) {
      await clock.advance(5_000);
      server.socket.drop();
      await clock.advance(500);
    }
    expect([server.connects, connection.getStatus().state]).toEqual([4, 'connected']);
    await clock.advance(4_999);
    server.socket.drop();
    expect(states.at(-1)).toBe('error');
  });

  test('a reconnect leaves no listener on the old socket', async () => {
    const listened = vi.spyOn(AbortSignal.prototype, 'addEventListener');
    const { server, clock, connection } = openSocketTransport();
    await connection.connect();
    for (let outage = 1; outage <= 3; outage += 1) {
      server.socket.drop();
      await clock.advance(30_000);
    }
    expect([server.connects, connection.getStatus().state]).toEqual([4, 'connected']);
    const signals = new Set(listened.mock.contexts as AbortSignal[]);
    expect(signals.size).toBeGreaterThan(0);
    expect([...signals].flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
  });

  test('the last failed reconnect sets the state error and ends the run with connection_lost', async () => {
    const opened = openSocketTransport({ reconnect: { maxAttempts: 2 } });
    const { server, clock, connection } = opened;
    const reading = await beginRun(opened);
    server.refuse = new Error('down');
    server.socket.drop();
    await clock.advance(10_000);
    await reading.done;
    expect(server.connects).toBe(3);
    expect(connection.getStatus()).toMatchObject({ state: 'error', error: { message: 'down' } });
    expect(reading.ending).toMatchObject({ code: 'connection_lost', retryable: true });
    expect(clock.waiting).toBe(0);
  });

  test('a lost connection with reconnect false stays closed until the next request', async () => {
    const { server, transport, clock, states } = openSocketTransport({ reconnect: false });
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(numbered(1, start));
    server.socket.drop();
    await reading.done;
    expect(reading.ending).toMatchObject({ code: 'connection_lost' });
    expect(states.at(-1)).toBe('disconnected');
    const next = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(start, finish);
    await next.done;
    expect(next.types()).toEqual(['start', 'finish']);
  });

  test('answers whose frame was lost are sent again', async () => {
    const { server, transport, clock } = openSocketTransport();
    const reading = read(transport.run({ ...respond, cursor: '4' }, createIO()));
    await clock.advance(0);
    const [sent] = server.socket.sent;
    server.socket.drop();
    await clock.advance(500);
    expect(server.socket.sent).toEqual([resume('4')]);
    server.socket.say({ type: 'finish', finishReason: 'client-tool-calls', executionId: 'e1' });
    await clock.advance(0);
    expect(server.socket.sent).toEqual([resume('4'), sent]);
    server.socket.say(numbered(5, start), numbered(6, finish));
    await reading.done;
    expect(reading.types()).toEqual(['start', 'finish']);
  });

  test('a run that is stopped while disconnected is stopped over the next connection', async () => {
    const opened = openSocketTransport();
    const { server, transport, clock } = opened;
    const io = createIO();
    const reading = await beginRun(opened, io);
    server.socket.drop();
    io.abort();
    const stopped = transport.stop?.({ type: 'stop', executionId: 'e1' });
    await clock.advance(500);
    await stopped;
    expect(server.socket.sent).toEqual([{ type: 'stop', executionId: 'e1' }]);
    expect(reading.ending).toBe('returned');
  });

  test.each([
    ['while the connection is open', 0, 1],
    ['while the next attempt waits', 499, 1],
    ['while the next attempt is made', 500, 2],
  ])('disconnect() ends the connection and the run: %s', async (_name, outageMs, connects) => {
    const opened = openSocketTransport();
    const { server, clock, connection, states } = opened;
    const reading = await beginRun(opened);
    if (outageMs > 0) server.socket.drop();
    server.connect = () => {
      server.connects++;
      return new Promise(() => {});
    };
    await clock.advance(outageMs);
    connection.disconnect();
    await clock.advance(60_000);
    await reading.done;
    expect(server.socket.readyState).toBe(3);
    expect(server.connects).toBe(connects);
    expect(reading.ending).toMatchObject({ code: 'connection_lost' });
    expect(states.at(-1)).toBe('disconnected');
    expect(clock.waiting).toBe(0);
  });

  test('disconnect() ends a resumable run at once, also when connect() follows immediately', async () => {
    const opened = openSocketTransport();
    const { server, clock, connection } = opened;
    const reading = await beginRun(opened);
    connection.disconnect();
    await connection.connect();
    await clock.advance(500);
    expect(reading.ending).toMatchObject({
      code: 'connection_lost',
      message: expect.stringContaining('disconnect()'),
    });
    expect(server.socket.sent).toEqual([]);
  });

  test('a socket that is closing when a request is made is replaced, and its last frames are ignored', async () => {
    const { server, transport, clock, connection } = openSocketTransport();
    await connection.connect();
    const [closing] = server.sockets;
    if (closing === undefined) throw new Error('nobody has connected');
    closing.readyState = 2;
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(500);
    closing.drop();
    server.socket.say(start, finish);
    await reading.done;
    expect(reading).toMatchObject({ events: [start, finish], ending: 'returned' });
    expect([closing.sent, server.connects]).toEqual([[], 2]);
  });
});

describe('heartbeats', () => {
  test('silence after the first heartbeat ends the connection', async () => {
    const { server, clock, connection } = openSocketTransport();
    await connection.connect();
    server.socket.say({ type: 'heartbeat' });
    await clock.advance(20_000);
    server.socket.say({ type: 'heartbeat' });
    await clock.advance(34_999);
    expect(connection.getStatus().state).toBe('connected');
    const [first] = server.sockets;
    await clock.advance(1);
    expect(connection.getStatus()).toMatchObject({
      state: 'reconnecting',
      error: { code: 'connection_lost', message: expect.stringContaining('nothing was received for 35 s') },
    });
    expect(first?.closed).toBe(true);
    await clock.advance(500);
    expect(server.connects).toBe(2);
  });

  test('a closed connection has no heartbeat timer, after any number of connections', async () => {
    const { server, clock, connection } = openSocketTransport();
    await connection.connect();
    server.socket.say({ type: 'heartbeat' }, { type: 'heartbeat' });
    connection.disconnect();
    expect(clock.waiting).toBe(0);
  });

  test.each([
    ['a server that sends no heartbeats', {}, { type: 'presence' }],
    ['a transport with heartbeat false', { heartbeat: false } as const, { type: 'heartbeat' }],
  ])('silence does not end the connection of %s', async (_name, settings, frame) => {
    const { server, clock, connection } = openSocketTransport(settings);
    await connection.connect();
    server.socket.say(frame);
    await clock.advance(10 * 60_000);
    expect(connection.getStatus().state).toBe('connected');
    expect(server.connects).toBe(1);
    expect(server.socket.sent).toEqual([]);
  });
});
