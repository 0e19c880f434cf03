/** Builds the pages, and puts one in a Chromium in front of its server, over a network that can fail. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BrowserContext, chromium, type Page } from 'playwright';
import { build } from 'vite';
import { root, sourceAliases } from '../../.scripts/package-entries.mjs';
import { toNodeHandler } from '../../src/server.ts';
import { listen } from '../integration/listen.ts';
import { chromiumLaunchOptions } from '../support/chromium.ts';
import type { Library } from './libraries.ts';
import type { ServerState } from './servers/script.ts';

const folder = `${root}test/compare`;
const outDir = `${root}node_modules/.vite-compare`;
const HTML =
  '<!doctype html><title>page</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/page.js"></script>';

/** One library with its server, at the beginning of a case. */
export interface Stage {
  readonly state: ServerState;
  /** Opens a tab of the same browser. */
  openTab(): Promise<Page>;
  /** Opens the page in a browser that shares nothing with the first one. */
  openDevice(): Promise<Page>;
  setOffline(isOffline: boolean): Promise<void>;
  /** Cuts every connection. */
  cut(): void;
  /** The process of the server ends, and the next one has what was stored. */
  restart(): Promise<void>;
  /** The server handles the next POST, and its response never arrives. */
  loseNextResponse(): void;
  /** From now on each event of a question arrives twice. */
  doubleQuestions(): void;
  /** Resolves once no POST is under way and the pages have rendered. */
  untilQuiet(): Promise<void>;
  close(): Promise<void>;
}

export interface Stages {
  open(library: Library): Promise<Stage>;
  close(): Promise<void>;
}

export async function buildStages(libraries: readonly Library[]): Promise<Stages> {
  await build({
    configFile: false,
    // As the tests build every page: the environment of Vitest is no production.
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
        input: Object.fromEntries(libraries.map(({ page }) => [page, `${folder}/pages/${page}.tsx`])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
        checks: { moduleLevelDirective: false },
      },
    },
  });
  const browser = await chromium.launch(chromiumLaunchOptions());
  return {
    open: (library) => openStage(library, () => browser.newContext()),
    close: () => browser.close(),
  };
}

async function openStage(library: Library, newContext: () => Promise<BrowserContext>): Promise<Stage> {
  const server = library.createServer();
  const pages: Page[] = [];
  const contexts = [await newContext()];
  let posts = 0;
  let losesNext = false;
  let doubles = false;
  const serveFile = (pathname: string): Response | undefined => {
    if (pathname === '/') return new Response(HTML, { headers: { 'content-type': 'text/html' } });
    if (!pathname.endsWith('.js')) return undefined;
    const file = pathname === '/page.js' ? `/${library.page}.js` : pathname;
    const headers = { 'content-type': 'text/javascript' };
    return new Response(readFileSync(`${outDir}${file}`), { headers });
  };
  const handle = async (request: Request): Promise<Response> => {
    const response = serveFile(new URL(request.url).pathname) ?? (await server.handle(request));
    return doubles ? doubleQuestions(response) : response;
  };
  const serve = toNodeHandler(handle);
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST') return void serve(request, response);
    const loses = losesNext;
    losesNext = false;
    posts += 1;
    response.once('close', () => {
      posts -= 1;
    });
    if (!loses) return void serve(request, response);
    const lose = toNodeHandler(async (given) => {
      await (await handle(given)).text();
      response.destroy();
      return new Response();
    });
    return void lose(request, response);
  };
  const listening = await listen(onRequest);
  const openIn = async (context: BrowserContext) => {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${listening.port}/`);
    await page.getByLabel('Message').waitFor();
    pages.push(page);
    return page;
  };
  return {
    state: server.state,
    openTab: () => openIn(contexts[0] as BrowserContext),
    async openDevice() {
      const context = await newContext();
      contexts.push(context);
      return openIn(context);
    },
    setOffline: async (isOffline) => contexts[0]?.setOffline(isOffline),
    cut: listening.cut,
    async restart() {
      await server.restart();
      listening.cut();
    },
    loseNextResponse() {
      losesNext = true;
    },
    doubleQuestions() {
      doubles = true;
    },
    async untilQuiet() {
      // Twice: what a page does when a response has ended may be another request.
      for (const _ of [1, 2]) {
        await Promise.all(pages.map((page) => page.evaluate(untilRendered)));
        const deadline = Date.now() + 5_000;
        // A page that follows its conversation keeps one request open for ever.
        while (posts > pages.length && Date.now() < deadline)
          await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()));
      await listening.close();
    },
  };
}

/** Runs in the page. */
function untilRendered(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 100));
  });
}

/** The events of a question are those that name the tool. */
function doubleQuestions(response: Response): Response {
  if (!response.headers.get('content-type')?.includes('event-stream') || response.body === null)
    return response;
  let rest = '';
  const doubled = new TransformStream<string, string>({
    transform(chunk, controller) {
      const frames = (rest + chunk).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const isQuestion = /"pay"|approval/.test(frame);
        controller.enqueue(isQuestion ? `${frame}\n\n${frame}\n\n` : `${frame}\n\n`);
      }
    },
    flush: (controller) => controller.enqueue(rest),
  });
  const { status, headers } = response;
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(doubled)
    .pipeThrough(new TextEncoderStream());
  return new Response(body, { status, headers });
}
