import { describe, expect, test } from 'vitest';
import type { OpenCommand } from '../../../src/core/protocol/commands.ts';
import type { NativePayload } from '../../../src/core/protocol/native-encode.ts';
import type { AgentTransport } from '../../../src/core/transport/agent-transport.ts';
import { createFallbackTransport } from '../../../src/core/transport/create-fallback-transport.ts';
import { createHttpTransport } from '../../../src/core/transport/create-http-transport.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { delta, finish, numbered, openSocketTransport, start } from './open-socket-transport.ts';
import { createIO, read } from './support.ts';

const open: OpenCommand = { type: 'open' };
const follow: OpenCommand = { type: 'open', executionId: 'e1', cursor: '4', follow: true };
const message = { id: 'm1', role: 'user', parts: [], status: 'done', createdAt: '2026-01-01T00:00:00.000Z' };
const atRest = { type: 'snapshot', messages: [message], openCalls: [] };
const underWay = { ...atRest, executionId: 'e1', cursor: '0' };
const waiting = {
  ...underWay,
  cursor: '4',
  openCalls: [{ toolCallId: 'c1', toolName: 'ask', args: {} }],
};
const acknowledged = { type: 'tool-result-acknowledged', toolCallId: 'c1', status: 'accepted' };

/** Events with numbers as their SSE ids. */
const sse = (...events: readonly (readonly [id: number | undefined, event: object])[]) =>
  new Response(
    events.map(([id, event]) => `${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join(''),
  );

function openHttp(...responses: (Response | Error)[]) {
  const clock = createManualClock();
  const posted: NativePayload[] = [];
  const transport = createHttpTransport({
    clock,
    random: () => 0,
    async request(payload) {
      posted.push(payload);
      const response = responses[Math.min(posted.length, responses.length) - 1];
      if (!(response instanceof Response)) throw response;
      return response.clone();
    },
  });
  return { clock, posted, transport };
}

function readOpen(transport: AgentTransport, command = open, io = createIO()) {
  if (!transport.open) throw new Error('the transport cannot open conversations');
  return read(transport.open(command, io));
}

describe('over HTTP', () => {
  test.each([
    ['in which nothing runs', atRest],
    ['that waits', waiting],
  ])('the snapshot of a conversation %s is the whole response', async (_name, snapshot) => {
    const { posted, transport, clock } = openHttp(sse([undefined, snapshot]));
    const reading = readOpen(transport);
    await clock.advance(60_000);
    await reading.done;
    expect(reading.types()).toEqual(['snapshot']);
    expect(posted).toEqual([{ type: 'open' }]);
  });

  test('a response that ends before the snapshot is opened again', async () => {
    const { posted, transport, clock } = openHttp(sse(), sse([undefined, atRest]));
    const reading = readOpen(transport);
    await clock.advance(1_000);
    await reading.done;
    expect(reading.types()).toEqual(['snapshot']);
    expect(posted).toEqual([open, open]);
  });

  test('a run that is cut before its start is opened again', async () => {
    const { posted, transport, clock } = openHttp(
      sse([undefined, underWay]),
      sse([undefined, underWay], [1, start], [2, delta('Hi')], [3, finish]),
    );
    const reading = readOpen(transport);
    await clock.advance(1_000);
    await reading.done;
    expect(reading.types()).toEqual(['snapshot', 'snapshot', 'start', 'text-delta', 'finish']);
    expect(posted).toEqual([open, open]);
  });

  test('a run that is cut after its start is resumed, and no event comes twice', async () => {
    const { posted, transport, clock } = openHttp(
      sse([undefined, underWay], [1, start], [2, delta('Hi')]),
      sse([2, delta('Hi')], [3, finish]),
    );
    const reading = readOpen(transport);
    await clock.advance(1_000);
    await reading.done;
    expect(reading.types()).toEqual(['snapshot', 'start', 'text-delta', 'finish']);
    expect(posted).toEqual([open, { type: 'resume', executionId: 'e1', cursor: '2' }]);
  });

  test('a follow is opened again without end, and an acknowledgement comes once', async () => {
    const offline = Array.from({ length: 20 }, () => new TypeError('offline'));
    const again = sse([5, acknowledged], [6, start], [7, finish]);
    const { posted, transport, clock } = openHttp(sse([5, acknowledged]), ...offline, again);
    const reading = readOpen(transport, follow);
    await clock.advance(3_600_000);
    await reading.done;
    expect(reading.types()).toEqual(['tool-result-acknowledged', 'start', 'finish']);
    expect(posted).toHaveLength(22);
  });

  test('a snapshot in a follow begins another run, whose events count from its start', async () => {
    const { transport } = openHttp(
      sse([undefined, { ...underWay, executionId: 'e2' }], [1, { ...start, executionId: 'e2' }], [2, finish]),
    );
    const reading = readOpen(transport, follow);
    await reading.done;
    expect(reading.types()).toEqual(['snapshot', 'start', 'finish']);
  });

  test('a server that refuses to open throws its own error', async () => {
    const refusal = Response.json({ error: 'Unknown request', code: 'invalid_request' }, { status: 400 });
    const { posted, transport } = openHttp(refusal);
    const reading = readOpen(transport);
    await reading.done;
    expect(reading.ending).toMatchObject({ code: 'http_error', message: 'Unknown request' });
    expect(posted).toHaveLength(1);
  });

  test.each([
    ['messages that are no list', { ...atRest, messages: 'none' }, 'messages is "none", expected a list'],
    [
      'a message without parts',
      { ...atRest, messages: [{ ...message, parts: 1 }] },
      'messages[0].parts is 1',
    ],
    [
      'a date that is none',
      { ...atRest, messages: [{ ...message, createdAt: 'soon' }] },
      'messages[0].createdAt is "soon"',
    ],
    [
      'a call without an id',
      { ...atRest, openCalls: [{ toolName: 'ask', args: {} }] },
      'openCalls[0].toolCallId is undefined',
    ],
  ])('a snapshot with %s is an invalid event that names the fault', async (_name, snapshot, fault) => {
    const reading = readOpen(openHttp(sse([undefined, snapshot])).transport);
    await reading.done;
    expect(reading.ending).toMatchObject({ code: 'invalid_event', message: expect.stringContaining(fault) });
  });
});

describe('over a socket', () => {
  test('the snapshot of a conversation in which nothing runs ends the stream', async () => {
    const { server, clock, transport } = openSocketTransport();
    const reading = readOpen(transport);
    await clock.advance(0);
    expect(server.socket.sent).toEqual([open]);
    server.socket.say(atRest);
    await reading.done;
    expect(reading.types()).toEqual(['snapshot']);
  });

  test('a follow goes on after the snapshot of a conversation that waits, until its run ends', async () => {
    const { server, clock, transport } = openSocketTransport();
    const reading = readOpen(transport, follow);
    await clock.advance(0);
    server.socket.say({ ...waiting, executionId: 'e1' });
    server.socket.say(numbered(5, acknowledged));
    server.socket.say(numbered(6, start));
    server.socket.say(numbered(7, finish));
    await reading.done;
    expect(reading.types()).toEqual(['snapshot', 'tool-result-acknowledged', 'start', 'finish']);
  });

  test('a follow takes over the run of another execution', async () => {
    const { server, clock, transport } = openSocketTransport();
    const reading = readOpen(transport, follow);
    await clock.advance(0);
    server.socket.say(numbered(5, acknowledged));
    server.socket.say(numbered(0, { ...underWay, executionId: 'e2' }, 'e2'));
    server.socket.say(numbered(1, { ...start, executionId: 'e2' }, 'e2'));
    server.socket.say(numbered(2, finish, 'e2'));
    await reading.done;
    expect(reading.types()).toEqual(['tool-result-acknowledged', 'snapshot', 'start', 'finish']);
  });

  test('an opened run is resumed over the next connection', async () => {
    const { server, clock, transport } = openSocketTransport();
    const reading = readOpen(transport);
    await clock.advance(0);
    server.socket.say(underWay);
    server.socket.say(numbered(1, start));
    await reading.until(2);
    server.socket.close();
    await clock.advance(1_000);
    expect(server.socket.sent).toEqual([{ type: 'resume', executionId: 'e1', cursor: '1' }]);
    server.socket.say(numbered(2, finish));
    await reading.done;
    expect(reading.types()).toEqual(['snapshot', 'start', 'finish']);
  });
});

test('a fallback opens through the next transport if the first cannot connect', async () => {
  const { transport: http, posted } = openHttp(sse([undefined, atRest]));
  const { server, transport: socket } = openSocketTransport({ reconnect: false });
  server.refuse = true;
  const reading = readOpen(createFallbackTransport([socket, http]));
  await reading.done;
  expect(reading.types()).toEqual(['snapshot']);
  expect(posted).toEqual([open]);
});

test('a transport that cannot open conversations says so in its capabilities', () => {
  const run = () => {
    throw new AgentChatError({ code: 'connection_failed', message: 'unused' });
  };
  const { transport: http } = openHttp();
  const plain: AgentTransport = { capabilities: { ...http.capabilities, open: false }, run };
  expect([http.capabilities.open, createFallbackTransport([plain, http]).capabilities.open]).toEqual([
    true,
    false,
  ]);
});
