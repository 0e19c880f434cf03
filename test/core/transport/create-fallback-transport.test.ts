import { afterEach, describe, expect, test, vi } from 'vitest';
import type { NativePayload } from '../../../src/core/protocol/native-encode.ts';
import { createFallbackTransport } from '../../../src/core/transport/create-fallback-transport.ts';
import { createHttpTransport } from '../../../src/core/transport/create-http-transport.ts';
import {
  createSocketTransport,
  type SocketTransportSettings,
} from '../../../src/core/transport/create-socket-transport.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { createFakeServer } from './fake-socket.ts';
import { createIO, read, respond, trigger } from './support.ts';

const start = { type: 'start', executionId: 'e1' };
const finish = { type: 'finish', finishReason: 'stop' };
const request = {
  type: 'client-tool-request',
  executionId: 'e1',
  toolCalls: [{ toolCallId: 'c1', toolName: 't', args: {} }],
};
const numbered = (seq: number, event: object) => ({ ...event, seq, executionId: 'e1' });
const sse = (...events: object[]) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
const resume = (cursor: string) => ({ type: 'resume', executionId: 'e1', cursor });

afterEach(() => vi.unstubAllGlobals());

function open(
  respondWith: (payload: NativePayload) => Response | Error = () => sse(start, finish),
  settings: SocketTransportSettings = {},
) {
  const server = createFakeServer();
  const clock = createManualClock();
  const posted: NativePayload[] = [];
  const socket = createSocketTransport({
    connect: () => server.connect(),
    clock,
    random: () => 1,
    ...settings,
  });
  const http = createHttpTransport({
    request: async (payload) => {
      posted.push(payload);
      const response = respondWith(payload);
      if (response instanceof Error) throw response;
      return response;
    },
    clock,
  });
  const transport = createFallbackTransport([socket, http]);
  const states: string[] = [];
  transport.connection?.subscribe(({ state }) => states.push(state));
  return { server, clock, posted, transport, states, socket, http };
}

test('uses the first transport that connects', async () => {
  const { server, transport, clock, posted, states } = open();
  const reading = read(transport.run(trigger, createIO()));
  await clock.advance(0);
  server.socket.say(start, finish);
  await reading.done;
  expect(reading.events).toEqual([start, finish]);
  expect(posted).toEqual([]);
  expect(states).toEqual(['disconnected', 'connecting', 'connected']);
});

test('moves to the next transport, and stays there, when a transport cannot connect', async () => {
  const { server, transport, posted, states } = open();
  server.refuse = new Error('blocked by a proxy');
  for (let run = 0; run < 2; run++) {
    const reading = read(transport.run(trigger, createIO()));
    await reading.done;
    expect(reading).toMatchObject({ events: [start, finish], ending: 'returned' });
  }
  expect(posted).toEqual([trigger, trigger]);
  expect(server.connects).toBe(1);
  expect(states).toEqual(['disconnected', 'connecting', 'error', 'connected']);
});

test('moves to the next transport when the server never answers the handshake', async () => {
  const { server, transport, clock, posted } = open();
  server.connect = () => new Promise(() => {});
  const reading = read(transport.run(trigger, createIO()));
  await clock.advance(20_000);
  await reading.done;
  expect(reading).toMatchObject({ events: [start, finish], ending: 'returned' });
  expect(posted).toEqual([trigger]);
});

test('fails with the last error when no transport can connect', async () => {
  const { server, transport } = open(() => new TypeError('fetch failed'));
  server.refuse = new Error('down');
  const reading = read(transport.run(trigger, createIO()));
  await reading.done;
  expect(reading.ending).toMatchObject({
    code: 'connection_failed',
    message: expect.stringContaining('fetch failed'),
  });
});

test('does not send a request again when the connection is lost after its first events, without a cursor', async () => {
  const unreachable = new AgentChatError({ code: 'connection_failed', message: 'No network' });
  const fails = createScriptedTransport();
  const spare = createScriptedTransport();
  const reading = read(createFallbackTransport([fails, spare]).run(trigger, createIO()));
  fails.requests[0]?.send({ type: 'start', executionId: 'e1' });
  fails.requests[0]?.fail(unreachable);
  await reading.done;
  expect(reading.ending).toBe(unreachable);
  expect(spare.commands).toEqual([]);
});

test('passes an error of the backend on without trying another transport', async () => {
  const { server, transport, clock, posted } = open();
  const reading = read(transport.run(trigger, createIO()));
  await clock.advance(0);
  server.socket.say(start, {
    type: 'error',
    errorType: 'internal_error',
    message: 'm',
    retryable: true,
    source: 'platform',
  });
  await reading.done;
  expect(reading.types()).toEqual(['start', 'error']);
  expect(posted).toEqual([]);
});

