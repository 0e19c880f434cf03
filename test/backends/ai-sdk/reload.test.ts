/** The page is closed in the middle of a turn, and opened again with its persisted conversation. */
import { type ToolSet, tool } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAiSdkTransport } from '../../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import {
  type AgentChat,
  type AgentChatOptions,
  createAgentChat,
  createPersistence,
} from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { settled } from '../../support/scripted-chat.ts';
import { untilStatus } from '../../support/until-status.ts';
import { type ChatRouteOptions, createChatRoute, type ModelStep } from './chat-route.ts';

const inputSchema = z.object({}).loose();
const clientTool = tool({ inputSchema }) as ToolSet[string];

/** Makes a call at first, and then says that the call is over. */
const callsOnce =
  (call: ModelStep[number]): ChatRouteOptions['say'] =>
  (prompt) =>
    prompt.at(-1)?.role === 'tool' ? ['All done.'] : ['Let me see. ', call];

const openPages = new Set<AgentChat>();
afterEach(() => {
  for (const page of openPages) page.destroy();
  openPages.clear();
});

/** A browser that opens pages of one conversation, over a server that keeps its streams. Lists the addresses of all requests. */
function createBrowser(route: ReturnType<typeof createChatRoute>) {
  const storage = createMemoryStorage();
  const addresses: string[] = [];
  return {
    addresses,
    open(options: Partial<AgentChatOptions> = {}, send = route.fetch): AgentChat {
      const listening: typeof fetch = (input, init) => {
        addresses.push(String(input));
        return send(input, init);
      };
      const page = createAgentChat({
        id: 'c',
        transport: createAiSdkTransport({
          fetch: listening,
          resume: true,
          reconnect: { initialDelayMs: 1, maxDelayMs: 1 },
        }),
        persistence: createPersistence({ storage, tabs: false }),
        ...options,
      });
      openPages.add(page);
      return page;
    },
  };
}

const textOf = (page: AgentChat) =>
  (page.getState().messages.at(-1)?.parts ?? []).flatMap((part) => (part.type === 'text' ? part.text : []));

/** Passes the bytes of a response as far as `text`, and then none, as a slow model does. */
function stallingBehind(text: string, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const [before] = (await response.text()).split(text);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(`${before}${text}"}\n\n`)),
    });
    return new Response(body, response);
  };
}

/** Lets requests reach the server from the second one on, and their responses never reach the page. */
function losingAnswers(route: ReturnType<typeof createChatRoute>) {
  let count = 0;
  let tellArrived = () => {};
  const arrived = new Promise<void>((resolve) => {
    tellArrived = resolve;
  });
  const send: typeof fetch = async (input, init) => {
    count += init?.method === 'POST' ? 1 : 0;
    if (count <= 1) return route.fetch(input, init);
    await (await route.fetch(input, { ...init, signal: null })).text();
    tellArrived();
    return new Promise<Response>(() => {});
  };
  return { send, arrived };
}

describe('a page that is opened after a stop', () => {
  it('a turn that was stopped is not resumed after a reload', async () => {
    const route = createChatRoute({ say: () => ['Hello. ', 'And goodbye.'], keepsStreams: true });
    const browser = createBrowser(route);
    const before = browser.open({}, stallingBehind('Hello. ', route.fetch));
    const sent = before.sendMessage('Hi');
    await new Promise<void>((resolve) => {
      before.subscribe(() => textOf(before).includes('Hello. ') && resolve());
    });
    before.stop();
    await sent;
    before.destroy();
    const page = browser.open();
    page.subscribe(() => {});
    await settled();
    expect(page.getState().status).toBe('idle');
    expect(textOf(page)).toEqual(['Hello. ']);
    // The first page asked for a response to join, which a page with a history does not.
    expect(browser.addresses).toEqual(['/api/chat/c/stream', '/api/chat']);
  });

  it('a question that was stopped is not asked again after a reload', async () => {
    const route = createChatRoute({
      say: callsOnce({ call: 'confirm', id: 'c1' }),
      tools: { confirm: clientTool },
      keepsStreams: true,
    });
    const browser = createBrowser(route);
    const clientTools = { confirm: 'interactive' } as const;
    const before = browser.open({ clientTools });
    await before.sendMessage('Hi');
    before.stop();
    before.destroy();
    const page = browser.open({ clientTools });
    page.subscribe(() => {});
    await settled();
    expect(page.getState().status).toBe('idle');
    expect(page.getState().pendingCalls).toEqual([]);
    // The first page asked for a response to join, which a page with a history does not.
    expect(browser.addresses).toEqual(['/api/chat/c/stream', '/api/chat']);
  });
});

describe('a reload right after an answer', () => {
  const askToRefund = (ran: unknown[]) =>
    createChatRoute({
      say: callsOnce({ call: 'refund', id: 'c1', args: { amount: 3 } }),
      tools: { refund: tool({ inputSchema, needsApproval: true, execute: async (args) => ran.push(args) }) },
      keepsStreams: true,
    });

  it('a reload right after an approval was answered shows its output, and the call runs once', async () => {
    const ran: unknown[] = [];
    const route = askToRefund(ran);
    const browser = createBrowser(route);
    const { send, arrived } = losingAnswers(route);
    const before = browser.open({}, send);
    await before.sendMessage('Hi');
    before.getState().pendingCalls[0]?.submit({ confirmed: true });
    await arrived;
    before.destroy();
    const page = browser.open();
    await untilStatus(page, 'streaming');
    await untilStatus(page, 'idle');
    expect(ran).toEqual([{ amount: 3 }]);
    expect(page.getState().messages.at(-1)?.parts).toMatchObject([
      { text: 'Let me see. ' },
      { toolName: 'refund', status: 'done', result: 1 },
      { text: 'All done.' },
    ]);
    expect(route.bodies).toHaveLength(2);
    await page.sendMessage('Thanks');
    expect(route.bodies[2]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('a reload right after an approval was declined shows the end of the answer, and the call does not run', async () => {
    const ran: unknown[] = [];
    const route = askToRefund(ran);
    const browser = createBrowser(route);
    const { send, arrived } = losingAnswers(route);
    const before = browser.open({}, send);
    await before.sendMessage('Hi');
    before.getState().pendingCalls[0]?.decline('too much');
    await arrived;
    before.destroy();
    const page = browser.open();
    await untilStatus(page, 'streaming');
    await untilStatus(page, 'idle');
    expect(ran).toEqual([]);
    expect(textOf(page)).toEqual(['Let me see. ', 'All done.']);
    expect(route.bodies).toHaveLength(2);
  });

  it('a reload right after a call was answered shows the end of the answer, and its handler does not run again', async () => {
    let runs = 0;
    const route = createChatRoute({
      say: callsOnce({ call: 'locate', id: 'c1' }),
      tools: { locate: clientTool },
      keepsStreams: true,
    });
    const browser = createBrowser(route);
    const clientTools = { locate: () => ++runs };
    const { send, arrived } = losingAnswers(route);
    const before = browser.open({ clientTools }, send);
    void before.sendMessage('Hi');
    await arrived;
    before.destroy();
    const page = browser.open({ clientTools });
    await untilStatus(page, 'streaming');
    await untilStatus(page, 'idle');
    expect(runs).toBe(1);
    expect(textOf(page)).toEqual(['Let me see. ', 'All done.']);
    expect(route.bodies).toHaveLength(2);
  });
});
