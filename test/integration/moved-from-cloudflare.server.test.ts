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
  const said = JSON.stringify(last?.content);
  if (last?.role === 'tool') return [`Got ${said.includes('denied') ? 'a no' : 'it'}.`];
  if (said.includes('Pay')) return [{ call: 'pay', id: 'c1', args: { amount: 3 } }];
  if (said.includes('Where')) return [{ call: 'locate', id: 'c2' }];
  return ['Hello.'];
};

/** Does the same with both pages, each with a server of its own. Returns what the person saw, and what was paid. */
async function onBoth<Seen>(act: (page: ServedPage) => Promise<Seen>) {
  const results = [];
  for (const name of ['cloudflare', 'moved-from-cloudflare']) {
    const paid: unknown[] = [];
    const inputSchema = z.object({}).loose();
    const pay = tool({ inputSchema, needsApproval: true, execute: async (args) => paid.push(args) });
    const tools = { pay, locate: tool({ inputSchema }) } as unknown as ToolSet;
    const route = createChatRoute({ say, tools });
    const agent = createCloudflareStandIn(route);
    const server = await pages.serve(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith('/get-messages')) return Response.json(agent.readMessages());
      return pathname === '/stored' ? Response.json([]) : route.handle(request);
    }, agent.serve);
    closing.push(server.close);
    results.push({ seen: await act(await server.open(name)), paid });
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
    expect(before.seen.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('runs a tool of the page', async () => {
    const { before, moved } = await onBoth(async (page) => {
      await page.send('Where am I?');
      return page.untilShown('Got it.');
    });
    expect(moved).toEqual(before);
  });

  it.each([
    ['Allow', 'Got it.', [{ amount: 3 }]],
    ['Decline', 'Got a no.', []],
  ] as const)('answers an approval with %s', async (button, told, paid) => {
    const { before, moved } = await onBoth(async (page) => {
      await page.send('Pay');
      await page.untilShown('pay {"amount":3}');
      await page.press(button);
      return page.untilShown(told);
    });
    expect(moved).toEqual(before);
    expect(before.paid).toEqual(paid);
  });
});