describe('a connection lost in the middle of a run', () => {
  test('resumes a run with a cursor through the other transport', async () => {
    const { server, transport, clock, posted } = open(() => sse({ ...finish, executionId: 'e1' }));
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(numbered(1, start), { type: 'text-delta', id: 't', delta: 'a' });
    await reading.until(2);
    server.socket.drop();
    await reading.done;
    expect(posted).toEqual([resume('1')]);
    expect(reading).toMatchObject({ ending: 'returned' });
    expect(reading.types()).toEqual(['start', 'text-delta', 'finish']);
  });

  test('fails with not_resumable when the transport that is left cannot resume', async () => {
    const { server, socket, http, clock, posted } = open();
    const unable = { ...http, capabilities: { ...http.capabilities, resume: false } };
    const transport = createFallbackTransport([socket, unable]);
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(numbered(1, start));
    await reading.until(1);
    server.socket.drop();
    await reading.done;
    expect(reading.ending).toMatchObject({ code: 'not_resumable', retryable: true });
    expect(posted).toEqual([]);
  });

  test('sends nothing when the connection is lost after the end of the run', async () => {
    const { server, transport, clock, posted } = open();
    const stream = transport.run(trigger, createIO())[Symbol.asyncIterator]();
    const first = stream.next();
    await clock.advance(0);
    server.socket.say(numbered(1, start), numbered(2, finish));
    expect((await first).value).toHaveLength(2);
    server.socket.drop();
    expect((await stream.next()).done).toBe(true);
    expect(posted).toEqual([]);
  });

  test.each([
    ['that is made again', {}],
    ['that is not made again', { reconnect: false } as const],
  ])(
    'resumes the run instead of sending its answers twice when a connection %s is lost',
    async (_name, settings) => {
      const { server, transport, clock, posted } = open(
        () => sse({ ...finish, executionId: 'e1' }),
        settings,
      );
      const reading = read(transport.run({ ...respond, cursor: '3' }, createIO()));
      await clock.advance(0);
      expect(server.socket.sent).toMatchObject([{ type: 'continue' }]);
      server.socket.drop();
      await reading.done;
      expect(posted).toEqual([resume('3')]);
      expect(reading.types()).toEqual(['finish']);
    },
  );

  test('resumes by the executionId of the answers when no event of the response had one', async () => {
    const { server, transport, clock, posted } = open();
    const reading = read(transport.run({ ...respond, cursor: '3' }, createIO()));
    await clock.advance(0);
    server.socket.say({ type: 'start', seq: 4 });
    await reading.until(1);
    server.socket.drop();
    await reading.done;
    expect(posted).toEqual([resume('4')]);
    expect(reading.ending).toBe('returned');
  });

  test('fails a run without a cursor, and sends the next request through the other transport', async () => {
    const { server, transport, clock, posted } = open();
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(start);
    await reading.until(1);
    server.socket.drop();
    await reading.done;
    expect(reading.ending).toMatchObject({ code: 'connection_lost' });
    const next = read(transport.run(trigger, createIO()));
    await next.done;
    expect(next.events).toEqual([start, finish]);
    expect(posted).toEqual([trigger]);
  });

  test('sends the answer of a person through the transport that is in use then', async () => {
    const { server, transport, clock, posted } = open();
    const asked = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(
      numbered(1, start),
      numbered(2, request),
      numbered(3, { ...finish, finishReason: 'client-tool-calls' }),
    );
    await asked.done;
    server.socket.drop();
    const answered = read(transport.run({ ...respond, cursor: '3' }, createIO()));
    await answered.done;
    expect(posted.map(({ type }) => type)).toEqual(['continue']);
    expect(answered.types()).toEqual(['start', 'finish']);
  });

  test('sends the next request through an earlier transport that is connected again', async () => {
    const { server, transport, clock, posted } = open();
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(numbered(1, start));
    await reading.until(1);
    server.socket.drop();
    await reading.done;
    await clock.advance(500);
    const next = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(start, finish);
    await next.done;
    expect(posted.map(({ type }) => type)).toEqual(['resume']);
    expect(server.socket.sent).toEqual([trigger]);
  });
});

test('sends answers through the transport that is connected', async () => {
  const { server, transport, clock, posted } = open();
  await transport.connection?.connect();
  const reading = read(transport.run({ ...respond, cursor: '3' }, createIO()));
  await clock.advance(0);
  server.socket.say(numbered(4, start), numbered(5, finish));
  await reading.done;
  expect(reading.types()).toEqual(['start', 'finish']);
  expect(posted).toEqual([]);
});

test('leaves reconnecting to the last transport of the list', async () => {
  const { server, socket, http, clock, posted } = open(() => new TypeError('fetch failed'));
  const transport = createFallbackTransport([http, socket]);
  const reading = read(transport.run(trigger, createIO()));
  await clock.advance(0);
  server.socket.say(numbered(1, start));
  await reading.until(1);
  server.socket.drop();
  await clock.advance(500);
  server.socket.say(numbered(2, finish));
  await reading.done;
  expect(reading).toMatchObject({ ending: 'returned' });
  expect([posted, server.socket.sent]).toEqual([[trigger], [resume('1')]]);
});

