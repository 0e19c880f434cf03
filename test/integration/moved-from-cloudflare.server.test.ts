/** A page of Cloudflare's `useAgentChat`, and the page that docs/migrate-from-cloudflare.md makes of it, with the same model behind both. */
import { type ModelMessage, type ToolSet, tool } from 'ai';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ChatRouteOptions, createChatRoute } from '../backends/ai-sdk/chat-route.ts';
import { createCloudflareStandIn } from '../support/cloudflare-stand-in.ts';
import { type Pages, type ServedPage, startPages } from './serve-page.ts';

let pages: Pages;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  pages = await startPages('cloudflare', 'moved-from-cloudflare');
  return () => pages.stop();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const say: ChatRouteOptions['say'] = (prompt: readonly ModelMessage[]) => {
  const last = prompt.at(-1);
  if (last?.role === 'tool') return ['Got it.'];
  if (JSON.stringify(last?.content).includes('Where')) return [{ call: 'locate', id: 'c1' }];
  return ['Hello.'];
};

/** Does the same with both pages, each with a server of its own. Returns what the person saw. */
async function onBoth<Seen>(act: (page: ServedPage) => Promise<Seen>) {
  const results = [];
  for (const name of ['cloudflare', 'moved-from-cloudflare']) {
    const inputSchema = z.object({}).loose();
    const tools = { locate: tool({ inputSchema }) } as unknown as ToolSet;
    const route = createChatRoute({ say, tools });
    const agent = createCloudflareStandIn(route);
    const server = await pages.serve(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith('/get-messages')) return Response.json(agent.readMessages());
      return pathname === '/stored' ? Response.json([]) : route.handle(request);
    }, agent.serve);
    closing.push(server.close);
    results.push(await act(await server.open(name)));
  }
  const [before, moved] = results;
  if (before === undefined || moved === undefined) throw new Error('A page is missing.');
  return { before, moved };
}

describe("a page that is moved from Cloudflare's useAgentChat", () => {
  it('shows the same messages', async () => {
    const { before, moved } = await onBoth(async (page) => {
      await page.send('Hi');
      return page.untilShown('Hello.');
    });
    expect(moved).toEqual(before);
    expect(before.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('runs a tool of the page', async () => {
    const { before, moved } = await onBoth(async (page) => {
      await page.send('Where am I?');
      return page.untilShown('Got it.');
    });
    expect(moved).toEqual(before);
    expect(before.map(({ text }) => text)).toEqual(['Where am I?', 'Got it.']);
  });
});
