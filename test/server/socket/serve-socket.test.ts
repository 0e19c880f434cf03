import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import type { Agent, AgentContext } from '../../../src/server/agent.ts';
import { type AgentSession, createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import type { ServerSocket } from '../../../src/server/socket/listen-to-socket.ts';
import {
  type ServeSocketOptions,
  type SocketHandle,
  serveSocket,
} from '../../../src/server/socket/serve-socket.ts';
import { createDeferred } from '../../support/deferred.ts';
import { calls, createListAgent, createTestClock, hello, settle, stop, text } from '../support.ts';

type Frame = Record<string, unknown> & { type: string };

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function startServer(session: AgentSession, options: ServeSocketOptions = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const handles: SocketHandle[] = [];
  server.on('connection', (socket) => handles.push(serveSocket(socket, session, options)));
  await once(server, 'listening');
  cleanUps.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return { handles, connect: () => connect(`ws://127.0.0.1:${port}`) };
}

async function connect(url: string) {
  const socket = new WebSocket(url);
  const frames: Frame[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)) as Frame);
    wake();
  });
  await once(socket, 'open');
  cleanUps.push(() => socket.terminate());
  return {
    socket,
    frames,
    send: (payload: unknown) => socket.send(typeof payload === 'string' ? payload : JSON.stringify(payload)),
    /** Resolves with the first frame that matches, which may have arrived before. */
    async until(fits: (frame: Frame) => boolean): Promise<Frame> {
      for (;;) {
        const frame = frames.find(fits);
        if (frame) return frame;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

const isType = (type: string) => (frame: Frame) => frame.type === type;
const typesOf = (frames: readonly Frame[]) => frames.map((frame) => frame.type);

/** A socket without a network, to observe states that `ws` hides. */
function createFakeSocket(more: Partial<ServerSocket> = {}) {
  const frames: Frame[] = [];
  const socket: ServerSocket & { bufferedAmount: number } = {
    readyState: 1,
    bufferedAmount: 0,
    send: (data) => void frames.push(JSON.parse(data) as Frame),
    ...more,
  };
  const deliver = (payload: unknown) => socket.onmessage?.({ data: JSON.stringify(payload) } as never);
  return { socket, frames, deliver };
}

describe('over a real socket', () => {
  it('serveSocket sends a turn with a client tool as bare events with seq and executionId', async () => {
    const session = createAgentSession({
      id: 's',
      agent: createListAgent(calls('ask'), [...text('ok'), stop]),
    });
    const client = await (await startServer(session)).connect();
    client.send(hello);
    const request = await client.until(isType('client-tool-request'));
    const { executionId } = request;
    // The client answers in the same tick, before the finish of the first request has arrived.
    client.send({ type: 'continue', executionId, toolResults: [{ toolCallId: 'ask-id', result: 1 }] });
    await client.until((frame) => frame.finishReason === 'stop');
    expect(typesOf(client.frames)).toEqual([
      ...['start', 'client-tool-request', 'finish'],
      ...['start', 'text-start', 'text-delta', 'text-end', 'finish'],
    ]);
    expect(client.frames.map((frame) => frame.seq)).toEqual([1, 2, 3, 4, 6, 7, 8, 9]);
    expect(new Set(client.frames.map((frame) => frame.executionId))).toEqual(new Set([executionId]));
    expect(client.frames.some((frame) => 'cursor' in frame)).toBe(false);
  });

  it('serveSocket ends the streaming run first when a trigger arrives', async () => {
    const hold = createDeferred<never>();
    const agent: Agent = async function* ({ messages }) {
      yield* text(`answer ${messages.length}`);
      if (messages.length === 1) await hold.promise;
    };
    const client = await (await startServer(createAgentSession({ id: 's', agent }))).connect();
    client.send(hello);
    const first = await client.until(isType('text-end'));
    client.send({ ...hello, input: { USER_MESSAGE: 'again' } });
    await client.until((frame) => frame.type === 'finish' && frame.executionId !== first.executionId);
    const finish = client.frames.findIndex((frame) => frame.type === 'finish');
    const nextStart = client.frames.findLastIndex((frame) => frame.type === 'start');
    expect(client.frames[finish]).toMatchObject({ finishReason: 'stop', executionId: first.executionId });
    expect(finish).toBeLessThan(nextStart);
  });

  it('serveSocket puts the requestId of the request on its start', async () => {
    const session = createAgentSession({ id: 's', agent: createListAgent([...text('a'), stop]) });
    const { connect } = await startServer(session);
    const client = await connect();
    client.send(hello);
    client.send({ ...hello, requestId: 'r2' });
    await client.until((frame) => frame.requestId === 'r2');
    const starts = client.frames.filter(isType('start'));
    expect(starts.map(({ requestId }) => requestId)).toEqual(['', 'r2']);
    expect(new Set(starts.map(({ executionId }) => executionId)).size).toBe(2);
  });

  it('serveSocket puts the requestId of the request on its refusal, and none on that of a frame that is no request', async () => {
    const session = createAgentSession({ id: 's', agent: createListAgent([...text('a'), stop]) });
    const { connect } = await startServer(session);
    const client = await connect();
    client.send({ type: 'continue', executionId: 'e', toolResults: [], requestId: 'r1' });
    client.send('no JSON');
    await client.until((frame) => frame.code === 'invalid_frame');
    const refused = await client.until((frame) => frame.code === 'unknown_execution');
    expect(refused.requestId).toBe('r1');
    expect(client.frames.find(({ code }) => code === 'invalid_frame')).not.toHaveProperty('requestId');
  });

  it('serveSocket names the execution that waits in the snapshot for a follower of an earlier one', async () => {
    const agent = createListAgent(calls('ask'));
    const session = createAgentSession({ id: 's', agent });
    const { connect } = await startServer(session);
    const client = await connect();
    client.send(hello);
    const { executionId, seq } = await client.until(isType('finish'));
    const other = await connect();
    other.send({ ...hello, input: { USER_MESSAGE: 'other' } });
    const next = await other.until(isType('finish'));
    client.send({ type: 'open', follow: true, executionId, cursor: String(seq) });
    const snapshot = await client.until(isType('snapshot'));
    expect(snapshot.executionId).toBe(next.executionId);
  });

  it('serveSocket takes the answer of a client that follows the conversation over the same socket', async () => {
    const session = createAgentSession({
      id: 's',
      agent: createListAgent(calls('ask'), [...text('ok'), stop]),
    });
    const client = await (await startServer(session)).connect();
    client.send(hello);
    const { executionId, seq } = await client.until((frame) => frame.finishReason === 'client-tool-calls');
    client.send({ type: 'open', executionId, cursor: String(seq), follow: true });
    client.send({ type: 'continue', executionId, toolResults: [{ toolCallId: 'ask-id', result: 1 }] });
    await client.until((frame) => frame.finishReason === 'stop');
    expect(typesOf(client.frames).slice(3)).toEqual([
      ...['start', 'text-start', 'text-delta', 'text-end', 'finish'],
    ]);
  });

  it('serveSocket ends the run at once on a stop', async () => {
    const contexts: AgentContext[] = [];
    const agent: Agent = async function* (context) {
      contexts.push(context);
      yield* text('one');
      await new Promise<never>(() => {});
    };
    const client = await (await startServer(createAgentSession({ id: 's', agent }))).connect();
    client.send(hello);
    await client.until(isType('text-end'));
    client.send({ type: 'stop' });
    expect(await client.until(isType('finish'))).toMatchObject({ finishReason: 'stop' });
    expect(contexts[0]?.signal.aborted).toBe(true);
  });

  it('a run waits for a resume over another socket when its socket closes', async () => {
    const clock = createTestClock();
    const gate = createDeferred();
    const contexts: AgentContext[] = [];
    const agent: Agent = async function* (context) {
      contexts.push(context);
      yield* text('one');
      await gate.promise;
      yield* text('two', 'u');
    };
    const server = await startServer(createAgentSession({ id: 's', agent, clock }), { clock });
    const first = await server.connect();
    first.send(hello);
    const { executionId, seq } = await first.until(isType('text-end'));
    first.socket.close();
    await once(first.socket, 'close');
    clock.advance(59_000);
    const second = await server.connect();
    second.send({ type: 'resume', executionId, cursor: String(Number(seq) - 1) });
    expect(await second.until(isType('text-end'))).toMatchObject({ seq, executionId });
    gate.resolve();
    await second.until(isType('finish'));
    expect(second.frames.map((frame) => frame.seq)).toEqual([4, 5, 6, 7, 8]);
    expect(contexts).toHaveLength(1);
  });

  it('serveSocket answers an invalid frame with an error frame and changes nothing', async () => {
    const agent = createListAgent([stop]);
    const client = await (
      await startServer(createAgentSession({ id: 's', agent }), { maxFrameLength: 100 })
    ).connect();
    for (const frame of ['not json', '[1]', '{"type":"dance"}', `"${'x'.repeat(200)}"`]) client.send(frame);
    client.socket.send(Buffer.from(JSON.stringify(hello)));
    await client.until(isType('finish'));
    const errors = client.frames.filter((frame) => frame.type === 'error');
    expect(errors.map((frame) => frame.code).sort()).toEqual([
      'frame_too_large',
      'invalid_frame',
      'invalid_frame',
      'invalid_request',
    ]);
    expect(errors.find((frame) => frame.code === 'frame_too_large')).toMatchObject({
      message:
        'A frame may have 100 characters, this one has 202. Send less, or raise maxFrameLength on the server.',
    });
    expect(errors.some((frame) => 'seq' in frame)).toBe(false);
    expect(agent.contexts).toHaveLength(1);
  });

  it('serveSocket refuses a repeated continue while its run goes on', async () => {
    const gate = createDeferred();
    let invocations = 0;
    const agent: Agent = async function* () {
      invocations += 1;
      if (invocations === 1) yield* calls('ask');
      await gate.promise;
      yield* text('done');
    };
    const client = await (await startServer(createAgentSession({ id: 's', agent }))).connect();
    client.send(hello);
    const { executionId } = await client.until(isType('client-tool-request'));
    const answer = { type: 'continue', executionId, toolResults: [{ toolCallId: 'ask-id', result: 1 }] };
    client.send(answer);
    client.send(answer);
    expect(await client.until(isType('error'))).toMatchObject({ code: 'already_answered', executionId });
    gate.resolve();
    expect(await client.until((frame) => frame.finishReason === 'stop')).toMatchObject({ executionId });
    expect(invocations).toBe(2);
  });
});

describe('over any socket', () => {
  it('serveSocket sends heartbeats only while it sends nothing else', async () => {
    const clock = createTestClock();
    const { socket, frames, deliver } = createFakeSocket();
    const session = createAgentSession({ id: 's', agent: createListAgent([stop]) });
    const handle = serveSocket(socket, session, { clock, heartbeatMs: 1_000 });
    clock.advance(900);
    deliver(hello);
    await settle();
    expect(typesOf(frames)).toEqual(['start', 'finish']);
    clock.advance(999);
    expect(frames).toHaveLength(2);
    clock.advance(1_001);
    // They say how many frames of the client have arrived.
    const heartbeat = { type: 'heartbeat', received: 1 };
    expect(frames.slice(2)).toEqual([heartbeat, heartbeat]);
    handle.dispose();
    clock.advance(60_000);
    expect(frames).toHaveLength(4);
    expect(clock.waiting()).toBe(0);
  });

  it('serveSocket sends no heartbeats when heartbeatMs is 0', () => {
    const clock = createTestClock();
    const session = createAgentSession({ id: 's', agent: createListAgent([stop]) });
    serveSocket(createFakeSocket().socket, session, { clock, heartbeatMs: 0 });
    expect(clock.waiting()).toBe(0);
  });

  it('serveSocket does not pull the run while the socket buffer is full', async () => {
    const clock = createTestClock();
    const { socket, frames, deliver } = createFakeSocket();
    let yielded = 0;
    const agent: Agent = async function* () {
      for (;;) yield { type: 'notice', code: 'n', text: String(++yielded) };
    };
    const send = socket.send;
    socket.send = (data) => {
      send(data);
      if (frames.length === 3) (socket as { bufferedAmount: number }).bufferedAmount = 2_000;
    };
    const session = createAgentSession({ id: 's', agent });
    const handle = serveSocket(socket, session, { clock, maxBufferedBytes: 1_000, resumeWindowMs: 0 });
    deliver(hello);
    await settle();
    clock.advance(100);
    await settle();
    expect([frames.length, yielded]).toEqual([3, 2]);
    handle.dispose();
    (socket as { bufferedAmount: number }).bufferedAmount = 0;
    clock.advance(20);
    await settle();
    expect([frames.length, yielded]).toEqual([3, 2]);
  });

  it('serveSocket asks a full socket for room after 1, 2, 4, 8, 16 and then every 20 milliseconds', async () => {
    const clock = createTestClock();
    const { socket, frames, deliver } = createFakeSocket();
    const send = socket.send;
    socket.send = (data) => {
      send(data);
      socket.bufferedAmount = 2_000;
    };
    const agent: Agent = async function* () {
      for (;;) yield { type: 'notice', code: 'n', text: 'n' };
    };
    const session = createAgentSession({ id: 's', agent });
    const handle = serveSocket(socket, session, { clock, heartbeatMs: 0, maxBufferedBytes: 1_000 });
    deliver(hello);
    await settle();
    const waits: number[] = [];
    for (const readAfterMs of [0, 1, 3, 30, 50]) {
      const before = frames.length;
      let waited = 0;
      while (frames.length === before) {
        if (waited === readAfterMs) socket.bufferedAmount = 0;
        clock.advance(1);
        waited += 1;
        await settle();
      }
      waits.push(waited);
    }
    expect(waits).toEqual([1, 3, 7, 31, 51]);
    handle.dispose();
  });

  it('serveSocket gives other work a turn after 64 Ki of an agent that never waits', async () => {
    const clock = createTestClock();
    const { socket, frames, deliver } = createFakeSocket();
    const agent: Agent = async function* () {
      for (let line = 0; line < 20; line += 1) yield { type: 'notice', code: 'n', text: 'n'.repeat(10_000) };
    };
    const session = createAgentSession({ id: 's', agent });
    const handle = serveSocket(socket, session, { clock, heartbeatMs: 0 });
    deliver(hello);
    const seen: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      await settle();
      seen.push(frames.length);
      clock.advance(0);
    }
    expect(seen).toEqual([8, 15, 22, 22]);
    expect(typesOf(frames).at(-1)).toBe('finish');
    handle.dispose();
  });

  it.each([
    ['frames that are not requests', { type: 'dance' }],
    ['frames that are not objects', 7],
    ['requests that the session refuses', { type: 'continue', executionId: 'x', toolResults: [] }],
  ])('serveSocket holds back the refusals of 2,000 %s while the client does not read', async (_, frame) => {
    const clock = createTestClock();
    const { socket, frames, deliver } = createFakeSocket();
    const send = socket.send;
    socket.send = (data) => {
      send(data);
      socket.bufferedAmount += data.length;
    };
    const session = createAgentSession({ id: 's', agent: createListAgent([stop]) });
    const handle = serveSocket(socket, session, { clock, maxBufferedBytes: 1_000, heartbeatMs: 1_000 });
    for (let sent = 0; sent < 2_000; sent += 1) deliver(frame);
    await settle();
    clock.advance(60_000);
    await settle();
    const longest = Math.max(...frames.map((each) => JSON.stringify(each).length));
    expect(socket.bufferedAmount).toBeLessThanOrEqual(1_000 + longest);
    const before = frames.length;
    for (let drained = 0; drained < 50; drained += 1) {
      socket.bufferedAmount = 0;
      clock.advance(20);
      await settle();
    }
    // The client has got the refusals that waited, and is served again.
    expect(frames.length).toBeGreaterThan(before);
    expect(frames.length).toBeLessThanOrEqual(150);
    deliver(hello);
    await settle();
    expect(typesOf(frames)).toContain('finish');
    handle.dispose();
  });

  it('serveSocket sends the last events of a run before the next run, also when the buffer was full', async () => {
    const clock = createTestClock();
    const { socket, frames, deliver } = createFakeSocket();
    const agent: Agent = async function* ({ messages }) {
      if (messages.length > 1) return;
      yield* text('one');
      await new Promise<never>(() => {});
    };
    const handle = serveSocket(socket, createAgentSession({ id: 's', agent }), { clock });
    const send = socket.send;
    socket.send = (data) => {
      send(data);
      if (frames.length === 1) (socket as { bufferedAmount: number }).bufferedAmount = Number.MAX_VALUE;
    };
    deliver(hello);
    await settle();
    deliver({ ...hello, input: { USER_MESSAGE: 'again' } });
    await settle();
    expect(typesOf(frames)).toEqual(['start']);
    (socket as { bufferedAmount: number }).bufferedAmount = 0;
    clock.advance(20);
    await settle();
    expect(typesOf(frames)).toEqual(['start', 'finish', 'start', 'finish']);
    handle.dispose();
  });

  it('a resume over the same socket takes over without an error', async () => {
    const gate = createDeferred();
    const agent: Agent = async function* () {
      yield* text('one');
      await gate.promise;
    };
    const { socket, frames, deliver } = createFakeSocket();
    const handle = serveSocket(socket, createAgentSession({ id: 's', agent }), { clock: createTestClock() });
    deliver(hello);
    await settle();
    deliver({ type: 'resume', executionId: frames[0]?.executionId, cursor: '2' });
    await settle();
    gate.resolve();
    await settle();
    expect(frames.map((frame) => frame.seq)).toEqual([1, 2, 3, 4, 3, 4, 5]);
    expect(typesOf(frames)).not.toContain('error');
    handle.dispose();
  });

  it('a resume over another socket takes over, and the earlier socket gets resumed_elsewhere', async () => {
    const agent: Agent = async function* () {
      yield* text('one');
      await new Promise<never>(() => {});
    };
    const session = createAgentSession({ id: 's', agent });
    const clock = createTestClock();
    const [old, fresh] = [createFakeSocket(), createFakeSocket()];
    const handles = [old, fresh].map(({ socket }) => serveSocket(socket, session, { clock }));
    old.deliver(hello);
    await settle();
    fresh.deliver({ type: 'resume', executionId: old.frames[0]?.executionId, cursor: '2' });
    await settle();
    expect(old.frames.slice(4)).toMatchObject([{ type: 'error', code: 'resumed_elsewhere' }]);
    expect(fresh.frames.map((frame) => frame.seq)).toEqual([3, 4]);
    for (const handle of handles) handle.dispose();
  });

  it('serveSocket reads frames as text, as bytes and as lists of buffers', async () => {
    const { socket, frames } = createFakeSocket();
    const agent = createListAgent([stop]);
    serveSocket(socket, createAgentSession({ id: 's', agent }), { clock: createTestClock() });
    const bytes = Buffer.from(JSON.stringify({ ...hello, input: { USER_MESSAGE: 'Grüße' } }));
    const cut = bytes.indexOf('ü') + 1;
    const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
    for (const data of [bytes.toString(), bytes, pieces, [1], 5]) {
      socket.onmessage?.({ data } as never);
      await settle();
    }
    const said = agent.contexts.map(({ messages }) => messages.at(-1));
    expect(said).toMatchObject(Array.from({ length: 3 }, () => ({ content: 'Grüße' })));
    expect(frames.slice(6)).toMatchObject([{ code: 'invalid_frame' }, { code: 'invalid_frame' }]);
  });

  it('serveSocket listens to sockets with on and off', async () => {
    const listeners = new Map<string, (data: unknown) => void>();
    const { socket, frames } = createFakeSocket({
      on: (type, listener) => listeners.set(type, listener),
      off: (type) => listeners.delete(type),
    });
    const session = createAgentSession({ id: 's', agent: createListAgent([stop]) });
    serveSocket(socket, session, { clock: createTestClock() });
    listeners.get('message')?.(JSON.stringify(hello));
    await settle();
    expect(typesOf(frames)).toEqual(['start', 'finish']);
    listeners.get('close')?.(1000);
    expect([...listeners.keys()]).toEqual(['error']);
  });

  it('serveSocket disposes of a socket whose send throws, and its run waits for a resume', async () => {
    const clock = createTestClock();
    const signals: AbortSignal[] = [];
    const agent: Agent = async function* ({ signal }) {
      signals.push(signal);
      yield* text('one');
      await new Promise(() => {});
    };
    const session = createAgentSession({ id: 's', agent, clock });
    const { socket, frames, deliver } = createFakeSocket();
    const send = socket.send;
    socket.send = (data) => {
      if (frames.length === 2) throw new Error('The socket has closed');
      send(data);
    };
    serveSocket(socket, session, { clock, resumeWindowMs: 5_000 });
    deliver(hello);
    await settle();
    expect(typesOf(frames)).toEqual(['start', 'text-start']);
    expect([socket.onmessage, signals[0]?.aborted]).toEqual([null, false]);
    clock.advance(5_000);
    expect([clock.waiting(), signals[0]?.aborted]).toEqual([0, true]);
  });

  it.each([
    ['the resumeWindowMs of the session', { resumeWindowMs: 300_000 }, {}, 300_000],
    [
      'the resumeWindowMs of the socket, whatever the session has',
      { resumeWindowMs: 300_000 },
      { resumeWindowMs: 5_000 },
      5_000,
    ],
    ['the default, if neither has a resumeWindowMs', {}, {}, 60_000],
  ])('a run whose socket closed waits as long as %s', async (_, ofSession, ofSocket, windowMs) => {
    const clock = createTestClock();
    const signals: AbortSignal[] = [];
    const agent: Agent = async function* ({ signal }) {
      signals.push(signal);
      yield* text('one');
      await new Promise<never>(() => {});
    };
    const session = createAgentSession({ id: 's', agent, clock, ...ofSession });
    const { socket, deliver } = createFakeSocket();
    serveSocket(socket, session, { clock, heartbeatMs: 0, ...ofSocket });
    deliver(hello);
    await settle();
    socket.onclose?.(undefined as never);
    await settle();
    clock.advance(windowMs - 1);
    expect(signals[0]?.aborted).toBe(false);
    clock.advance(1);
    expect(signals[0]?.aborted).toBe(true);
  });

  it.each([
    ['a heartbeat', () => {}],
    ['a refusal', (deliver: (payload: unknown) => void) => deliver([])],
  ])('serveSocket disposes of a socket that throws at %s', async (_, begin) => {
    const clock = createTestClock();
    const { socket, deliver } = createFakeSocket({
      send() {
        throw new Error('The socket has closed');
      },
    });
    serveSocket(socket, createAgentSession({ id: 's', agent: createListAgent([stop]) }), { clock });
    begin(deliver);
    clock.advance(25_000);
    expect([clock.waiting(), socket.onmessage]).toEqual([0, null]);
  });

  it.each([
    ['before it was served', { readyState: 3 }],
    ['later, without a close event', {}],
  ])('serveSocket leaves no timer for a socket that closed %s', async (_, more) => {
    const clock = createTestClock();
    const { socket } = createFakeSocket(more);
    serveSocket(socket, createAgentSession({ id: 's', agent: createListAgent([stop]) }), { clock });
    Object.assign(socket, { readyState: 3 });
    clock.advance(25_000);
    expect([clock.waiting(), socket.onmessage]).toEqual([0, null]);
  });

  it('serveSocket sends one error frame for events that throw and calls onError', async () => {
    const reported: unknown[] = [];
    const onError = (thrown: unknown) => reported.push(thrown);
    const session: AgentSession = {
      ...createAgentSession({ id: 's', agent: createListAgent([stop]) }),
      execute: async function* () {
        yield { type: 'start', executionId: 'e' };
        throw 'the database is gone';
      },
    };
    const { socket, frames, deliver } = createFakeSocket();
    const handle = serveSocket(socket, session, { clock: createTestClock(), onError });
    deliver(hello);
    await settle();
    expect(frames.at(-1)).toEqual({
      type: 'error',
      requestId: '',
      errorType: 'internal_error',
      message: 'the database is gone',
      source: 'platform',
      retryable: false,
      executionId: 'e',
    });
    expect(reported).toEqual(['the database is gone']);
    handle.dispose();
  });

  it('a socket that cannot send does not break the session', async () => {
    const { socket, frames, deliver } = createFakeSocket();
    const agent = createListAgent([stop]);
    const handle = serveSocket(socket, createAgentSession({ id: 's', agent }), { clock: createTestClock() });
    Object.assign(socket, { readyState: 3 });
    deliver(hello);
    await settle();
    expect([agent.contexts.length, frames]).toEqual([1, []]);
    handle.dispose();
  });
});

describe('the principal of serveSocket', () => {
  async function ask(options: ServeSocketOptions) {
    const agent = createListAgent([...text('Hi'), stop]);
    const session = createAgentSession({ id: 's', agent });
    const { socket, frames, deliver } = createFakeSocket();
    const handle = serveSocket(socket, session, { heartbeatMs: 0, ...options });
    deliver(hello);
    await settle();
    handle.dispose();
    return { frames, agent };
  }

  it.each([[undefined], [null]])(
    'serveSocket refuses every frame where its principal is %s, and the agent is not asked',
    async (principal) => {
      const { frames, agent } = await ask({ principal });
      expect(frames).toMatchObject([{ type: 'error', code: 'unauthorized' }]);
      expect(agent.contexts).toEqual([]);
    },
  );

  it('serveSocket serves nobody in particular where its principal is optional or not configured', async () => {
    for (const options of [{}, { principal: { optional: true, read: () => undefined } }] as const) {
      expect(typesOf((await ask(options)).frames)).toContain('text-delta');
    }
  });

  it('serveSocket names the person of an optional principal', async () => {
    const seen: unknown[] = [];
    const session = createAgentSession({
      id: 's',
      agent: createListAgent([stop]),
      mayOpen: (person) => seen.push(person.id) > 0,
    });
    const { socket, deliver } = createFakeSocket();
    const principal = { optional: true, read: () => ({ id: 'ada' }) } as const;
    const handle = serveSocket(socket, session, { heartbeatMs: 0, principal });
    deliver(hello);
    await settle();
    deliver({ type: 'open' });
    await settle();
    handle.dispose();
    expect(seen).toEqual(['ada']);
  });

  it('serveSocket refuses a principal without an id', async () => {
    const { frames, agent } = await ask({ principal: { name: 'Ada' } as never });
    expect(frames).toMatchObject([{ type: 'error', code: 'invalid_principal' }]);
    expect(agent.contexts).toEqual([]);
  });
});
