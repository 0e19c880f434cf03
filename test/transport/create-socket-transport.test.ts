import { getEventListeners, once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { AgentChatError } from '../../src/shared/errors.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import {
  createSocketTransport,
  type SocketTransportSettings,
} from '../../src/transport/create-socket-transport.ts';
import { createDeferred } from '../support/deferred.ts';
import { createFakeServer, FakeSocket } from './fake-socket.ts';
import { collect, createIO, read, respond, trigger } from './support.ts';

const start = { type: 'start', executionId: 'e1' };
const finish = { type: 'finish', finishReason: 'stop' };
const delta = (text: string, id = 't') => ({ type: 'text-delta', id, delta: text });
const numbered = (seq: number, event: object, executionId = 'e1') => ({ ...event, seq, executionId });
const resume = (cursor: string) => ({ type: 'resume', executionId: 'e1', cursor });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function open(settings: SocketTransportSettings = {}) {
  const server = createFakeServer();
  const clock = createManualClock();
  const transport = createSocketTransport({
    connect: () => server.connect(),
    clock,
    random: () => 1,
    ...settings,
  });
  const states: string[] = [];
  transport.connection?.subscribe(({ state }) => states.push(state));
  const { connection } = transport;
  if (connection === undefined) throw new Error('a socket transport has a connection');
  return { server, clock, transport, connection, states };
}

