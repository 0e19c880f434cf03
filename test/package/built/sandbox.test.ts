/** The sandbox as users get it: nothing to configure in Vite's server, in its build, and in Node. */
import { rmSync } from 'node:fs';
import { type Browser, chromium } from 'playwright';
import { createServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumLaunchOptions } from '../../support/chromium.ts';
import { createApp, run } from '../../support/create-app.ts';
import { runNode } from '../../support/run-node.ts';

const MAIN = `
  import { createSandbox, runCode } from 'handrail/sandbox';
  const first = await runCode('export default 6 * 7');
  const own = createSandbox({ createWorker: () => new Worker(new URL('handrail/sandbox/worker', import.meta.url)) });
  const second = await own.runCode('export default 6 * 7');
  document.title = [first, second].map(({ status, result }) => status + ' ' + result).join(', ');
`;

describe('in an app', () => {
  let app: string;
  let browser: Browser;
  beforeAll(async () => {
    app = await createApp({
      'index.html':
        '<!doctype html><title>waiting</title><link rel="icon" href="data:,"><script type="module" src="/src/main.js"></script>',
      'src/main.js': MAIN,
      'vite.config.js': "export default { build: { target: 'es2022' } }",
    });
    browser = await chromium.launch(chromiumLaunchOptions());
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(app, { recursive: true, force: true });
  });

  const titleAt = async (url: string) => {
    const page = await browser.newPage();
    const broken = new Promise<never>((_, reject) => page.on('pageerror', reject));
    await page.goto(url);
    await Promise.race([page.waitForFunction(() => document.title !== 'waiting'), broken]);
    return page.title();
  };
  const shared = { configFile: false, logLevel: 'error' } as const;

  test("on Vite's development server, where dependencies are bundled ahead", async () => {
    const server = await createServer({ ...shared, root: app, server: { port: 0, host: '127.0.0.1' } });
    await server.listen();
    expect(await titleAt(server.resolvedUrls?.local[0] ?? '')).toBe('success 42, success 42');
    await server.close();
  });

  test('in a build', async () => {
    await run(app, 'vite', 'build');
    const server = await preview({ ...shared, root: app, preview: { port: 0, host: '127.0.0.1' } });
    expect(await titleAt(server.resolvedUrls?.local[0] ?? '')).toBe('success 42, success 42');
    await server.close();
  });
});

test('in plain Node, and the process ends by itself', async () => {
  const code = `
    import { runCode, sharedSandbox } from 'handrail/sandbox';
    await sharedSandbox().warmUp();
    const { status, result } = await runCode('export default 6 * 7');
    console.log(status, result);`;
  expect((await runNode(code)).trim()).toBe('success 42');
});

test('the licences of what is built in are in the package', async () => {
  const code = `
    import { readFileSync } from 'node:fs';
    const text = readFileSync(new URL('./sandbox-licenses.txt', import.meta.resolve('handrail/sandbox')), 'utf8');
    console.log(JSON.stringify(text.match(/^(@jitl\\/quickjs-wasmfile-release-sync|sucrase|quickjs-emscripten-core) /gm)));`;
  expect(JSON.parse(await runNode(code))).toHaveLength(3);
});
