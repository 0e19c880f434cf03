/** The servers of the pages about other backends run as they are shown, with stand-ins for the platforms and the models behind them. */

import { OctavusClient, toSSEStream } from '@octavus/server-sdk';
import * as ai from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { afterEach, describe, expect, test } from 'vitest';
import * as zod from 'zod';
import { createOctavusStandIn, STAND_IN_KEY } from '../../playground/server/octavus-stand-in.ts';
import { toStream } from '../../playground/server/to-stream.ts';
import { createAiSdkTransport } from '../../src/ai-sdk.ts';
import {
  type AgentChat,
  type AgentTransport,
  type ClientTools,
  createAgentChat,
  createHttpTransport,
} from '../../src/core.ts';
import { createMantyxTransport, localTools } from '../../src/mantyx.ts';
import * as server from '../../src/server.ts';
import { listen } from '../integration/listen.ts';
import { MANTYX_KEY, startMantyxPlatform } from '../support/mantyx-platform.ts';
import { readPage } from '../support/read-docs.ts';
import { createSampleHttp, runSample } from '../support/run-samples.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const run of cleanUp.splice(0)) await run();
});

const shop = server.createScriptedAgent([
  { call: 'confirm-order', args: { action: 'Order a lamp', description: 'It costs 89 EUR.' } },
  (turn) => (turn.result('confirm-order')?.error === undefined ? 'Ordered.' : 'Not ordered.'),
]);

type Handler = (request: Request) => Promise<Response>;

/** Serves handlers of `Request` by their paths. */
async function serve(routes: Readonly<Record<string, unknown>>): Promise<string> {
  const handle = server.toNodeHandler(async (request) => {
    const handler = routes[new URL(request.url).pathname] as Handler | undefined;
    return handler?.(request) ?? new Response(null, { status: 404 });
  });
  const { port, close } = await listen((request, response) => void handle(request, response));
  cleanUp.push(close);
  return `http://127.0.0.1:${port}`;
}

/** Sends a message, and says yes to the only question that comes. */
async function order(transport: AgentTransport, clientTools: ClientTools): Promise<AgentChat> {
  const chat = createAgentChat({ id: crypto.randomUUID(), transport, clientTools });
  cleanUp.push(() => chat.destroy());
  const sent = chat.sendMessage('A lamp, please');
  await until(chat, 'awaiting-input');
  expect(chat.getState().pendingCalls).toHaveLength(1);
  chat.getState().pendingCalls[0]?.submit({ confirmed: true });
  await sent;
  await until(chat, 'idle');
  return chat;
}

function until(chat: AgentChat, status: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const state = chat.getState();
      if (state.error) reject(state.error);
      if (state.status === status) resolve();
    };
    cleanUp.push(chat.subscribe(look));
    look();
  });
}

const textOf = (chat: AgentChat) =>
  chat
    .getState()
    .messages.filter(({ role }) => role === 'assistant')
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    .join('');

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model that calls a tool after a message of the person, and says "Done." after its result. */
function createModel(toolName: string, args: object) {
  return new MockLanguageModelV3({
    async doStream({ prompt }) {
      const isAsked = prompt.at(-1)?.role === 'user';
      const reason = isAsked ? 'tool-calls' : 'stop';
      return {
        stream: toStream(
          (async function* () {
            yield { type: 'stream-start' as const, warnings: [] };
            if (isAsked) {
              yield {
                type: 'tool-call' as const,
                toolCallId: 'call-1',
                toolName,
                input: JSON.stringify(args),
              };
            } else {
              yield { type: 'text-start' as const, id: '1' };
              yield { type: 'text-delta' as const, id: '1', delta: 'Done.' };
              yield { type: 'text-end' as const, id: '1' };
            }
            yield { type: 'finish' as const, finishReason: { unified: reason, raw: reason } as const, usage };
          })(),
        ),
      };
    },
  });
}