describe('through the ws package', () => {
  let close = async () => {};
  afterEach(() => close());

  async function serve(onFrame: (frame: unknown, socket: WebSocket, connection: number) => void) {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    let connections = 0;
    server.on('connection', (socket) => {
      const connection = ++connections;
      socket.on('message', (data) => onFrame(JSON.parse(String(data)), socket, connection));
    });
    close = async () => {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    };
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('one frame per payload and event; the socket serves one run after the other', async () => {
    const frames: unknown[] = [];
    const url = await serve((frame, socket) => {
      frames.push(frame);
      for (const event of [start, delta('hi'), finish]) socket.send(JSON.stringify(event));
    });
    const transport = createSocketTransport({ connect: () => new WebSocket(url) });
    for (let run = 0; run < 2; run++) {
      expect(await collect(transport.start(trigger, createIO()))).toEqual([start, delta('hi'), finish]);
    }
    expect(frames).toEqual([trigger, trigger]);
    transport.connection?.disconnect();
  });

  test('O-37: a connection that breaks in the middle of a run is made again and the run read on', async () => {
    const frames: unknown[] = [];
    const url = await serve((frame, socket, connection) => {
      frames.push(frame);
      const send = (seq: number, event: object) => socket.send(JSON.stringify(numbered(seq, event)));
      if (connection === 1) {
        send(1, start);
        socket.send(JSON.stringify(numbered(2, delta('a'))), () => socket.terminate());
      } else {
        send(2, delta('a'));
        send(3, delta('b'));
        send(4, finish);
      }
    });
    const transport = createSocketTransport({
      connect: async () => new WebSocket(url),
      reconnect: { initialDelayMs: 0 },
    });
    const events = await collect(transport.start(trigger, createIO()));
    expect(events.map(({ cursor }) => cursor)).toEqual(['1', '2', '3', '4']);
    expect(frames).toEqual([trigger, resume('2')]);
    transport.connection?.disconnect();
  });

  test('a server that sends garbage is a connection lost, also on a socket that was open before', async () => {
    const url = await serve((_frame, socket) => {
      // No frame has all of these bits.
      if ('_socket' in socket) (socket._socket as Socket).write(new Uint8Array([0xff, 0xff]));
    });
    const connect = async () => {
      const socket = new WebSocket(url);
      await once(socket, 'open');
      return socket;
    };
    const transport = createSocketTransport({ connect, reconnect: false });
    await expect(collect(transport.start(trigger, createIO()))).rejects.toMatchObject({
      code: 'connection_lost',
    });
    expect(transport.connection?.getStatus().state).toBe('disconnected');
  });

  test('a server that is not there', async () => {
    const url = await serve(() => {});
    await close();
    close = async () => {};
    const transport = createSocketTransport({ connect: () => new WebSocket(url) });
    await expect(transport.connection?.connect()).rejects.toMatchObject({ code: 'connection_failed' });
    expect(transport.connection?.getStatus().state).toBe('error');
  });
});

describe('connecting', () => {
  test('happens with the first request, once', async () => {
    const { server, transport, states, clock } = open();
    expect(server.connects).toBe(0);
    const reading = read(transport.start(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(start, finish);
    await reading.done;
    expect(server.connects).toBe(1);
    expect(states).toEqual(['disconnected', 'connecting', 'connected']);
  });

  test('ahead of it, shared by everybody who asks', async () => {
    const { server, connection, states } = open();
    await Promise.all([connection.connect(), connection.connect()]);
    await connection.connect();
    expect(server.connects).toBe(1);
    expect(states).toEqual(['disconnected', 'connecting', 'connected']);
  });

  test.each([
    ['an Error', new Error('no route'), 'no route'],
    ['an Error that says nothing', new Error(''), 'Connection failed'],
    ['anything else', 'nope', 'Connection failed'],
  ])(
    'refused with %s: connection_failed, state error, and the next attempt is free',
    async (_name, refusal, message) => {
      const { server, connection, transport } = open();
      server.refuse = refusal;
      await expect(connection.connect()).rejects.toMatchObject({
        code: 'connection_failed',
        message,
        retryable: true,
      });
      expect(connection.getStatus()).toMatchObject({ state: 'error', error: { message } });
      await expect(collect(transport.start(trigger, createIO()))).rejects.toMatchObject({
        code: 'connection_failed',
      });
      server.refuse = undefined;
      await connection.connect();
      expect(connection.getStatus()).toEqual({ state: 'connected' });
    },
  );

  test('what an app throws about itself stays what it is', async () => {
    const { server, connection } = open();
    server.refuse = new AgentChatError({ code: 'http_error', message: 'sign in', status: 401 });
    await expect(connection.connect()).rejects.toBe(server.refuse);
  });

  test('disconnect ends an attempt that hangs; the next one is not mistaken for it', async () => {
    const { server, clock, connection } = open();
    server.connect = () => {
      server.connects++;
      return new Promise(() => {});
    };
    const connecting = connection.connect();
    connection.disconnect();
    const again = connection.connect();
    await expect(connecting).rejects.toMatchObject({ code: 'connection_failed' });
    const joined = connection.connect();
    connection.disconnect();
    await expect(again).rejects.toMatchObject({ code: 'connection_failed' });
    await expect(joined).rejects.toMatchObject({ code: 'connection_failed' });
    expect([server.connects, connection.getStatus()]).toEqual([2, { state: 'disconnected' }]);
    expect(clock.waiting).toBe(0);
  });

  test.each([0, 1, 2, 3, 4])('disconnect about when the socket opens: %i turns later', async (turns) => {
    const socket = new FakeSocket();
    socket.readyState = 0;
    const { connection } = createSocketTransport({ connect: () => socket, clock: createManualClock() });
    const settled = Promise.allSettled([connection?.connect()]);
    await Promise.resolve();
    socket.open();
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    connection?.disconnect();
    await settled;
    expect([socket.closed, connection?.getStatus()]).toEqual([true, { state: 'disconnected' }]);
  });

  test('an attempt nobody answers has failed after 20 s, and what comes of it later is closed', async () => {
    const clock = createManualClock();
    const [asked, late] = [new FakeSocket(), new FakeSocket()];
    const found = createDeferred<FakeSocket>();
    const attempts = [() => asked, () => found.promise];
    const connect = () => attempts.shift()?.() ?? late;
    const { connection } = createSocketTransport({ connect, clock });
    asked.readyState = 0;
    for (const _ of ['a handshake without an end', 'a function without an end']) {
      const rejected = expect(connection?.connect()).rejects.toMatchObject({
        code: 'connection_failed',
        message: expect.stringContaining('20 s'),
        retryable: true,
      });
      await clock.advance(19_999);
      expect(connection?.getStatus().state).toBe('connecting');
      await clock.advance(1);
      await rejected;
      expect(connection?.getStatus().state).toBe('error');
    }
    found.resolve(late);
    await clock.advance(0);
    expect([asked.closed, late.closed, clock.waiting]).toEqual([true, true, 0]);
  });

  test('a turn that is stopped does not wait for it and sends nothing later', async () => {
    const { server, transport, clock } = open();
    const io = createIO();
    const reading = read(transport.start(trigger, io));
    io.abort();
    await transport.stop?.({ type: 'stop' });
    await reading.done;
    await clock.advance(0);
    expect(reading.ending).toBe('returned');
    expect(server.socket.sent).toEqual([]);
    const next = read(transport.start(trigger, createIO()));
    await clock.advance(0);
    server.socket.say({ type: 'error', errorType: 'validation_error', message: 'no' });
    await next.done;
    expect(next.types()).toEqual(['error']);
  });

  test('a stop without a connection is sent to nobody', async () => {
    const { server, transport } = open();
    await transport.stop?.({ type: 'stop', executionId: 'e1' });
    expect(server.connects).toBe(0);
  });

  test('a socket that takes no request is a connection lost', async () => {
    const { server, transport, clock, connection } = open();
    await connection.connect();
    server.socket.send = () => {
      throw new Error('still buffering');
    };
    const reading = read(transport.start(trigger, createIO()));
    await clock.advance(0);
    await reading.done;
    expect(reading.ending).toMatchObject({ code: 'connection_lost', retryable: true });
  });

  test.each([
    ['nothing', undefined, 'url'],
    ['neither', {}, 'url'],
    ['both', { url: 'ws://x', connect: () => {} }, 'both'],
    ['a connect that is no function', { connect: 'ws://x' }, 'connect'],
  ])('misuse: %s', (_name, options, hint) => {
    expect(() => createSocketTransport(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(hint) }),
    );
  });
});

describe('what cannot connect rejects with connection_failed and says what to do', () => {
  test.each([
    ['nothing', undefined],
    ['no socket', {}],
  ])('connect that gives %s', async (_name, given) => {
    const transport = createSocketTransport({ connect: () => given as never });
    await expect(transport.connection?.connect()).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('`connect` must return a socket'),
    });
    expect(transport.connection?.getStatus().state).toBe('error');
  });

  test('a place without WebSocket', async () => {
    vi.stubGlobal('WebSocket', undefined);
    const transport = createSocketTransport({ url: 'ws://x' });
    await expect(transport.connection?.connect()).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('There is no WebSocket here'),
    });
  });
});

