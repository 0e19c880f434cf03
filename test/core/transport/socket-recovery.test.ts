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
  test('fails a run without a cursor with a retryable connection_lost, and reconnects', async () => {
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

  test('resumes a run with a cursor, and drops repeated events', async () => {
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

  test.each(['onClose', 'a listener'])('connect() from %s joins the attempt under way', async (who) => {
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
    'with reconnect %s, onClose may connect again, also after disconnect()',
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

  test('doubles the wait up to the cap, and counts a connection without a frame as failed', async () => {
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

  test('does not count a connection that stood for a while as failed', async () => {
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

  test('leaves no listener behind that would retain the socket after a reconnect', async () => {
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

  test('fails the run with connection_lost, in state error, when it is out of attempts', async () => {
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

  test('with reconnect: false, connects again only with the next request', async () => {
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

  test('sends answers again whose frame was lost', async () => {
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

  test('connects and sends answers again when nothing acknowledges them within 10 s, despite heartbeats', async () => {
    const { server, transport, clock, connection } = openSocketTransport();
    const reading = read(transport.run({ ...respond, cursor: '4' }, createIO()));
    await clock.advance(0);
    const [sent] = server.socket.sent;
    await clock.advance(9_999);
    server.socket.say({ type: 'heartbeat' });
    expect(connection.getStatus().state).toBe('connected');
    await clock.advance(1);
    expect(connection.getStatus()).toMatchObject({
      state: 'reconnecting',
      error: { code: 'connection_lost', message: expect.stringContaining('answers were not acknowledged') },
    });
    await clock.advance(500);
    expect(server.socket.sent).toEqual([resume('4')]);
    server.socket.say({ type: 'finish', finishReason: 'client-tool-calls', executionId: 'e1' });
    await clock.advance(0);
    expect(server.socket.sent).toEqual([resume('4'), sent]);
    server.socket.say(numbered(5, start));
    await clock.advance(20_000);
    server.socket.say(numbered(6, finish));
    await reading.done;
    expect([reading.types(), server.connects]).toEqual([['start', 'finish'], 2]);
  });

  test('gives up answers that never arrive however often they are sent', async () => {
    const { server, transport, clock } = openSocketTransport();
    const reading = read(transport.run({ ...respond, cursor: '4' }, createIO()));
    await clock.advance(0);
    for (let attempt = 0; reading.ending === 'open' && attempt < 20; attempt += 1) {
      await clock.advance(10_500);
      server.socket.say({ type: 'finish', finishReason: 'client-tool-calls', executionId: 'e1' });
      await clock.advance(0);
    }
    expect(reading.ending).toMatchObject({ code: 'connection_lost', retryable: true });
    const sent = server.sockets.flatMap((socket) => socket.sent);
    expect(sent.filter((frame) => (frame as { type: string }).type === 'continue')).toHaveLength(6);
  });

  test.each([
    ['that have no cursor, because only a server with cursors acknowledges them', undefined, 34_000, 'open'],
    ['whose turn was stopped', '4', 60_000, 'returned'],
  ])('does not wait for the acknowledgement of answers %s', async (_name, cursor, ms, ending) => {
    const { server, transport, clock } = openSocketTransport();
    const io = createIO();
    const reading = read(transport.run({ ...respond, cursor }, io));
    await clock.advance(0);
    if (ending === 'returned') io.abort();
    await clock.advance(ms);
    expect([server.connects, reading.ending]).toEqual([1, ending]);
  });

  test('sends the stop of a run over the next connection when it is reconnecting', async () => {
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
    ['while it is connected', 0, 1],
    ['while it waits for the next attempt', 499, 1],
    ['while it makes the next attempt', 500, 2],
  ])('disconnect closes the connection for good and ends the run %s', async (_name, outageMs, connects) => {
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

  test('disconnect ends a run that could be resumed, also when the app connects again at once', async () => {
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

  test('ignores the last events of a socket that closes while a request is made', async () => {
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
  test('reconnects when the server is silent after its first heartbeat', async () => {
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

  test('reconnects when nothing is received after a request', async () => {
    const { server, transport, clock, connection } = openSocketTransport();
    await connection.connect();
    await clock.advance(60_000);
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(34_999);
    expect([reading.ending, server.connects]).toEqual(['open', 1]);
    await clock.advance(1);
    await reading.done;
    expect(reading.ending).toMatchObject({ code: 'connection_lost', retryable: true });
    expect(connection.getStatus().state).toBe('reconnecting');
  });

  test('resumes a run whose server falls silent before its first heartbeat', async () => {
    const opened = openSocketTransport();
    const { server, clock } = opened;
    const reading = await beginRun(opened);
    await clock.advance(20_000);
    server.socket.say(numbered(2, delta('a')));
    await clock.advance(34_999);
    expect(server.connects).toBe(1);
    await clock.advance(501);
    expect(server.socket.sent).toEqual([resume('2')]);
    server.socket.say(numbered(3, finish));
    await reading.done;
    expect(reading.types()).toEqual(['start', 'text-delta', 'finish']);
  });

  test('watches the next connection of a server that sends heartbeats from its first moment', async () => {
    const { server, clock, connection } = openSocketTransport();
    await connection.connect();
    server.socket.say({ type: 'heartbeat' });
    server.socket.drop();
    await clock.advance(500);
    expect(connection.getStatus().state).toBe('connected');
    await clock.advance(35_000);
    expect(connection.getStatus().state).toBe('reconnecting');
  });

  test.each([
    ['a run of a server that numbers no frames, after a frame', [start]],
    ['a connection after its run has ended', [numbered(1, start), numbered(2, finish)]],
  ])('stays connected in a silence without heartbeats: %s', async (_name, frames) => {
    const { server, transport, clock } = openSocketTransport();
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(...frames);
    await reading.until(frames.length);
    await clock.advance(10 * 60_000);
    expect([server.connects, server.socket.closed]).toEqual([1, false]);
    expect(reading.ending).toBe(frames.length === 1 ? 'open' : 'returned');
  });

  test('measures the silence after a request from the request', async () => {
    const { server, transport, clock } = openSocketTransport();
    const first = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(numbered(1, start), numbered(2, finish));
    await first.done;
    await clock.advance(34_000);
    const second = read(transport.run(trigger, createIO()));
    await clock.advance(34_999);
    expect([second.ending, server.connects]).toEqual(['open', 1]);
    server.socket.say(numbered(1, start, 'e2'), numbered(2, finish, 'e2'));
    await second.done;
    expect(second.ending).toBe('returned');
  });

  test('watches a connection no longer after it is closed, however many heartbeats there were', async () => {
    const { server, clock, connection } = openSocketTransport();
    await connection.connect();
    server.socket.say({ type: 'heartbeat' }, { type: 'heartbeat' });
    connection.disconnect();
    expect(clock.waiting).toBe(0);
  });

  test.each([
    ['the server sends no heartbeats', {}, { type: 'presence' }],
    ['heartbeat is false', { heartbeat: false } as const, { type: 'heartbeat' }],
  ])('stays connected to a silent server: %s', async (_name, settings, frame) => {
    const { server, clock, connection } = openSocketTransport(settings);
    await connection.connect();
    server.socket.say(frame);
    await clock.advance(10 * 60_000);
    expect(connection.getStatus().state).toBe('connected');
    expect(server.connects).toBe(1);
    expect(server.socket.sent).toEqual([]);
  });
});
