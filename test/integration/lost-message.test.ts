/** Messages whose response never reaches the page, and pages that are left in the middle of an answer, over real HTTP. */
import { expect, onTestFinished, test } from 'vitest';
import { createHttpTransport } from '../../src/core/transport/create-http-transport.ts';
import { type AgentChat, createAgentChat, createPersistence } from '../../src/core.ts';
import type { Agent } from '../../src/server/agent.ts';
import { createNodeHandler } from '../../src/server/http/create-node-handler.ts';
import { createScriptedAgent } from '../../src/server/scripted/create-scripted-agent.ts';
import { createAgentSession } from '../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../src/server/store/create-memory-session-store.ts';
import { createMemoryStorage } from '../../src/testing/memory-storage.ts';
import { createDeferred } from '../support/deferred.ts';
import { listen } from './listen.ts';
import { createGate, findPending, isAwaiting, openChat, readText } from './open-chat.ts';

/** A server with the defaults of the smallest example. */
async function openServer(agent: Agent) {
  let charged = 0;
  const store = createMemorySessionStore();
  const tools = { charge: () => ({ number: ++charged }) };
  const server = await listen(
    createNodeHandler((id = 'demo') => createAgentSession({ id, agent, store, tools })),
  );
  onTestFinished(server.close);
  const readUserMessages = async () =>
    ((await store.load('demo'))?.messages ?? []).filter(({ role }) => role === 'user').length;
  return { ...server, readUserMessages, charged: () => charged };
}

function connect({ port }: { port: number }, fetcher: typeof fetch = fetch) {
  return createHttpTransport({ url: `http://127.0.0.1:${port}/api/agent`, fetch: fetcher, reconnect: false });
}

/** Lets the server run the first request to its end, and loses the response. */
function createLosingFetch(): typeof fetch {
  let losesNext = true;
  return async (...args) => {
    const response = await fetch(...args);
    if (!losesNext) return response;
    losesNext = false;
    await response.text();
    throw new TypeError('network error');
  };
}

const hasFailed = ({ status }: { status: string }) => status === 'error';

test('retry() of a message whose response was lost shows the answer, and the agent and its tool run once', async () => {
  const server = await openServer(createScriptedAgent([{ call: 'charge' }, 'Paid.']));
  const { chat, until } = openChat({
    transport: connect(server, createLosingFetch()),
    close: async () => {},
  });
  void chat.sendMessage('Pay');
  expect((await until(hasFailed)).error?.code).toBe('connection_failed');
  await chat.retry();
  expect(readText(chat.getState())).toBe('Paid.');
  expect([server.charged(), await server.readUserMessages()]).toEqual([1, 1]);
});

test('retry() of a message whose question was lost opens the question, and its answer reaches the run', async () => {
  const server = await openServer(
    createScriptedAgent([{ call: 'confirm' }, ({ result }) => `You said ${result('confirm')?.result}`]),
  );
  const { chat, until } = openChat(
    { transport: connect(server, createLosingFetch()), close: async () => {} },
    { confirm: 'interactive' },
  );
  void chat.sendMessage('Order');
  await until(hasFailed);
  void chat.retry();
  findPending(await until(isAwaiting), 'confirm').submit('yes');
  expect(readText(await until(({ status }) => status === 'idle'))).toBe('You said yes');
  expect(await server.readUserMessages()).toBe(1);
});

test('a page that is reloaded in the middle of an answer gets the rest of it, and the agent ran once', async () => {
  const gate = createGate();
  let invocations = 0;
  const server = await openServer(async function* ({ signal }) {
    invocations += 1;
    yield { type: 'text-delta', id: 't', delta: 'One ' };
    await gate.hold(signal);
    yield { type: 'text-delta', id: 't', delta: 'two' };
  });
  const { entries: _, ...storage } = createMemoryStorage();
  const openPage = () =>
    createAgentChat({ id: 'c', transport: connect(server), persistence: createPersistence({ storage }) });
  const left = openPage();
  void left.sendMessage('Count').catch(() => {});
  await until(left, () => readText(left.getState()) === 'One ');
  left.destroy();
  gate.release();
  const opened = openPage();
  onTestFinished(() => opened.destroy());
  await until(opened, () => opened.getState().status === 'idle' && readText(opened.getState()) !== '');
  expect([readText(opened.getState()), invocations]).toEqual(['One two', 1]);
});

test('stop() before the first event of the response ends the run on the server', async () => {
  const gate = createGate();
  const responded = createDeferred();
  const server = await openServer(async function* ({ signal }) {
    await gate.hold(signal);
    yield { type: 'text-delta', id: 't', delta: 'never' };
  });
  const silent: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    responded.resolve();
    return new Response(new ReadableStream({ cancel: () => response.body?.cancel() }), response);
  };
  const { chat } = openChat({ transport: connect(server, silent), close: async () => {} });
  void chat.sendMessage('Go');
  await responded.promise;
  await gate.reached;
  chat.stop();
  await gate.abandoned;
  expect(chat.getState().status).toBe('idle');
});

function until(chat: AgentChat, fits: () => boolean): Promise<void> {
  const { promise, resolve } = createDeferred();
  const look = () => {
    if (fits()) resolve();
  };
  const unsubscribe = chat.subscribe(look);
  look();
  return promise.finally(unsubscribe);
}
