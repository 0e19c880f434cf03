import { afterEach, describe, expect, test, vi } from 'vitest';
import { AgentChatError } from '../../src/shared/errors.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createSocketTransport } from '../../src/transport/create-socket-transport.ts';
import { createDeferred } from '../support/deferred.ts';
import { FakeSocket } from './fake-socket.ts';
import { finish, openSocketTransport, start } from './open-socket-transport.ts';
import { collect, createIO, read, trigger } from './support.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('connecting', () => {
  test('a socket transport connects once, with the first request', async () => {
    const { server, transport, states, clock } = openSocketTransport();
    expect(server.connects).toBe(0);
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(start, finish);
    await reading.done;
    expect(server.connects).toBe(1);
    expect(states).toEqual(['disconnected', 'connecting', 'connected']);
  });

  test('connect() connects before the first request, and all callers share the attempt', async () => {
    const { server, connection, states } = openSocketTransport();
    await Promise.all([connection.connect(), connection.connect()]);
    await connection.connect();
    expect(server.connects).toBe(1);
    expect(states).toEqual(['disconnected', 'connecting', 'connected']);
  });

  test.each([
    ['an Error', new Error('no route'), 'no route'],
    ['an Error without a message', new Error(''), 'Connection failed'],
    ['anything else', 'nope', 'Connection failed'],
  ])(
    'a connection refused with %s rejects with connection_failed, sets the state error, and allows the next attempt',
    async (_name, refusal, message) => {
      const { server, connection, transport } = openSocketTransport();
      server.refuse = refusal;
      await expect(connection.connect()).rejects.toMatchObject({
        code: 'connection_failed',
        message,
        retryable: true,
      });
      expect(connection.getStatus()).toMatchObject({ state: 'error', error: { message } });
      await expect(collect(transport.run(trigger, createIO()))).rejects.toMatchObject({
        code: 'connection_failed',
      });
      server.refuse = undefined;
      await connection.connect();
      expect(connection.getStatus()).toEqual({ state: 'connected' });
    },
  );

  test('an error of the connect function of the app is passed on unchanged', async () => {
    const { server, connection } = openSocketTransport();
    server.refuse = new AgentChatError({ code: 'http_error', message: 'sign in', status: 401 });
    await expect(connection.connect()).rejects.toBe(server.refuse);
  });

  test('disconnect() ends a hanging attempt, and the next attempt is separate', async () => {
    const { server, clock, connection } = openSocketTransport();
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

  test.each([0, 1, 2, 3, 4])(
    'disconnect() %i turns after the start of an attempt closes the socket',
    async (turns) => {
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
    },
  );

  test('an attempt without an answer fails after 20 s, and its late socket is closed', async () => {
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

  test('a stopped turn does not wait for the connection, and sends nothing later', async () => {
    const { server, transport, clock } = openSocketTransport();
    const io = createIO();
    const reading = read(transport.run(trigger, io));
    io.abort();
    await transport.stop?.({ type: 'stop' });
    await reading.done;
    await clock.advance(0);
    expect(reading.ending).toBe('returned');
    expect(server.socket.sent).toEqual([]);
    const next = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say({ type: 'error', errorType: 'validation_error', message: 'no' });
    await next.done;
    expect(next.types()).toEqual(['error']);
  });

  test('stop() without a connection sends nothing', async () => {
    const { server, transport } = openSocketTransport();
    await transport.stop?.({ type: 'stop', executionId: 'e1' });
    expect(server.connects).toBe(0);
  });

  test('a socket that throws on send loses the connection', async () => {
    const { server, transport, clock, connection } = openSocketTransport();
    await connection.connect();
    server.socket.send = () => {
      throw new Error('still buffering');
    };
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    await reading.done;
    expect(reading.ending).toMatchObject({ code: 'connection_lost', retryable: true });
  });

  test.each([
    ['no options', undefined, 'url'],
    ['neither a url nor a connect', {}, 'url'],
    ['both a url and a connect', { url: 'ws://x', connect: () => {} }, 'both'],
    ['a connect that is no function', { connect: 'ws://x' }, 'connect'],
    ...listWrongNumbers('heartbeat', 'intervalMs', 'timeoutMs'),
    ...listWrongNumbers('reconnect', 'initialDelayMs', 'maxDelayMs', 'maxAttempts'),
  ])('createSocketTransport refuses %s', (_name, options, hint) => {
    expect(() => createSocketTransport(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(hint) }),
    );
  });
});

/** Each numeric setting with values that are not 0 or more. */
function listWrongNumbers(option: string, ...names: string[]) {
  return names.flatMap((name) =>
    [Number.NaN, -1, null, '500'].map((wrong): [string, object, string] => [
      `${option} with ${name} ${typeof wrong === 'string' ? `"${wrong}"` : wrong}`,
      { url: 'ws://x', [option]: { [name]: wrong } },
      `${option}.${name} must be a number of 0 or more, not ${wrong}`,
    ]),
  );
}

test('createSocketTransport accepts infinite waits and undefined settings', () => {
  const url = 'ws://x';
  const endless = { intervalMs: Infinity, timeoutMs: undefined };
  for (const heartbeat of [endless, undefined, null, false])
    expect(createSocketTransport({ url, heartbeat } as never)).toBeDefined();
  expect(createSocketTransport({ url, reconnect: { maxDelayMs: Infinity, maxAttempts: 0 } })).toBeDefined();
});

describe('connecting rejects with connection_failed and says what to do', () => {
  test.each([
    ['undefined', undefined],
    ['an object that is no socket', {}],
  ])('a connect function that returns %s rejects with connection_failed', async (_name, given) => {
    const transport = createSocketTransport({ connect: () => given as never });
    await expect(transport.connection?.connect()).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('`connect` must return a socket'),
    });
    expect(transport.connection?.getStatus().state).toBe('error');
  });

  test('an environment without WebSocket rejects with connection_failed', async () => {
    vi.stubGlobal('WebSocket', undefined);
    const transport = createSocketTransport({ url: 'ws://x' });
    await expect(transport.connection?.connect()).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('There is no WebSocket here'),
    });
  });
});

test('a url function is called before each attempt, and its url reaches the socket with the protocols', async () => {
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

test('callbacks and listeners that throw are reported, and lose neither a frame nor the connection', async () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const fail = () => {
    throw new Error('a bug of the app');
  };
  const { server, transport, clock, connection, states } = openSocketTransport({
    onMessage: fail,
    onClose: fail,
  });
  connection.subscribe(({ state }) => state === 'disconnected' || fail());
  const reading = read(transport.run(trigger, createIO()));
  await clock.advance(0);
  server.socket.say(start, finish);
  await reading.done;
  expect(reading.events).toEqual([start, finish]);
  server.socket.drop();
  await clock.advance(500);
  expect(states).toEqual(['disconnected', 'connecting', 'connected', 'reconnecting', 'connected']);
  expect(reported).toHaveBeenCalledTimes(7);
});
