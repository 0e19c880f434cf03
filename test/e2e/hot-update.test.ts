/** Vite's development server updates an edited component: Fast Refresh keeps its state and runs all of its effects again. */
import react from '@vitejs/plugin-react';
import { chromium } from 'playwright';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { expect, test } from 'vitest';
import { root, sourceAliases } from '../../.scripts/package-entries.mjs';
import { chromiumLaunchOptions } from '../support/chromium.ts';

const PAGE =
  '<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/main.ts"></script>';
const MAIN = `
  import { createElement } from 'react';
  import { createRoot } from 'react-dom/client';
  import App from '/app.tsx';
  createRoot(document.getElementById('root')).render(createElement(App));
`;
const APP = `
  import { AgentChatProvider, useAgentChat } from 'handrail';
  import { ClientToolDialogs } from 'handrail/components';
  import { transport } from '/transport.ts';

  export default function App() {
    const chat = useAgentChat({ transport, clientTools: { order: { interactive: true } } });
    const answer = chat.messages.at(-1)?.parts.map((part) => part.type === 'text' ? part.text : '').join('');
    return (
      <AgentChatProvider chat={chat}>
        <p>first version</p>
        <button onClick={() => chat.sendMessage('Hi')}>Start</button>
        <output>{chat.status}: {answer}</output>
        <ClientToolDialogs />
      </AgentChatProvider>
    );
  }
`;
/** An agent that asks for an order, and answers once it is told. */
const TRANSPORT = `
  import { createScriptedTransport } from 'handrail/testing';
  export const transport = createScriptedTransport();
  const start = { type: 'start', executionId: 'run' };
  const play = async (index, ...events) => {
    const request = await transport.request(index);
    request.send(start, ...events);
    request.end();
  };
  const toolCalls = [{ toolCallId: '1', toolName: 'order', args: { what: 'a lamp' } }];
  const call = { type: 'client-tool-request', executionId: 'run', toolCalls };
  void play(0, call, { type: 'finish', finishReason: 'client-tool-calls', executionId: 'run' });
  void play(1, { type: 'text-delta', id: 't', delta: 'Ordered.' }, { type: 'finish', finishReason: 'stop' });
`;

test('a chat keeps its question and its turn when its component is edited', async () => {
  const app = createVirtualApp({ '/main.ts': MAIN, '/app.tsx': APP, '/transport.ts': TRANSPORT });
  const server = await createServer({
    configFile: false,
    root: `${root}test`,
    // It logs an error when it bundles further packages and loads the page once more.
    logLevel: 'silent',
    appType: 'custom',
    cacheDir: `${root}node_modules/.vite-hot-update`,
    resolve: { alias: sourceAliases() },
    plugins: [react(), app.plugin],
    server: { port: 0, host: '127.0.0.1' },
  });
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    await server.listen();
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    // On its first run the server bundles the packages that it meets, and then loads the page once more.
    await page.goto(server.resolvedUrls?.local[0] ?? '', { waitUntil: 'networkidle', timeout: 90_000 });
    await page.getByRole('button', { name: 'Start' }).click();
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    await dialog.and(page.locator('[data-arming="armed"]')).waitFor();
    app.edit(server, '/app.tsx', (code) => code.replace('first version', 'second version'));
    await page.getByText('second version').waitFor();
    expect(await page.locator('output').textContent()).toContain('awaiting-input');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('idle: Ordered.').waitFor();
  } finally {
    await browser.close();
    await server.close();
  }
}, 120_000);

/** Serves an app whose files exist in memory only. */
function createVirtualApp(files: Record<string, string>) {
  const folder = `${root}test`;
  const nameOf = (id: string) => id.replace(folder, '');
  const plugin: Plugin = {
    name: 'virtual-app',
    enforce: 'pre',
    resolveId: (id) => (nameOf(id) in files ? folder + nameOf(id) : undefined),
    load: (id) => files[nameOf(id)],
    configureServer: (server) => () => {
      server.middlewares.use(async (_request, response) => {
        response.setHeader('content-type', 'text/html').end(await server.transformIndexHtml('/', PAGE));
      });
    },
  };
  const edit = (server: ViteDevServer, file: string, change: (code: string) => string) => {
    files[file] = change(files[file] ?? '');
    server.watcher.emit('change', folder + file);
  };
  return { plugin, edit };
}
