/** The official clients of A2A and MCP in Chromium, with real peers of another origin, as on an intranet. */
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../.scripts/package-entries.mjs';
import { type A2aPeer, agentMessage, startA2aPeer } from '../support/a2a-peer.ts';
import { type McpPeer, startMcpPeer } from '../support/mcp-peer.ts';
import { startPlayground } from './open-playground.ts';

const playground = startPlayground();

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

test('a page calls A2A agents of both versions and an MCP server', async () => {
  const page = await playground.open();
  await page.addScriptTag({ content: await bundleMantyx() });
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

/** `handrail/mantyx` and the clients of its peers as one script, which assigns its exports to `mantyx`. */
async function bundleMantyx(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"test"' },
    build: { write: false, lib: { entry: `${root}src/mantyx.ts`, formats: ['iife'], name: 'mantyx' } },
  });
  const [bundle] = Array.isArray(built) ? built : [];
  if (bundle === undefined) throw new Error('src/mantyx.ts was not built');
  return bundle.output[0].code;
}
