import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from 'playwright';
import { type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../.scripts/package-entries.mjs';
import { chromiumLaunchOptions } from '../../support/chromium.ts';
import {
  createApp,
  inspectTarball,
  install,
  run,
  typeCheck,
  withoutTypes,
} from '../../support/create-app.ts';
import { findFreePort } from '../../support/find-free-port.ts';
import { readDocs } from '../../support/read-docs.ts';
import { readLinks, readSnippets } from '../../support/read-markdown.ts';

const NONCE = 'of-this-page';

const AGENT = `
  import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
  import { tool } from 'ai';
  import { createAiSdkAgent } from 'handrail/server';
  import { z } from 'zod';
  const provider = createOpenAICompatible({ name: 'local', baseURL: 'http://localhost:1234/v1' });
  const find = tool({ description: () => 'Finds a lamp', inputSchema: z.object({ query: z.string() }) });
  export const agent = createAiSdkAgent({ model: provider('tiny-1'), tools: { find }, settings: { temperature: 0 } });
`;

/** The README's example is what stands in its snippets that begin with a comment naming their file. */
function readExample(): Record<string, string> {
  const snippets = readSnippets(readFileSync(path.join(root, 'README.md'), 'utf8'));
  const files = Object.fromEntries(
    snippets.flatMap(({ file, code }) => (file === undefined ? [] : [[file, code]])),
  );
  for (const needed of ['src/App.tsx', 'server.ts']) {
    if (files[needed] === undefined)
      throw new Error(`README.md has no snippet that begins with "// ${needed}".`);
  }
  return files;
}

/** Bytes of the tarball. Most of it cannot be smaller: the engine of the sandbox is 235,000, its worker 70,000 in each of its two forms. */
const MOST_BYTES = 1_150_000;

let tarball: Awaited<ReturnType<typeof inspectTarball>>;
beforeAll(async () => {
  tarball = await inspectTarball();
});

describe('the tarball', () => {
  test('holds the build and what people and coding agents read, nothing else', () => {
    const { files } = tarball;
    const pages = files.filter((file) => /^docs\/[a-z-]+\.md$/.test(file));
    expect(pages).toEqual(readDocs().map(({ document }) => document));
    expect(files.filter((file) => !file.startsWith('dist/') && !pages.includes(file))).toEqual([
      'AGENTS.md',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
      'skills/handrail/SKILL.md',
    ]);
  });

  test('is small', () => {
    const { size } = tarball;
    expect(
      size,
      `Rule: the tarball has at most ${MOST_BYTES} bytes. Why: everybody who installs waits for it. What to do: look what is large in it with "npm pack --dry-run".`,
    ).toBeLessThanOrEqual(MOST_BYTES);
  });

  test('names no map that is not in it, and has the engine of the sandbox once', () => {
    const { files } = tarball;
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    const scripts = files
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(path.join(root, file), 'utf8'));
    expect(scripts.filter((code) => code.includes('sourceMappingURL='))).toEqual([]);
    // The first bytes of what gzip packs, in base64.
    expect(scripts.filter((code) => /["'`]H4sI/.test(code))).toHaveLength(1);
  });

  test('declares only what its entries reach', () => {
    const { files } = tarball;
    const declarations = files.filter((file) => file.endsWith('.d.ts'));
    const modules = files.filter((file) => file.endsWith('.js'));
    expect(declarations).toContain('dist/index.d.ts');
    expect(declarations.length).toBeLessThan(modules.length / 2);
  });
});

describe('AGENTS.md and the skill', () => {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

  test('lead to pages that are packed', () => {
    const { files } = tarball;
    const linked = readLinks(read('AGENTS.md')).map((link) => link.split('#')[0]);
    expect(linked.length).toBeGreaterThan(10);
    expect(linked.filter((file = '') => !files.includes(file))).toEqual([]);
    const named = read('skills/handrail/SKILL.md').match(/docs\/[a-z-]+\.md/g) ?? [];
    const index = read('docs/index.md');
    expect(named.filter((file) => !index.includes(file.replace('docs/', '')))).toEqual([]);
  });

  test('are short, and the skill says when it is for', () => {
    expect(read('AGENTS.md').split('\n').length).toBeLessThan(80);
    expect(read('skills/handrail/SKILL.md')).toMatch(/^---\nname: handrail\ndescription: .{80,500}\n---\n/);
  });
});

describe("the README's example in an empty app", () => {
  const example = readExample();
  let app: string;
  beforeAll(async () => {
    app = await createApp(example);
  }, 300_000);
  afterAll(() => rmSync(app, { recursive: true, force: true }));

  test('type-checks, the declarations of the package included', async () => {
    expect(await typeCheck(app)).toEqual([]);
  });

  test('type-checks as Node resolves modules', async () => {
    expect(await typeCheck(app, '--module', 'NodeNext', '--moduleResolution', 'NodeNext')).toEqual([]);
  });

  test('builds, and works in Chromium by keyboard alone, with a Content-Security-Policy', async () => {
    await run(app, 'vite', 'build');
    const agent = await startAgent(app, example['server.ts'] ?? '');
    const site = await startSite(app, agent.port);
    const browser = await chromium.launch(chromiumLaunchOptions());
    try {
      const page = await browser.newPage();
      await page.addInitScript((nonce) => Object.assign(globalThis, { __webpack_nonce__: nonce }), NONCE);
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      const broken = new Promise<never>((_, reject) => page.on('pageerror', reject));
      await page.goto(site.resolvedUrls?.local[0] ?? '');
      await Promise.race([orderByKeyboard(page), broken]);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      await site.close();
      agent.process.kill();
    }
  });

  test('type-checks and builds with React 18', async () => {
    await install(app, 'react@18', 'react-dom@18', '@types/react@18', '@types/react-dom@18');
    expect(await typeCheck(app)).toEqual([]);
    expect(await run(app, 'vite', 'build')).toContain('built in');
  });

  test('type-checks with an agent of AI SDK 7', async () => {
    await install(app, 'ai@7', '@ai-sdk/openai-compatible@3');
    writeFileSync(path.join(app, 'src', 'agent.ts'), AGENT);
    // Its own declarations do not pass.
    expect(await typeCheck(app, '--skipLibCheck')).toEqual([]);
  });
});

/** Asks for something that has to be confirmed, confirms it, and sees the agent go on. */
async function orderByKeyboard(page: Page): Promise<void> {
  await page.getByRole('textbox').first().focus();
  await page.keyboard.type('Please order a lamp');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  // A dialog that opens under somebody's fingers takes no answer at first, and the first Tab moves to its first control.
  const armed = dialog.and(page.locator('[data-arming="armed"]'));
  await armed.waitFor();
  // A build may write `light-dark()` in another way. It must have its colours on a page that sets no `color-scheme`, too.
  expect(await armed.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  );
  await page.keyboard.press('Tab');
  await armed.waitFor();
  const before = await page.locator('#root').textContent();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.waitForFunction((seen) => document.getElementById('root')?.textContent !== seen, before);
}

/** Serves what was built, and hands every POST to the agent as a reverse proxy would. */
function startSite(app: string, agentPort: number): Promise<PreviewServer> {
  return preview({
    root: app,
    configFile: false,
    logLevel: 'warn',
    preview: {
      port: 0,
      host: '127.0.0.1',
      headers: {
        'content-security-policy': `default-src 'self'; img-src data:; style-src 'self' 'nonce-${NONCE}'`,
      },
      proxy: {
        '/': {
          target: `http://127.0.0.1:${agentPort}`,
          bypass: (request) => (request.method === 'POST' ? undefined : request.url),
        },
      },
    },
  });
}

/** Runs the server of the example on a free port instead of its own. */
async function startAgent(app: string, code: string): Promise<{ process: ChildProcess; port: number }> {
  const port = await findFreePort();
  const file = path.join(app, 'server.mjs');
  writeFileSync(
    file,
    withoutTypes(code).replace(/\.listen\([^,)]*/, `.listen(${port}, '127.0.0.1', () => console.log('up')`),
  );
  const child = spawn(process.execPath, [file], { cwd: app, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', (status) => reject(new Error(`server.ts of the README ended with ${status}.`)));
  });
  return { process: child, port };
}
