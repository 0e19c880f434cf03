/** A page that is kept for the back button leaves the responses and sockets that it can go on with, and no others. */
import { afterEach, expect, test, vi } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type { NativePayload } from '../../../src/core/protocol/native-encode.ts';
import type { AgentTransport } from '../../../src/core/transport/agent-transport.ts';
import { createHttpTransport } from '../../../src/core/transport/create-http-transport.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { stubPageCache } from '../../support/page-cache.ts';
import { beginRun, delta, numbered, openSocketTransport, resume } from './open-socket-transport.ts';
import { createIO, read, trigger } from './support.ts';

afterEach(() => vi.unstubAllGlobals());

const start: AgentEvent = { type: 'start', executionId: 'e1' };
const follow = { type: 'open', executionId: 'e1', cursor: '1', follow: true } as const;

/** A server whose responses stay open. `say` writes an event into the last one. */
function openHttpTransport() {
  const clock = createManualClock();
  const payloads: NativePayload[] = [];
  const cancelled: number[] = [];
  let writer: ReadableStreamDefaultController<Uint8Array> | undefined;
  const transport = createHttpTransport({
    request: async (payload) => {
      const number = payloads.push(payload);
      const cancel = () => void cancelled.push(number);
      const begin = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        writer = controller;
      };
      return new Response(new ReadableStream({ start: begin, cancel }));
    },
    clock,
    random: () => 1,
  });
  const say = (event: AgentEvent, id?: string) => {
    const text = `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`;
    writer?.enqueue(new TextEncoder().encode(text));
  };
  return { transport, clock, payloads, cancelled, say };
}

const open = (transport: AgentTransport, command: typeof trigger | typeof follow) => {
  if (command.type === 'trigger') return transport.run(command, createIO());
  if (transport.open === undefined) throw new Error('The transport opens no conversations.');
  return transport.open(command, createIO());
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

test.each([
  ['a run', trigger, start, resume('1')],
  ['a conversation that is followed', follow, { type: 'text-delta', id: 't', delta: 'a' }, follow],
] as const)(
  '%s is left with its page, and read on from its cursor when the person comes back',
  async (_, command, first, next) => {
    const page = stubPageCache();
    const { transport, clock, payloads, cancelled, say } = openHttpTransport();
    const reading = read(open(transport, command));
    await turn();
    say(first, '1');
    await reading.until(1);
    page.leave();
    await turn();
    expect(cancelled).toEqual([1]);
    expect(payloads).toHaveLength(1);
    // The timers of a kept page stand still until the person comes back.
    await clock.advance(500);
    await turn();
    expect(payloads.slice(1)).toMatchObject([next]);
    expect(reading.ending).toBe('open');
  },
);

test('a run without a cursor is not left with its page: nobody could read it on', async () => {
  const page = stubPageCache();
  const { transport, payloads, cancelled, say } = openHttpTransport();
  const reading = read(transport.run(trigger, createIO()));
  await turn();
  say(start);
  await reading.until(1);
  page.leave();
  say({ type: 'text-delta', id: 't', delta: 'a' });
  await reading.until(2);
  expect(cancelled).toEqual([]);
  expect(payloads).toHaveLength(1);
});

test('a page that is closed instead of kept leaves its run to the browser', async () => {
  const page = stubPageCache();
  const { transport, cancelled, say } = openHttpTransport();
  const reading = read(transport.run(trigger, createIO()));
  await turn();
  say(start, '1');
  await reading.until(1);
  page.close();
  await turn();
  expect(cancelled).toEqual([]);
});

test('a socket is closed with its page, and its run is resumed over the next one', async () => {
  const page = stubPageCache();
  const opened = openSocketTransport();
  const reading = await beginRun(opened);
  const { server, clock, states } = opened;
  page.leave();
  expect(server.sockets.map(({ readyState }) => readyState)).toEqual([3]);
  await clock.advance(500);
  expect(server.socket.sent).toEqual([resume('1')]);
  server.socket.say(numbered(2, delta('a')));
  await reading.until(2);
  expect(states).toEqual(['disconnected', 'connecting', 'connected', 'reconnecting', 'connected']);
});

test('a socket without a run is closed with its page, and opened again', async () => {
  const page = stubPageCache();
  const { server, clock, connection } = openSocketTransport();
  await connection.connect();
  page.leave();
  page.comeBack();
  await clock.advance(500);
  expect(server.sockets.map(({ readyState }) => readyState)).toEqual([3, 1]);
});

test.each([
  ['of a server without cursors', { type: 'start', executionId: 'e1' }],
  ['that has no event yet', undefined],
])('a socket is kept for a run %s', async (_, first) => {
  const page = stubPageCache();
  const { server, clock, transport } = openSocketTransport();
  const reading = read(transport.run(trigger, createIO()));
  await clock.advance(0);
  if (first) {
    server.socket.say(first);
    await reading.until(1);
  }
  page.leave();
  expect(server.sockets.map(({ readyState }) => readyState)).toEqual([1]);
  expect(reading.ending).toBe('open');
});

test('a socket is kept for a run that the app does not want resumed', async () => {
  const page = stubPageCache();
  const opened = openSocketTransport({ reconnect: false });
  const reading = await beginRun(opened);
  page.leave();
  expect(opened.server.sockets.map(({ readyState }) => readyState)).toEqual([1]);
  opened.server.socket.say(numbered(2, delta('a')));
  await reading.until(2);
});

test('a transport that has ended its run and its connection leaves no listener on the page', async () => {
  const listeners: string[] = [];
  vi.stubGlobal('addEventListener', (type: string) => listeners.push(type));
  vi.stubGlobal('removeEventListener', (type: string) => listeners.splice(listeners.indexOf(type), 1));
  const http = openHttpTransport();
  const reading = read(http.transport.run(trigger, createIO()));
  await turn();
  http.say(start, '1');
  await reading.until(1);
  const { connection } = openSocketTransport();
  await connection.connect();
  expect(listeners).toEqual(['pagehide', 'pageshow', 'pagehide', 'pageshow', 'online', 'offline']);
  http.say({ type: 'finish', finishReason: 'stop' }, '2');
  await reading.done;
  connection.disconnect();
  expect(listeners).toEqual([]);
});
