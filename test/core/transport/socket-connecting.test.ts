import { afterEach, describe, expect, test, vi } from 'vitest';
import { createSocketTransport } from '../../../src/core/transport/create-socket-transport.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createDeferred } from '../../support/deferred.ts';
import { FakeSocket } from './fake-socket.ts';
import { finish, openSocketTransport, start } from './open-socket-transport.ts';
import { collect, createIO, read, trigger } from './support.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('connecting', () => {
  test('connects once, with the first request', async () => {
    const { server, transport, states, clock } = openSocketTransport();
    expect(server.connects).toBe(0);
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(start, finish);
    await reading.done;
    expect(server.connects).toBe(1);
    expect(states).toEqual(['disconnected', 'connecting', 'connected']);
  });

  test('connects ahead of the first request, once for all callers', async () => {
    const { server, connection, states } = openSocketTransport();
    await Promise.all([connection.connect(), connection.connect()]);
    await connection.connect();
    expect(server.connects).toBe(1);
    expect(states).toEqual(['disconnected', 'connecting', 'connected']);
  });

  test.each([
    ['an Error', new Error('no route'), 'no route'],
    ['an Error without a message', new Error(''), 'Connection failed'],
    ['a text', 'nope', 'Connection failed'],
  ])(
    'fails with connection_failed, in state error, when connect rejects with %s; then connects again',
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

  test('passes on an AgentChatError that connect throws', async () => {
    const { server, connection } = openSocketTransport();
    server.refuse = new AgentChatError({ code: 'http_error', message: 'sign in', status: 401 });
    await expect(connection.connect()).rejects.toBe(server.refuse);
  });

  test('disconnect ends an attempt that hangs, and does not affect the next one', async () => {
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

  test.each([0, 1, 2, 3, 4])('disconnect closes a socket that opened %i microtasks before', async (turns) => {
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

  test('fails an attempt after 20 s without an answer, and closes its late socket', async () => {
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

  test('a stopped turn does not wait for the connection and sends nothing later', async () => {
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

  test('sends no stop without a connection', async () => {
    const { server, transport } = openSocketTransport();
    await transport.stop?.({ type: 'stop', executionId: 'e1' });
    expect(server.connects).toBe(0);
  });

  test('fails with connection_lost when the socket refuses to send', async () => {
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
    ['nothing', undefined, 'url'],
    ['neither connect nor url', {}, 'url'],
    ['both connect and url', { url: 'ws://x', connect: () => {} }, 'both'],
    ['a connect that is no function', { connect: 'ws://x' }, 'connect'],
    ...listWrongNumbers('heartbeat', 'intervalMs', 'timeoutMs'),
    ...listWrongNumbers('reconnect', 'initialDelayMs', 'maxDelayMs', 'maxAttempts'),
  ])('rejects options with invalid_options: %s', (_name, options, hint) => {
    expect(() => createSocketTransport(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(hint) }),
    );
  });
});

/** Each of the settings, as what is no number of 0 or more. */
function listWrongNumbers(option: string, ...names: string[]) {
  return names.flatMap((name) =>
    [Number.NaN, -1, null, '500'].map((wrong): [string, object, string] => [
      `${option} with ${name} ${typeof wrong === 'string' ? `"${wrong}"` : wrong}`,
      { url: 'ws://x', [option]: { [name]: wrong } },
      `${option}.${name} must be a number of 0 or more, not ${wrong}`,
    ]),
  );
}

test('accepts infinite waits and settings that are undefined', () => {
  const url = 'ws://x';
  const endless = { intervalMs: Infinity, timeoutMs: undefined };
  for (const heartbeat of [endless, undefined, null, false])
    expect(createSocketTransport({ url, heartbeat } as never)).toBeDefined();
  expect(createSocketTransport({ url, reconnect: { maxDelayMs: Infinity, maxAttempts: 0 } })).toBeDefined();
});

describe('connect() rejects with connection_failed and says what to do', () => {
  test.each([
    ['nothing', undefined],
    ['no socket', {}],
  ])('connect() rejects with connection_failed when connect returns %s', async (_name, given) => {
    const transport = createSocketTransport({ connect: () => given as never });
    await expect(transport.connection?.connect()).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('`connect` must return a socket'),
    });
    expect(transport.connection?.getStatus().state).toBe('error');
  });

  test('connect() rejects with connection_failed when there is no WebSocket', async () => {
    vi.stubGlobal('WebSocket', undefined);
    const transport = createSocketTransport({ url: 'ws://x' });
    await expect(transport.connection?.connect()).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('There is no WebSocket here'),
    });
  });
});

test('calls the url function before each attempt, and passes url and protocols to the WebSocket', async () => {
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

test('reports callbacks and listeners that throw, and loses neither a frame nor the connection', async () => {
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
