/** The sandbox in a page with a strict Content-Security-Policy, bundled by Vite as an app would be. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleScript, sandboxWorker } from '../../.scripts/sandbox-worker-plugin.ts';
import type { createSandbox } from '../../src/sandbox.ts';
import { chromiumLaunchOptions } from '../support/chromium.ts';

const STRICT = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:";
const WITHOUT_BLOB = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";
const WITHOUT_WASM = "default-src 'self'; script-src 'self'; worker-src 'self' blob:";

declare global {
  interface Window {
    createSandbox: typeof createSandbox;
    violations: string[];
  }
}

let server: Server;
let browser: Browser;
let origin: string;
/** The requests that the server got. The browser may report them later than their responses. */
const served: string[] = [];

beforeAll(async () => {
  const files = await buildApp();
  server = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    served.push(pathname);
    const file = files.get(pathname);
    const type = pathname === '/' ? 'text/html' : 'text/javascript';
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': type,
      'content-security-policy': searchParams.get('csp') ?? STRICT,
    });
    response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch(chromiumLaunchOptions());
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

test('the sandbox runs under a strict policy without a violation, and requests only its own two files', async () => {
  const { page, requests } = await open(STRICT);
  served.length = 0;
  const outcome = await page.evaluate(() => window.createSandbox().runCode('export default 6 * 7'));
  expect(outcome).toMatchObject({ status: 'success', result: 42 });
  expect(await page.evaluate(() => window.violations)).toEqual([]);
  expect(served).toEqual([
    expect.stringMatching(/^\/assets\/.*\.js$/),
    expect.stringMatching(/^\/assets\/.*\.js$/),
  ]);
  expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith('blob:'))).toEqual([]);
  await page.close();
});

test('the sandbox is not loaded with the page', async () => {
  served.length = 0;
  const { page } = await open(STRICT);
  expect(served.filter((path) => /worker|emscripten/.test(path))).toEqual([]);
  await page.close();
});

test('programs that try to reach the network cause no request', async () => {
  const { page, requests } = await open(STRICT);
  await page.evaluate(() => window.createSandbox().runCode('export default 1'));
  served.length = 0;
  const statuses = await page.evaluate(async (target) => {
    const sandbox = window.createSandbox();
    const programs = [
      `import '${target}/a.js'; export default 1`,
      `export default await import('${target}/b.js').catch(() => 1)`,
      `export default typeof fetch + typeof XMLHttpRequest + typeof WebSocket + typeof importScripts`,
      `export default await host().then((r) => r.constructor.constructor('return typeof fetch')())`,
      `export default Function('return import("${target}/c.js")')().catch(() => 1)`,
    ];
    const runs = programs.map((source) => sandbox.runCode(source, { globals: { host: () => ({}) } }));
    return Promise.all(runs.map(async (run) => (await run).status));
  }, origin);
  expect(statuses).toEqual(['link_error', 'success', 'success', 'success', 'success']);
  expect(served).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith('blob:'))).toEqual([]);
  await page.close();
});

describe('a policy that forbids a feature', () => {
  test('the sandbox says what to allow when the policy forbids blobs, and runs with a worker of the app', async () => {
    const { page } = await open(WITHOUT_BLOB);
    const refused = await page.evaluate(() => window.createSandbox().runCode('export default 1'));
    expect(refused).toMatchObject({ status: 'error', error: { name: 'SandboxUnavailableError' } });
    expect(refused.error?.message).toContain('worker-src blob:');
    const outcome = await page.evaluate(() => {
      const createWorker = () => new Worker('/sandbox-worker.js');
      return window.createSandbox({ createWorker }).runCode('export default 1');
    });
    expect(outcome).toMatchObject({ status: 'success', result: 1 });
    await page.close();
  });

  test('the sandbox says what to allow when the policy forbids WebAssembly', async () => {
    const { page } = await open(WITHOUT_WASM);
    const refused = await page.evaluate(() => window.createSandbox().runCode('export default 1'));
    expect(refused).toMatchObject({ status: 'error', error: { name: 'SandboxUnavailableError' } });
    expect(refused.error?.message).toMatch(/wasm|WebAssembly/);
    await page.close();
  });
});

async function open(csp: string): Promise<{ page: Page; requests: string[] }> {
  const page = await browser.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`${origin}/?csp=${encodeURIComponent(csp)}`);
  await page.waitForFunction(() => typeof window.createSandbox === 'function');
  return { page, requests };
}

/** The files, by path, of an app that only exposes the sandbox to the test. */
async function buildApp(): Promise<ReadonlyMap<string, string>> {
  const entry = 'virtual:app';
  const source = fileURLToPath(new URL('../../src/sandbox.ts', import.meta.url));
  const worker = fileURLToPath(new URL('../../src/sandbox/worker/worker.ts', import.meta.url));
  const app = `
    import { createSandbox } from ${JSON.stringify(source)};
    window.violations = [];
    addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective));
    window.createSandbox = createSandbox;`;
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [
      sandboxWorker(),
      {
        name: 'app',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? app : undefined),
      },
    ],
    build: {
      write: false,
      modulePreload: { polyfill: false },
      // The app has no server part, so warnings about 'use client' do not matter. Warnings about slow builds do not matter either.
      rolldownOptions: {
        input: { app: entry },
        checks: { moduleLevelDirective: false, bundlerTimings: false },
      },
    },
  });
  const files = new Map<string, string>();
  for (const output of [result].flat()) {
    if (!('output' in output)) continue;
    for (const file of output.output) {
      files.set(`/${file.fileName}`, file.type === 'chunk' ? file.code : String(file.source));
      if (file.type === 'chunk' && file.isEntry) {
        const page = `<!doctype html><title>app</title><script type="module" src="/${file.fileName}"></script>`;
        files.set('/', page);
      }
    }
  }
  files.set('/sandbox-worker.js', (await bundleScript(worker)).code);
  return files;
}
