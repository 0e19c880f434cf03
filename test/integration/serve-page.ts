/** Builds the pages of test/agents, and serves one with its backend to a Chromium. */
import { existsSync, readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright';
import { build } from 'vite';
import { expect } from 'vitest';
import type { WebSocket } from 'ws';
import { root, sourceAliases } from '../../.scripts/package-entries.mjs';
import { toNodeHandler } from '../../src/server.ts';
import { chromiumLaunchOptions } from '../support/chromium.ts';
import { type Listening, listen } from './listen.ts';

const folder = `${root}test/agents`;
const outDir = `${root}node_modules/.vite-moved-pages`;
const HTML =
  '<!doctype html><title>page</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/page.js"></script>';

/** What a page shows of a message. */
export interface SeenMessage {
  readonly role: string;
  readonly text: string;
  readonly files: readonly string[];
  readonly metadata: unknown;
}

export interface ServedPage {
  readonly page: Page;
  send(text: string, files?: readonly string[]): Promise<void>;
  press(button: 'Allow' | 'Decline'): Promise<void>;
  /** Resolves with the messages once the page waits for nobody but the person, and shows a text. */
  untilShown(text: string): Promise<readonly SeenMessage[]>;
}

export interface Pages {
  /**
   * @param handle the backend. It also answers `GET /stored` with the messages that the app has stored
   * @param onSocket serves the sockets of the page, where it opens some
   */
  serve(
    handle: (request: Request) => Promise<Response>,
    onSocket?: (socket: WebSocket) => void,
  ): Promise<PageServer>;
  stop(): Promise<void>;
}

/** @param names the pages of test/agents/pages, without their endings */
export async function startPages(...names: readonly string[]): Promise<Pages> {
  await buildPages(names);
  const browser = await chromium.launch(chromiumLaunchOptions());
  return { serve: (...args) => servePages(browser, ...args), stop: () => browser.close() };
}

async function buildPages(names: readonly string[]): Promise<void> {
  if (!existsSync(`${folder}/node_modules`)) {
    throw new Error(
      'These tests need the packages of test/agents: run "node .scripts/bootstrap.mjs --servers".',
    );
  }
  await build({
    configFile: false,
    // Only the development build of React has warnings, and warnings fail the tests.
    mode: 'development',
    root: folder,
    logLevel: 'error',
    resolve: { alias: sourceAliases(), dedupe: ['react', 'react-dom'] },
    build: {
      outDir,
      emptyOutDir: true,
      minify: false,
      target: 'es2022',
      rolldownOptions: {
        input: Object.fromEntries(names.map((name) => [name, `${folder}/pages/${name}.tsx`])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
        checks: { moduleLevelDirective: false },
      },
    },
  });
}

export interface PageServer {
  /** Opens a page in a browser without storage. What it logs as an error or a warning fails the test. */
  open(name: string): Promise<ServedPage>;
  close(): Promise<void>;
}

async function servePages(
  browser: Browser,
  handle: (request: Request) => Promise<Response>,
  onSocket?: (socket: WebSocket) => void,
): Promise<PageServer> {
  let name = '';
  const server: Listening = await listen(
    toNodeHandler(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/') return new Response(HTML, { headers: { 'content-type': 'text/html' } });
      if (!pathname.endsWith('.js')) return handle(request);
      const file = pathname === '/page.js' ? `/${name}.js` : pathname;
      const headers = { 'content-type': 'text/javascript' };
      return new Response(readFileSync(`${outDir}${file}`), { headers });
    }),
    onSocket,
  );
  const context = await browser.newContext();
  const complaints: string[] = [];
  return {
    async open(next) {
      name = next;
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      await page.goto(`http://127.0.0.1:${server.port}/`);
      return toServedPage(page);
    },
    async close() {
      await context.close();
      await server.close();
      expect(complaints).toEqual([]);
    },
  };
}

function toServedPage(page: Page): ServedPage {
  return {
    page,
    async send(text, files = []) {
      await page.getByLabel('Message').fill(text);
      if (files.length > 0) await page.getByLabel('Files').setInputFiles([...files]);
      await page.getByRole('button', { name: 'Send' }).click();
    },
    press: (button) => page.getByRole('button', { name: button }).first().click(),
    async untilShown(text) {
      await page.locator('li, legend').filter({ hasText: text }).last().waitFor();
      await page.locator('main[data-still=true]').waitFor();
      return page.locator('li').evaluateAll((items) =>
        items.map((item) => ({
          role: String(item.dataset.role),
          text: item.querySelector('p')?.textContent ?? '',
          files: [...item.querySelectorAll('a')].map(({ href }) => href),
          metadata: JSON.parse(item.dataset.metadata ?? 'null') as unknown,
        })),
      );
    },
  };
}
