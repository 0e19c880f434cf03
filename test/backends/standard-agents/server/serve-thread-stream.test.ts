/** The stream of a thread over a real WebSocket and over sockets that misbehave. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { defineTool } from '../../../../src/backends/standard-agents/server/define-tool.ts';
import type { ThreadFrame } from '../../../../src/backends/standard-agents/server/thread-frames.ts';
import { call, createScriptedModel, openRuntime, say } from './open-runtime.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const USAGE = { model: 'demo', inputTokens: 5, outputTokens: 2, cost: 0.01, cached: 1 };

test('a thread streams its status, messages, chunks in order, telemetry and custom events over a WebSocket', async () => {
  const greet = defineTool({
    description: 'd',
    execute(state) {
      state.emit('greeted', { by: 'tool' });
      return { status: 'success', result: 'hi' };
    },
  });
  const { model } = createScriptedModel(
    [
      { type: 'reasoning-delta', delta: 'Hm' },
      say('Wa'),
      say('it'),
      ...call('greet'),
      { type: 'finish', usage: USAGE },
    ],
    [say('Done'), { type: 'finish' }],
  );
  const { runtime, createThread, ask } = openRuntime({ model, tools: { greet } });
  const id = await createThread();

  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  cleanUps.push(() => new Promise((resolve) => server.close(resolve)));
  server.on('connection', async (socket, request) => {
    const threadId = await runtime.authorizeStream(request.url ?? '');
    if (threadId === undefined) socket.close(4401);
    else await runtime.serveStream(socket, threadId);
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}/app/api/threads/${id}/stream?token=ann`);
  cleanUps.push(() => client.terminate());
  const frames: ThreadFrame[] = [];
  const ended = new Promise<void>((resolve) => {
    client.on('message', (data) => {
      const frame: ThreadFrame = JSON.parse(String(data));
      frames.push(frame);
      if (frames.length === 1) void ask('POST', `/${id}/messages`, { role: 'user', content: 'Hi' });
      else if (frame.type === 'status' && frame.status === 'idle') resolve();
    });
  });
  await ended;

  const [first, second] = frames.flatMap((frame) =>
    frame.type === 'message_data' && frame.message.role === 'assistant' && frame.message.status === 'pending'
      ? [frame.message.id]
      : [],
  );
  const message = (fields: object) => ({ type: 'message_data', message: expect.objectContaining(fields) });
  const chunk = (messageId: string | undefined, index: number, kind: string, text: string) => ({
    type: 'message_chunk',
    messageId,
    chunk: text,
    index,
    kind,
  });
  expect(frames).toEqual([
    { type: 'status', status: 'idle' },
    { type: 'status', status: 'running' },
    message({ role: 'user', content: 'Hi', status: 'completed' }),
    message({ id: first, status: 'pending', content: null }),
    chunk(first, 0, 'reasoning', 'Hm'),
    chunk(first, 1, 'content', 'Wa'),
    chunk(first, 2, 'content', 'it'),
    { type: 'telemetry', ...USAGE },
    message({ id: first, status: 'completed', content: 'Wait', reasoning_content: 'Hm' }),
    { type: 'custom', eventType: 'greeted', data: { by: 'tool' } },
    message({ role: 'tool', content: 'hi', tool_call_id: 'greet-1' }),
    message({ id: second, status: 'pending', content: null }),
    chunk(second, 0, 'content', 'Done'),
    message({ id: second, status: 'completed', content: 'Done', tool_calls: null }),
    { type: 'status', status: 'idle' },
  ]);
});

test('only the user of a thread may follow it', async () => {
  const { runtime, createThread } = openRuntime();
  const id = await createThread();
  const check = (path: string) => runtime.authorizeStream(`/api/threads/${path}`);
  expect(await check(`${id}/stream?token=ann`)).toBe(id);
  expect(await runtime.authorizeStream(`ws://localhost/x/api/threads/${id}/stream?token=ann`)).toBe(id);
  expect(await check(`${id}/stream?token=eve`)).toBeUndefined();
  expect(await check(`${id}/stream`)).toBeUndefined();
  expect(await check(`${id}/messages?token=ann`)).toBeUndefined();
  expect(await check('nowhere/stream?token=ann')).toBeUndefined();
  expect(await runtime.authorizeStream('/other')).toBeUndefined();
  await expect(runtime.serveStream({ send() {} }, 'nowhere')).rejects.toThrow('There is no thread nowhere');
});

/** A socket with handler properties. */
function createSocket(send: (data: string) => void = () => {}) {
  const frames: ThreadFrame[] = [];
  const socket = {
    readyState: 1,
    onmessage: null as ((event: { data: unknown }) => unknown) | null,
    onclose: null as (() => unknown) | null,
    send(data: string) {
      frames.push(JSON.parse(data));
      send(data);
    },
  };
  return { socket, frames };
}