test('a url is asked for before each attempt, and goes to the socket with the protocols', async () => {
  const made: unknown[] = [];
  const sockets: FakeSocket[] = [];
  class StubSocket extends FakeSocket {
    constructor(...given: unknown[]) {
      super();
      made.push(given);
      sockets.push(this);
    }
  }
  vi.stubGlobal('WebSocket', StubSocket);
  const clock = createManualClock();
  const url = async () => `wss://agent/?token=${made.length + 1}`;
  const transport = createSocketTransport({ url, protocols: ['agent'], clock });
  await transport.connection?.connect();
  sockets[0]?.drop();
  await clock.advance(500);
  expect(made).toEqual([
    ['wss://agent/?token=1', ['agent']],
    ['wss://agent/?token=2', ['agent']],
  ]);
});

test('callbacks and listeners that throw are reported, and neither lose a frame nor the connection', async () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const fail = () => {
    throw new Error('a bug of the app');
  };
  const { server, transport, clock, connection, states } = open({ onMessage: fail, onClose: fail });
  connection.subscribe(({ state }) => state === 'disconnected' || fail());
  const reading = read(transport.start(trigger, createIO()));
  await clock.advance(0);
  server.socket.say(start, finish);
  await reading.done;
  expect(reading.events).toEqual([start, finish]);
  server.socket.drop();
  await clock.advance(500);
  expect(states).toEqual(['disconnected', 'connecting', 'connected', 'reconnecting', 'connected']);
  expect(reported).toHaveBeenCalledTimes(7);
});

