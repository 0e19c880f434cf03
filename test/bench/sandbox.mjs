/**
 * How long the sandbox takes, in Node and in Chromium: `node test/bench/sandbox.mjs` after `npm run build`.
 * Prints milliseconds. "first" is the first run of all, from nothing loaded; "after load" the first once everything
 * is loaded and a worker stands ready.
 */
import { createServer } from 'node:http';
import { chromium } from 'playwright';
import { build } from 'vite';
import { findChromium } from '../../.scripts/find-chromium.mjs';

const entry = new URL('../../dist/sandbox.js', import.meta.url).href;

/** Runs in both places. */
async function measure({ createSandbox }) {
  const source = 'export default (n: number): number => n * 2';
  const timed = async (action) => {
    const start = performance.now();
    await action();
    return performance.now() - start;
  };
  const run = (sandbox, n) => sandbox.runCode(source, { execute: { args: [n] } });
  const median = (times) => times.sort((left, right) => left - right)[Math.floor(times.length / 2)];

  const cold = createSandbox();
  const first = await timed(() => run(cold, 1));
  cold.dispose();

  const sandbox = createSandbox();
  await sandbox.warmUp();
  const afterLoad = await timed(() => run(sandbox, 1));
  const further = [];
  for (let n = 0; n < 300; n++) further.push(await timed(() => run(sandbox, n)));
  const calls = await timed(() =>
    sandbox.runCode('for (let i = 0; i < 1000; i++) await f(i); export default 1', {
      globals: { f: (n) => n },
    }),
  );
  const endings = [];
  for (let n = 0; n < 20; n++) {
    let started = () => {};
    const running = new Promise((resolve) => {
      started = resolve;
    });
    const handle = sandbox.runCode('report(1); for (;;);', { report: started });
    await running;
    endings.push(
      await timed(() => {
        handle.terminate();
        return handle;
      }),
    );
  }
  sandbox.dispose();
  return {
    first,
    'first, after load': afterLoad,
    'further, median': median(further),
    'further, 95th percentile': further[285],
    'one call of a function, of 1000': calls / 1000,
    'end of a tight loop, median': median(endings),
  };
}

async function measureInChromium() {
  const app = `import { createSandbox } from ${JSON.stringify(new URL(entry).pathname)}; globalThis.sandboxModule = { createSandbox };`;
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === 'app' ? id : null),
        load: (id) => (id === 'app' ? app : null),
      },
    ],
    build: { write: false, rolldownOptions: { input: { app: 'app' }, onLog() {} } },
  });
  const files = new Map(built.output.map((file) => [`/${file.fileName}`, file.code ?? file.source]));
  const main = built.output.find((file) => file.isEntry)?.fileName;
  files.set('/', `<!doctype html><script type="module" src="/${main}"></script>`);
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', url === '/' ? 'text/html' : 'text/javascript');
    response.end(files.get(url));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const executablePath = findChromium();
  const args = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'];
  const browser = await chromium.launch(executablePath === undefined ? { args } : { executablePath, args });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => 'sandboxModule' in globalThis);
  const times = await page.evaluate(`(${measure})(sandboxModule)`);
  await browser.close();
  server.close();
  return times;
}

const rounded = (times) =>
  Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, Number(ms.toFixed(2))]));
const node = rounded(await measure(await import(entry)));
const chromiumTimes = rounded(await measureInChromium());
console.table(
  Object.fromEntries(
    Object.keys(node).map((name) => [name, { Node: node[name], Chromium: chromiumTimes[name] }]),
  ),
);