test('a ping of the client gets a pong, and other frames get nothing', async () => {
  const { runtime, createThread } = openRuntime();
  const { socket, frames } = createSocket();
  await runtime.serveStream(socket, await createThread());
  for (const data of ['{"type":"ping"}', '{"type":"pong"}', 'no JSON', '[]', 7]) socket.onmessage?.({ data });
  expect(frames).toEqual([{ type: 'status', status: 'idle' }, { type: 'pong' }]);
});

test('the server pings a silent connection every 25 seconds until it closes', async () => {
  const { runtime, clock, createThread } = openRuntime();
  const { socket, frames } = createSocket();
  await runtime.serveStream(socket, await createThread());
  await clock.advance(50_000);
  expect(frames.slice(1)).toEqual([{ type: 'ping' }, { type: 'ping' }]);
  socket.onclose?.();
  await clock.advance(50_000);
  expect([frames.length, clock.waiting]).toEqual([3, 0]);
});

test('a disposed stream sends nothing more, and the other streams of the thread go on', async () => {
  const { runtime, createThread, send } = openRuntime({ model: createScriptedModel([say('Hello')]).model });
  const id = await createThread();
  const [left, stayed] = [createSocket(), createSocket()];
  const handle = await runtime.serveStream(left.socket, id);
  await runtime.serveStream(stayed.socket, id);
  handle.dispose();
  await send(id, 'Hi');
  expect(left.frames).toEqual([{ type: 'status', status: 'idle' }]);
  expect(stayed.frames.length).toBeGreaterThan(3);
});

test('a socket that throws when it is closed does not end the run of the thread', async () => {
  const { runtime, clock, createThread, send, messages } = openRuntime({
    model: createScriptedModel([say('Hello')]).model,
  });
  const id = await createThread();
  const broken = createSocket(() => {
    throw new Error('closed');
  });
  const closing = createSocket();
  await runtime.serveStream(broken.socket, id);
  await runtime.serveStream(closing.socket, id);
  closing.socket.readyState = 2;
  await send(id, 'Hi');
  expect((await messages(id)).at(-1)?.content).toBe('Hello');
  expect(broken.frames).toHaveLength(1);
  expect(closing.frames).toHaveLength(1);
  closing.socket.onclose?.();
  expect(clock.waiting).toBe(0);
});

test('a silent message is not streamed', async () => {
  const { ask, createThread, follow, rest } = openRuntime({
    model: createScriptedModel([say('Hello')]).model,
    endpoints: {
      'nudge.post.ts': async (_, state) => {
        await state.queueMessage({ role: 'system', content: 'Greet.', silent: true });
        return new Response();
      },
    },
  });
  const id = await createThread();
  const frames = await follow(id);
  await ask('POST', `/${id}/nudge`);
  await rest(id);
  expect(frames.filter((frame) => frame.type === 'message_data' && frame.message.role === 'system')).toEqual(
    [],
  );
  expect(frames.length).toBeGreaterThan(3);
});