describe('two addresses, no connection', () => {
  function openTwo(...answers: ((payload: NativePayload) => Response | Error)[]) {
    const clock = createManualClock();
    const asked: [address: number, type: string][] = [];
    const transport = createFallbackTransport(
      answers.map((answer, address) =>
        createHttpTransport({
          async request(payload) {
            asked.push([address, payload.type]);
            const response = answer(payload);
            if (response instanceof Error) throw response;
            return response;
          },
          clock,
          reconnect: { maxAttempts: 0 },
        }),
      ),
    );
    expect(transport.connection).toBeUndefined();
    return { asked, transport };
  }
  const offline = () => new TypeError('fetch failed');
  const cut = () => new Response(`id: 1\ndata: ${JSON.stringify(start)}\n\n`);
  const refusing = () => new Response('', { status: 500 });

  test.each<[string, () => Response | Error, string[], [number, string][], unknown]>([
    [
      'cannot be reached',
      offline,
      ['start', 'finish'],
      [
        [0, 'trigger'],
        [1, 'trigger'],
      ],
      'returned',
    ],
    [
      'is lost in a run with a cursor',
      cut,
      ['start', 'start', 'finish'],
      [
        [0, 'trigger'],
        [1, 'resume'],
      ],
      'returned',
    ],
    ['refuses', refusing, [], [[0, 'trigger']], expect.objectContaining({ code: 'http_error' })],
  ])('two HTTP transports: the first %s', async (_name, first, types, requests, ending) => {
    const { asked, transport } = openTwo(first, () => sse(start, finish));
    const reading = read(transport.run(trigger, createIO()));
    await reading.done;
    expect([reading.types(), asked, reading.ending]).toEqual([types, requests, ending]);
  });
});

test('stops through the transport in use only', async () => {
  const { server, transport, clock, posted } = open();
  const io = createIO();
  const reading = read(transport.run(trigger, io));
  await clock.advance(0);
  server.socket.say(numbered(1, start));
  await reading.until(1);
  io.abort();
  await transport.stop?.({ type: 'stop', executionId: 'e1' });
  await reading.done;
  expect(server.socket.sent).toEqual([trigger, { type: 'stop', executionId: 'e1' }]);
  expect(posted).toEqual([]);
});

test('connect() uses the first transport that can connect', async () => {
  const { server, transport } = open();
  server.refuse = new Error('down');
  await transport.connection?.connect();
  expect(transport.connection?.getStatus()).toEqual({ state: 'connected' });
});

test('connect() rejects with the last error when no transport can connect', async () => {
  const { server, socket } = open();
  server.refuse = new Error('down');
  await expect(createFallbackTransport([socket]).connection?.connect()).rejects.toMatchObject({
    code: 'connection_failed',
    message: 'down',
  });
});

test('notifies each subscriber at once and until it unsubscribes', async () => {
  const { transport, states } = open();
  const second: string[] = [];
  const unsubscribe = transport.connection?.subscribe(({ state }) => second.push(state));
  expect(second).toEqual(['disconnected']);
  unsubscribe?.();
  await transport.connection?.connect();
  expect(second).toEqual(['disconnected']);
  expect(states).toEqual(['disconnected', 'connecting', 'connected']);
});

test('reports a subscriber that throws and notifies the others', async () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const { transport } = open();
  const bug = new Error('a bug of the app');
  const fail = ({ state }: { state: string }) => {
    if (state !== 'disconnected') throw bug;
  };
  transport.connection?.subscribe(fail);
  const states: string[] = [];
  transport.connection?.subscribe(({ state }) => states.push(state));
  await transport.connection?.connect();
  expect(states).toEqual(['disconnected', 'connecting', 'connected']);
  expect(reported.mock.calls).toEqual([[bug], [bug]]);
});

test('disconnect() closes the connection in use', async () => {
  const { server, transport, states } = open();
  await transport.connection?.connect();
  transport.connection?.disconnect();
  expect(server.socket.closed).toBe(true);
  expect(states.at(-1)).toBe('disconnected');
});

describe('misuse', () => {
  test.each([[[]], [undefined], [{}], [[null]], [[{}]]])('rejects %j with invalid_options', (transports) => {
    expect(() => createFallbackTransport(transports as never)).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });

  test('rejects transports that take results differently with invalid_options', () => {
    const { transport } = open();
    const other = {
      ...transport,
      capabilities: { ...transport.capabilities, results: 'one-by-one' as const },
    };
    expect(() => createFallbackTransport([transport, other])).toThrow(/take results differently/);
  });
});

test('finds a tool of any of its transports', () => {
  const { transport: plain } = open();
  const own = { execute: async () => 'done' };
  const transport = createFallbackTransport([
    plain,
    { ...plain, clientTool: ({ toolName }) => (toolName === 'own' ? own : undefined) },
  ]);
  const call = { toolCallId: 'c1', args: {} };
  expect(transport.clientTool?.({ ...call, toolName: 'own' })).toBe(own);
  expect(transport.clientTool?.({ ...call, toolName: 'of the app' })).toBeUndefined();
});
