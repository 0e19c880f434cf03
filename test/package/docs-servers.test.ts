/** The servers of the documentation run as they are shown, with a chat in front of them. */
import * as agUiCore from '@ag-ui/core';
import * as agUiEncoder from '@ag-ui/encoder';
import { afterEach, describe, expect, test } from 'vitest';
import ws, { WebSocketServer } from 'ws';
import * as zod from 'zod';
import { createAgUiTransport } from '../../src/ag-ui.ts';
import {
  type AgentChat,
  type AgentTransport,
  type ClientTools,
  createAgentChat,
  createHttpTransport,
} from '../../src/core.ts';
import * as server from '../../src/server.ts';
import { createStandardAgentsTransport } from '../../src/standard-agents.ts';
import * as standardAgents from '../../src/standard-agents-server.ts';
import { readPage } from '../support/read-docs.ts';
import { createSampleHttp, runSample, type SampleModules } from '../support/run-samples.ts';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const run of cleanUp.splice(0)) run();
});

/** Starts the `server.ts` of a page, and returns its address. */
async function startServer(document: string, more: SampleModules = {}): Promise<string> {
  const http = createSampleHttp();
  cleanUp.push(http.close);
  const modules = {
    'node:http': http.module,
    'handrail/server': server,
    ws: { ...ws, WebSocketServer },
    zod,
  };
  runSample(readPage(document), 'server.ts', { ...modules, ...more });
  return `http://${await http.address()}`;
}

function openChat(transport: AgentTransport, clientTools: ClientTools = {}): AgentChat {
  const chat = createAgentChat({ id: crypto.randomUUID(), transport, clientTools });
  cleanUp.push(chat.destroy);
  return chat;
}

/** Resolves once the chat has the status. */
function until(chat: AgentChat, status: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (chat.getState().status !== status) return;
      stop();
      resolve();
    };
    const stop = chat.subscribe(look);
    look();
  });
}

const textsOf = (chat: AgentChat) =>
  chat
    .getState()
    .messages.filter(({ role }) => role === 'assistant')
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    .join(' ');

describe('the servers of the documentation', () => {
  test('docs/server.md runs a tool of the server', async () => {
    const url = await startServer('docs/server.md');
    const chat = openChat(createHttpTransport({ url, body: { sessionId: 'a' } }));
    await chat.sendMessage('A lamp, please');
    expect(textsOf(chat)).toBe('A lamp costs 89 EUR.');
  });

  test('docs/server.md has an agent that asks before it orders', async () => {
    const { agent } = runSample(readPage('docs/server.md'), 'own-agent.ts', {});
    const http = createSampleHttp();
    cleanUp.push(http.close);
    const open = () => server.createAgentSession({ id: 'a', agent: agent as server.Agent, store });
    const store = server.createMemorySessionStore();
    http.module.createServer(server.createNodeHandler(open)).listen();
    const transport = createHttpTransport({ url: `http://${await http.address()}` });
    const chat = openChat(transport, { 'confirm-order': 'interactive' });
    const sent = chat.sendMessage('Please order');
    await until(chat, 'awaiting-input');
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    await sent;
    await until(chat, 'idle');
    expect(textsOf(chat)).toBe('Ordered.');
  });

  test('docs/inbox-and-audit.md lets the support team allow what Ada asked for', async () => {
    const url = await startServer('docs/inbox-and-audit.md');
    const chat = openChat(
      createHttpTransport({ url, body: { sessionId: 'a' }, headers: { cookie: 'login=token-of-ada' } }),
    );
    const sent = chat.sendMessage('Pay me back');
    await until(chat, 'awaiting-input');
    expect(chat.getState().pendingCalls).toMatchObject([{ toolName: 'refund', mayAnswer: false }]);
    const headers = { cookie: 'login=token-of-grace', 'content-type': 'application/json' };
    const inbox = `${url}/api/inbox`;
    const { calls } = await (await fetch(inbox, { headers })).json();
    const [{ sessionId, executionId, call }] = calls;
    const toolResults = [{ toolCallId: call.toolCallId, result: { confirmed: true } }];
    const body = JSON.stringify({ sessionId, executionId, toolResults });
    const response = await fetch(inbox, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toEqual([200, { status: 'accepted' }]);
    chat.destroy();
    await sent.catch(() => {});
  });

  test('docs/backend-ag-ui.md pays after a yes', async () => {
    const url = await startServer('docs/backend-ag-ui.md', {
      '@ag-ui/core': agUiCore,
      '@ag-ui/encoder': agUiEncoder,
      'node:stream/consumers': await import('node:stream/consumers'),
    });
    const chat = openChat(createAgUiTransport({ url }));
    const sent = chat.sendMessage('Pay me back');
    await until(chat, 'awaiting-input');
    expect(chat.getState().pendingCalls).toHaveLength(1);
    chat.getState().pendingCalls[0]?.submit({ approved: true });
    await sent;
    await until(chat, 'idle');
    expect(textsOf(chat)).toContain('Paid.');
  });

  test('docs/security.md serves a page whose nonce is new for each request, and is that of the policy', async () => {
    const http = createSampleHttp();
    cleanUp.push(http.close);
    const crypto = await import('node:crypto');
    runSample(readPage('docs/security.md'), 'page.ts', { 'node:http': http.module, 'node:crypto': crypto });
    const url = `http://${await http.address()}`;
    const responses = await Promise.all([fetch(url), fetch(url)]);
    const nonces = responses.map(({ headers }) => {
      const [, nonce = ''] =
        /style-src 'self' 'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '') ?? [];
      return nonce;
    });
    const [first = '', second] = nonces;
    expect(await responses[0]?.text()).toContain(`globalThis.__webpack_nonce__ = '${first}'`);
    expect([first.length, first === second]).toEqual([24, false]);
  });

  test('docs/backend-standard-agents.md asks the page by the kit', async () => {
    const url = await startServer('docs/backend-standard-agents.md', {
      'handrail/standard-agents/server': standardAgents,
    });
    const transport = createStandardAgentsTransport({
      endpoint: url,
      agentId: 'shop',
      token: 'token-of-ada',
      connect: (address) => new ws(address) as unknown as WebSocket,
    });
    const chat = openChat(transport, { confirm_order: 'interactive' });
    const sent = chat.sendMessage('A lamp');
    await until(chat, 'awaiting-input');
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    await sent;
    await until(chat, 'idle');
    expect(textsOf(chat)).toContain('Noted.');
  });
});