const providerOf = (model: MockLanguageModelV3) => ({ createOpenAICompatible: () => () => model });

describe('the servers of the pages about other backends', () => {
  test('docs/backend-octavus.md takes an answer to a call of the platform', async () => {
    const { port, close } = await listen(createOctavusStandIn(shop));
    cleanUp.push(close);
    class Client extends OctavusClient {
      constructor() {
        super({ baseUrl: `http://127.0.0.1:${port}`, apiKey: STAND_IN_KEY });
      }
    }
    const sdk = { '@octavus/server-sdk': { OctavusClient: Client, toSSEStream } };
    const { POST } = runSample(readPage('docs/backend-octavus.md'), 'app/api/agent/route.ts', sdk);
    const url = await serve({ '/api/agent': POST });
    const transport = createHttpTransport({ url: `${url}/api/agent`, body: { sessionId: 'a' } });
    expect(textOf(await order(transport, { 'confirm-order': 'interactive' }))).toBe('Ordered.');
  });

  test('docs/backend-mantyx.md starts a run with its own spec, and takes an answer into it', async () => {
    const platform = await startMantyxPlatform({
      workspace: 'acme',
      async *script({ answers }) {
        yield {
          calls: [
            { call: 'confirm_order', args: { action: 'Order a lamp', description: '89 EUR' }, id: 'c1' },
          ],
        };
        yield `The answer is ${answers.get('c1')?.result}.`;
      },
    });
    cleanUp.push(platform.close);
    const sample = createSampleHttp();
    cleanUp.push(sample.close);
    const createMantyxProxy = (options: server.MantyxProxyOptions) =>
      server.createMantyxProxy({ ...options, baseUrl: platform.baseUrl, credential: MANTYX_KEY });
    runSample(readPage('docs/backend-mantyx.md'), 'server.ts', {
      'node:http': sample.module,
      'handrail/server': { ...server, createMantyxProxy },
    });
    const clientTools = { confirm_order: 'interactive' } as const;
    const transport = createMantyxTransport({
      baseUrl: `http://${await sample.address()}/api/mantyx`,
      workspace: 'acme',
      session: true,
      tools: localTools(clientTools),
      headers: { cookie: 'login=token-of-ada' },
    });
    expect(textOf(await order(transport, clientTools))).toContain('confirmed');
    expect(platform.run().spec).toMatchObject({ metadata: { userId: 'ada' } });
  });

  test('docs/backend-ai-sdk.md runs a model behind its own server', async () => {
    const sample = createSampleHttp();
    cleanUp.push(sample.close);
    const args = { action: 'Order a lamp', description: 'It costs 89 EUR.' };
    runSample(readPage('docs/backend-ai-sdk.md'), 'server.ts', {
      'node:http': sample.module,
      'handrail/server': server,
      '@ai-sdk/openai-compatible': providerOf(createModel('confirm-order', args)),
      zod,
    });
    const transport = createHttpTransport({
      url: `http://${await sample.address()}`,
      body: { sessionId: 'a' },
    });
    expect(textOf(await order(transport, { 'confirm-order': 'interactive' }))).toBe('Done.');
  });

  test('docs/backend-ai-sdk.md asks for the approval of a route of useChat', async () => {
    const { POST } = runSample(readPage('docs/backend-ai-sdk.md'), 'app/api/chat/route.ts', {
      ai,
      '@ai-sdk/openai-compatible': providerOf(
        createModel('send-email', { to: 'ada@shop.example', text: 'Hi' }),
      ),
      zod,
    });
    const api = `${await serve({ '/api/chat': POST })}/api/chat`;
    const chat = await order(createAiSdkTransport({ api }), {});
    expect(textOf(chat)).toBe('Done.');
    const calls = chat
      .getState()
      .messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-call'));
    expect(calls).toMatchObject([{ toolName: 'send-email', result: 'Sent to ada@shop.example.' }]);
  });
});
