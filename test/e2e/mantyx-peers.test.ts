/** The official clients of A2A and MCP in Chromium: a page asks real peers of another origin, as it would on an intranet. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../.scripts/package-entries.mjs';
import { type A2aPeer, agentMessage, startA2aPeer } from '../support/a2a-peer.ts';
import { type McpPeer, startMcpPeer } from '../support/mcp-peer.ts';
import { startPlayground } from './open-playground.ts';

const playground = startPlayground('mantyx-peers');

let agents: readonly A2aPeer[] = [];
let files: McpPeer;
beforeAll(async () => {
  const reply = (context: Parameters<Parameters<typeof startA2aPeer>[0]>[0]) =>
    agentMessage(context, 'Twelve days');
  agents = await Promise.all([startA2aPeer(reply, '1.0'), startA2aPeer(reply, '0.3')]);
  files = await startMcpPeer((server) => {
    server.registerTool('fs.list', {}, () => ({ content: [{ type: 'text', text: 'a.txt' }] }));
  });
});
afterAll(async () => {
  for (const peer of [...agents, files]) await peer.close();
});

type Mantyx = typeof import('../../src/mantyx.ts');

test('a page asks A2A agents of both versions and an MCP server', async () => {
  const page = await playground.open();
  const entry = JSON.stringify(`/@fs${root}src/mantyx.ts`);
  await page.addScriptTag({ type: 'module', content: `globalThis.mantyx = await import(${entry});` });
  await page.waitForFunction(() => 'mantyx' in globalThis);
  const answers = await page.evaluate(
    async ({ cards, url }) => {
      const { localA2a, localMcp } = (globalThis as unknown as { mantyx: Mantyx }).mantyx;
      const { signal } = new AbortController();
      const headers = { authorization: 'Bearer page' };
      const asked = cards.map((agentCard) =>
        localA2a({ name: 'hr', agentCard, headers }).dispatch(
          { toolUseId: 'tu_1', name: 'hr', args: { message: 'How many days?' } },
          signal,
        ),
      );
      const listed = localMcp({ name: 'fs', url, headers }).dispatch(
        { toolUseId: 'tu_2', name: 'fs_list', args: {}, mcpServer: 'fs' },
        signal,
      );
      return Promise.all([...asked, listed]);
    },
    { cards: agents.map(({ cardUrl }) => cardUrl), url: files.url },
  );
  expect(answers).toEqual([{ result: 'Twelve days' }, { result: 'Twelve days' }, { result: 'a.txt' }]);
});
