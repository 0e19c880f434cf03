import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createSocketTransport } from '../../../src/core/transport/create-socket-transport.ts';
import {
  beginRun,
  delta,
  finish,
  numbered,
  openSocketTransport,
  resume,
  start,
} from './open-socket-transport.ts';
import { collect, createIO, read, trigger } from './support.ts';

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

  test('sends one frame per payload, and serves one run after the other over a socket', async () => {
    const frames: unknown[] = [];
    const url = await serve((frame, socket) => {
      frames.push(frame);
      for (const event of [start, delta('hi'), finish]) socket.send(JSON.stringify(event));
    });
    const transport = createSocketTransport({ connect: () => new WebSocket(url) });
    for (let run = 0; run < 2; run++) {
      expect(await collect(transport.run(trigger, createIO()))).toEqual([start, delta('hi'), finish]);
    }
    expect(frames).toEqual([trigger, trigger]);
    transport.connection?.disconnect();
  });

  test('reconnects and resumes a run when its connection breaks', async () => {
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
    const events = await collect(transport.run(trigger, createIO()));
    expect(events.map(({ cursor }) => cursor)).toEqual(['1', '2', '3', '4']);
    expect(frames).toEqual([trigger, resume('2')]);
    transport.connection?.disconnect();
  });

  test('fails with connection_lost when a server of an open socket sends garbage', async () => {
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
    await expect(collect(transport.run(trigger, createIO()))).rejects.toMatchObject({
      code: 'connection_lost',
    });
    expect(transport.connection?.getStatus().state).toBe('disconnected');
  });

  test('fails with connection_failed when the server is down', async () => {
    const url = await serve(() => {});
    await close();
    close = async () => {};
    const transport = createSocketTransport({ connect: () => new WebSocket(url) });
    await expect(transport.connection?.connect()).rejects.toMatchObject({ code: 'connection_failed' });
    expect(transport.connection?.getStatus().state).toBe('error');
  });
});

describe('frames', () => {
  test('passes every parsed frame to onMessage, events to the run and unknown frames to onUnknownEvent', async () => {
    const messages: unknown[] = [];
    const { server, transport, clock } = openSocketTransport({ onMessage: (data) => messages.push(data) });
    const io = createIO();
    const reading = read(transport.run(trigger, io));
    await clock.advance(0);
    const own = { type: 'presence', users: 3 };
    server.socket.say(start, own, '{"broken', { type: 'heartbeat' }, finish, own);
    await reading.done;
    expect(messages).toEqual([start, own, { type: 'heartbeat' }, finish, own]);
    expect(reading.events).toEqual([start, finish]);
    expect(io.unknown).toEqual([own, '{"broken']);
  });

  test('fails a run with a retryable error when another request takes its socket', async () => {
    const { server, transport, clock } = openSocketTransport();
    const first = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(start, delta('a'));
    const second = read(transport.run(trigger, createIO()));
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

  test('drops events that come without a request', async () => {
    const { server, transport, clock, connection } = openSocketTransport();
    await connection.connect();
    server.socket.say(start, delta('a'), finish);
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(start, finish);
    await reading.done;
    expect(reading.events).toEqual([start, finish]);
  });

  test('yields events that arrive together as one array', async () => {
    const { server, transport, clock } = openSocketTransport();
    const batches: unknown[] = [];
    const done = (async () => {
      for await (const batch of transport.run(trigger, createIO())) batches.push(batch);
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

  test('fails a run with invalid_event for a malformed client-tool-request', async () => {
    const { server, transport, clock } = openSocketTransport();
    const reading = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    const raw = { type: 'client-tool-request', executionId: 'e1', toolCalls: 'x' };
    server.socket.say(start, raw);
    await reading.done;
    expect(reading.events).toEqual([start]);
    expect(reading.ending).toMatchObject({ code: 'invalid_event', cause: raw });
  });

  test('stop sends a frame and drops the later events of the run', async () => {
    const { server, transport, clock } = openSocketTransport();
    const io = createIO();
    const reading = read(transport.run(trigger, io));
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

  test('stop names the run when the server numbers its frames', async () => {
    const opened = openSocketTransport();
    const { server, transport } = opened;
    const io = createIO();
    await beginRun(opened, io);
    io.abort();
    await transport.stop?.({ type: 'stop', executionId: 'e1' });
    expect(server.socket.sent).toEqual([trigger, { type: 'stop', executionId: 'e1' }]);
  });
});