describe('frames', () => {
  test('onMessage sees all that parse; the run gets events, and is told of the rest', async () => {
    const messages: unknown[] = [];
    const { server, transport, clock } = open({ onMessage: (data) => messages.push(data) });
    const io = createIO();
    const reading = read(transport.start(trigger, io));
    await clock.advance(0);
    const own = { type: 'presence', users: 3 };
    server.socket.say(start, own, '{"broken', { type: 'heartbeat' }, finish, own);
    await reading.done;
    expect(messages).toEqual([start, own, { type: 'heartbeat' }, finish, own]);
    expect(reading.events).toEqual([start, finish]);
    expect(io.unknown).toEqual([own, '{"broken']);
  });

  test('a run that another request takes the socket from is told so, and may be asked for again', async () => {
    const { server, transport, clock } = open();
    const first = read(transport.start(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(start, delta('a'));
    const second = read(transport.start(trigger, createIO()));
    await first.done;
    expect(first).toMatchObject({
      events: [start, delta('a')],
      ending: { code: 'stream_interrupted', retryable: true },
    });
    server.socket.say({ type: 'finish', finishReason: 'stop', executionId: 'e1' });
    server.socket.say({ type: 'start', executionId: 'e2' }, finish);
    await second.done;
    expect(second.types()).toEqual(['start', 'finish']);
  });

  test('events that nobody asked for reach nobody', async () => {
    const { server, transport, clock, connection } = open();
    await connection.connect();
    server.socket.say(start, delta('a'), finish);
    const reading = read(transport.start(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(start, finish);
    await reading.done;
    expect(reading.events).toEqual([start, finish]);
  });

  test('what arrives together is yielded together', async () => {
    const { server, transport, clock } = open();
    const batches: unknown[] = [];
    const done = (async () => {
      for await (const batch of transport.start(trigger, createIO())) batches.push(batch);
    })();
    await clock.advance(0);
    server.socket.say(start, delta('a'));
    await clock.advance(0);
    server.socket.say(delta('b'), finish);
    await done;
    expect(batches).toEqual([
      [start, delta('a')],
      [delta('b'), finish],
    ]);
  });

  test('O-10: a malformed client-tool-request ends the run with its error', async () => {
    const { server, transport, clock } = open();
    const reading = read(transport.start(trigger, createIO()));
    await clock.advance(0);
    const raw = { type: 'client-tool-request', executionId: 'e1', toolCalls: 'x' };
    server.socket.say(start, raw);
    await reading.done;
    expect(reading.events).toEqual([start]);
    expect(reading.ending).toMatchObject({ code: 'invalid_event', cause: raw });
  });

  test('stop sends a frame, and what the run still says reaches nobody', async () => {
    const { server, transport, clock } = open();
    const io = createIO();
    const reading = read(transport.start(trigger, io));
    await clock.advance(0);
    server.socket.say(start);
    await reading.until(1);
    io.abort();
    await transport.stop?.({ type: 'stop', executionId: 'e1' });
    server.socket.say(delta('late'), finish);
    await reading.done;
    expect(server.socket.sent).toEqual([trigger, { type: 'stop' }]);
    expect(reading).toMatchObject({ events: [start], ending: 'returned' });
  });

  test('stop names the run where frames have numbers', async () => {
    const { server, transport, clock } = open();
    const io = createIO();
    const reading = read(transport.start(trigger, io));
    await clock.advance(0);
    server.socket.say(numbered(1, start));
    await reading.until(1);
    io.abort();
    await transport.stop?.({ type: 'stop', executionId: 'e1' });
    expect(server.socket.sent).toEqual([trigger, { type: 'stop', executionId: 'e1' }]);
  });
});

describe('O-37: a lost connection', () => {
  test('without a cursor is a retryable connection_lost, and the connection is made again', async () => {
    let closes = 0;
    const { server, transport, clock, states } = open({ onClose: () => closes++ });
    const reading = read(transport.start(trigger, createIO()));
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

  test('with one is resumed, and repeats are filtered', async () => {
    const { server, transport, clock } = open();
    const reading = read(transport.start(trigger, createIO()));
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

  test.each(['onClose', 'a listener'])('%s that connects itself joins the attempt under way', async (who) => {
    const connect = () => void connection.connect();
    const { server, clock, connection, states } = open(who === 'onClose' ? { onClose: connect } : {});
    if (who === 'a listener') connection.subscribe(({ state }) => state === 'reconnecting' && connect());
    await connection.connect();
    server.socket.drop();
    await clock.advance(500);
    expect(server.sockets.map(({ readyState }) => readyState)).toEqual([3, 1]);
    expect(states).toEqual(['disconnected', 'connecting', 'connected', 'reconnecting', 'connected']);
  });

  test.each([false, undefined] as const)(
    'without reconnect %s it may be connected again from onClose, also after disconnect()',
    async (reconnect) => {
      const connect = () => void connection.connect();
      const { server, connection, states } = open({
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

  test('attempts double up to the cap; a connection that brings nothing counts as failed', async () => {
    const { server, transport, clock, states } = open({
      reconnect: { initialDelayMs: 100, maxDelayMs: 300 },
    });
    const reading = read(transport.start(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(numbered(1, start));
    await reading.until(1);
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

  test('a connection that stood for a while was none of the failed attempts', async () => {
    const { server, clock, connection, states } = open({ reconnect: { maxAttempts: 1 } });
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

  test('a connection that was made again leaves no listener behind, which would hold its socket', async () => {
    const listened = vi.spyOn(AbortSignal.prototype, 'addEventListener');
    const { server, clock, connection } = open();
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

  test('out of attempts: state error, and the run ends with connection_lost', async () => {
    const { server, transport, clock, connection } = open({ reconnect: { maxAttempts: 2 } });
    const reading = read(transport.start(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(numbered(1, start));
    await reading.until(1);
    server.refuse = new Error('down');
    server.socket.drop();
    await clock.advance(10_000);
    await reading.done;
    expect(server.connects).toBe(3);
    expect(connection.getStatus()).toMatchObject({ state: 'error', error: { message: 'down' } });
    expect(reading.ending).toMatchObject({ code: 'connection_lost', retryable: true });
    expect(clock.waiting).toBe(0);
  });

  test('with reconnect: false stays lost until the next request', async () => {
    const { server, transport, clock, states } = open({ reconnect: false });
    const reading = read(transport.start(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(numbered(1, start));
    server.socket.drop();
    await reading.done;
    expect(reading.ending).toMatchObject({ code: 'connection_lost' });
    expect(states.at(-1)).toBe('disconnected');
    const next = read(transport.start(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(start, finish);
    await next.done;
    expect(next.types()).toEqual(['start', 'finish']);
  });

  test('answers whose frame was lost are sent again', async () => {
    const { server, transport, clock } = open();
    const reading = read(transport.respond({ ...respond, cursor: '4' }, createIO()));
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

  test('a run that is stopped meanwhile is stopped over the next connection', async () => {
    const { server, transport, clock } = open();
    const io = createIO();
    const reading = read(transport.start(trigger, io));
    await clock.advance(0);
    server.socket.say(numbered(1, start));
    await reading.until(1);
    server.socket.drop();
    io.abort();
    const stopped = transport.stop?.({ type: 'stop', executionId: 'e1' });
    await clock.advance(500);
    await stopped;
    expect(server.socket.sent).toEqual([{ type: 'stop', executionId: 'e1' }]);
    expect(reading.ending).toBe('returned');
  });

  test.each([
    ['while it stands', 0, 1],
    ['while the next attempt waits', 499, 1],
    ['while the next attempt is made', 500, 2],
  ])('disconnect closes it for good and ends the run: %s', async (_name, outageMs, connects) => {
    const { server, transport, clock, connection, states } = open();
    const reading = read(transport.start(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(numbered(1, start));
    await reading.until(1);
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

  test('disconnect ends a run at once that could be read on, also when it is connected again right away', async () => {
    const { server, transport, clock, connection } = open();
    const reading = read(transport.start(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(numbered(1, start));
    await reading.until(1);
    connection.disconnect();
    await connection.connect();
    await clock.advance(500);
    expect(reading.ending).toMatchObject({
      code: 'connection_lost',
      message: expect.stringContaining('disconnect()'),
    });
    expect(server.socket.sent).toEqual([]);
  });

  test('one that closes when the request is made is left alone, and what it says last harms nobody', async () => {
    const { server, transport, clock, connection } = open();
    await connection.connect();
    const [closing] = server.sockets;
    if (closing === undefined) throw new Error('nobody has connected');
    closing.readyState = 2;
    const reading = read(transport.start(trigger, createIO()));
    await clock.advance(500);
    closing.drop();
    server.socket.say(start, finish);
    await reading.done;
    expect(reading).toMatchObject({ events: [start, finish], ending: 'returned' });
    expect([closing.sent, server.connects]).toEqual([[], 2]);
  });
});

describe('heartbeats', () => {
  test('silence after the first one means the connection is dead', async () => {
    const { server, clock, connection } = open();
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

  test('a connection that is closed is watched no more, however many there were', async () => {
    const { server, clock, connection } = open();
    await connection.connect();
    server.socket.say({ type: 'heartbeat' }, { type: 'heartbeat' });
    connection.disconnect();
    expect(clock.waiting).toBe(0);
  });

  test.each([
    ['a server that sends none is not judged', {}, { type: 'presence' }],
    ['heartbeat: false judges nobody', { heartbeat: false } as const, { type: 'heartbeat' }],
  ])('%s', async (_name, settings, frame) => {
    const { server, clock, connection } = open(settings);
    await connection.connect();
    server.socket.say(frame);
    await clock.advance(10 * 60_000);
    expect(connection.getStatus().state).toBe('connected');
    expect(server.connects).toBe(1);
    expect(server.socket.sent).toEqual([]);
  });
});
