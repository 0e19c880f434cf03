/** The library build, and the test projects. The playground and Storybook build themselves. */

import { existsSync, readFileSync } from 'node:fs';
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin';
import { playwright } from '@vitest/browser-playwright';
import { type Plugin, preprocessCSS, type ResolvedConfig } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import type { BrowserConfigOptions } from 'vitest/node';
import { packageEntries, readManifest, root, sourceAliases } from './.scripts/package-entries.mjs';
import { sandboxWorker, sandboxWorkerFile } from './.scripts/sandbox-worker-plugin.ts';
import { chromiumLaunchOptions } from './test/support/chromium.ts';

/** Tests that replace modules, so they need modules of their own. */
const ISOLATED = [
  'test/components/edit-unavailable.test.tsx',
  'test/speed/growth.test.tsx',
  'test/speed/arriving-json.test.ts',
  'test/backends/mantyx/local-tools/local-mcp.test.ts',
];

/** Tests that need minutes of computing time or a database of their own. `npm test` does without them. */
const LONG_TESTS = [
  'test/core/chat/leak.test.ts',
  'test/sandbox/escapes.test.ts',
  'test/sandbox/life.test.ts',
  'test/server/stores/postgres/pglite.test.ts',
];

/** Tests that start real servers (NATS, Redis, PostgreSQL). `npm test` does without them. */
const SERVER_TESTS = 'test/**/*.server.test.ts';

/** One path through the playground for each transport: `npm test` runs these, `npm run check` the other ones as well. */
const E2E_PATHS = ['test/e2e/order.test.ts', 'test/e2e/mantyx.test.ts'];

export default defineConfig({
  resolve: { alias: sourceAliases() },
  plugins: [stylesheet(), sandboxWorker(), sandboxWorkerFile()],
  build: {
    target: 'es2022',
    // Of the output, not of `build`: for a library Vite keeps white space, see `output` below.
    minify: false,
    sourcemap: false,
    lib: {
      entry: Object.fromEntries(
        packageEntries()
          .filter((entry) => existsSync(entry.source))
          .map((entry) => [entry.file, entry.source]),
      ),
      formats: ['es'],
    },
    rolldownOptions: {
      external: isExternal(),
      // With a file per module it stays at the head of its file.
      checks: { moduleLevelDirective: false },
      // One file per module: bundlers drop what an app does not use, and 'use client' stays where it was written.
      output: {
        preserveModules: true,
        preserveModulesRoot: 'src',
        entryFileNames: '[name].js',
        // Names of functions, fields and exports stay as they are, so that a stack trace says where it was. What explains them is in
        // the declarations; with comments, or with maps and their sources, the package would have more than twice its size.
        minify: { compress: false, mangle: { toplevel: false }, codegen: { removeWhitespace: true } },
      },
    },
  },
  // The limits are for hangs only: a busy machine may take many times longer than a quiet one.
  test: {
    projects: testProjects(),
    // Vitest leaves one core free by default, which on two cores is half of them.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    provide: {
      seed: Number(process.env.HANDRAIL_SEED ?? 1),
      runs: Number(process.env.HANDRAIL_RUNS ?? 1),
    },
  },
});

/** Whatever the user's package manager installs beside us, and Node itself. */
function isExternal() {
  const { dependencies, peerDependencies } = readManifest();
  const names = Object.keys({ ...dependencies, ...peerDependencies });
  return (id: string) =>
    id.startsWith('node:') || names.some((name) => id === name || id.startsWith(`${name}/`));
}

/** Writes src/styles.css, its imports inlined, to dist/styles.css. */
function stylesheet(): Plugin {
  let config: ResolvedConfig;
  const file = `${root}src/styles.css`;
  return {
    name: 'stylesheet',
    apply: (_, { command, mode }) => command === 'build' && mode === 'production' && existsSync(file),
    configResolved(resolved) {
      config = resolved;
    },
    async generateBundle() {
      const { code } = await preprocessCSS(readFileSync(file, 'utf8'), file, config);
      this.emitFile({ type: 'asset', fileName: 'styles.css', source: code });
      // TypeScript 6 wants every import declared, also one for its effect alone.
      this.emitFile({ type: 'asset', fileName: 'styles.css.d.ts', source: 'export {};\n' });
    },
  };
}

function testProjects(): TestProjectInlineConfiguration[] {
  if (process.env.VITEST === undefined) return [];
  const setupFiles = 'test/support/setup.ts';
  // A window has scrollbars, and what a dialog does about them is tested.
  const launchOptions = { ...chromiumLaunchOptions(), ignoreDefaultArgs: ['--hide-scrollbars'] };
  // Vitest writes into it, so each project gets its own.
  const browser = (): BrowserConfigOptions => ({
    enabled: true,
    headless: true,
    screenshotFailures: false,
    provider: playwright({ launchOptions }),
    instances: [{ browser: 'chromium' }],
  });
  const expect = { requireAssertions: true };
  return [
    {
      extends: true,
      test: {
        name: 'node',
        include: ['test/**/*.test.{ts,tsx}'],
        exclude: [
          'test/browser/**',
          'test/browsers/**',
          'test/e2e/**',
          'test/package/built/**',
          'test/starters/**',
          'test/site/**',
          'test/agents/**',
          'test/bench/**',
          SERVER_TESTS,
          ...ISOLATED,
          ...LONG_TESTS,
        ],
        // Files share their modules: to import the library again for each file takes longer than all tests.
        isolate: false,
        setupFiles,
        expect,
        restoreMocks: true,
        provide: { react: 19, aiSdk: 6 },
      },
    },
    {
      extends: true,
      test: {
        name: 'isolated',
        include: ISOLATED,
        setupFiles,
        expect,
        restoreMocks: true,
        provide: { react: 19 },
      },
    },
    {
      extends: true,
      test: { name: 'long', include: LONG_TESTS, setupFiles, expect, restoreMocks: true },
    },
    {
      extends: true,
      test: { name: 'servers', include: [SERVER_TESTS], setupFiles, expect, restoreMocks: true },
    },
    {
      extends: true,
      resolve: { alias: [{ find: /^(react|react-dom)(?=\/|$)/, replacement: '$1-18' }] },
      test: {
        name: 'react-18',
        include: ['test/{react,components}/**/*.test.tsx', 'test/tooling/react-version.test.tsx'],
        setupFiles,
        expect,
        restoreMocks: true,
        provide: { react: 18 },
        // Packages are not transformed, so an alias does not reach what they import.
        execArgv: ['--import', new URL('test/support/react-18.mjs', import.meta.url).href],
      },
    },
    {
      extends: true,
      resolve: {
        alias: [
          { find: /^(?:@ai-sdk\/)?(ai|anthropic|google|openai-compatible)(?=\/|$)/, replacement: '$1-7' },
        ],
      },
      test: {
        name: 'ai-sdk-7',
        include: ['test/server/ai-sdk/*.test.ts', 'test/backends/ai-sdk/*.test.ts'],
        setupFiles,
        expect,
        restoreMocks: true,
        provide: { aiSdk: 7 },
      },
    },
    {
      extends: true,
      test: {
        name: 'browser',
        include: ['test/browser/**/*.test.{ts,tsx}'],
        setupFiles,
        expect,
        restoreMocks: true,
        browser: browser(),
      },
    },
    ...(askedProjects().includes('visual') ? [visualProject()] : []),
    {
      extends: true,
      test: {
        name: 'e2e-paths',
        include: E2E_PATHS,
        globalSetup: 'test/e2e/build-playground.ts',
        setupFiles,
        expect,
      },
    },
    {
      extends: true,
      test: {
        name: 'e2e',
        include: ['test/e2e/**/*.test.ts'],
        exclude: E2E_PATHS,
        globalSetup: 'test/e2e/build-playground.ts',
        setupFiles,
        expect,
      },
    },
    {
      extends: true,
      test: {
        name: 'browsers',
        include: ['test/browsers/**/*.test.ts'],
        globalSetup: 'test/e2e/build-playground.ts',
        setupFiles,
        expect,
        // Each browser takes a core.
        fileParallelism: false,
      },
    },
    {
      extends: true,
      plugins: isAsked('storybook') ? [storybookTest({ configDir: '.storybook' })] : [],
      test: { name: 'storybook', browser: browser() },
    },
    {
      extends: true,
      test: {
        name: 'package',
        include: ['test/package/built/**/*.test.ts'],
        setupFiles,
        expect,
        testTimeout: 300_000,
      },
    },
    {
      extends: true,
      test: {
        name: 'starters',
        include: ['test/starters/**/*.test.ts'],
        setupFiles,
        expect,
        testTimeout: 300_000,
        hookTimeout: 300_000,
        // An app that is installed, built and driven takes all cores.
        fileParallelism: false,
      },
    },
    {
      extends: true,
      test: {
        name: 'site',
        include: ['test/site/**/*.test.ts'],
        globalSetup: 'test/site/build-site.ts',
        setupFiles,
        expect,
      },
    },
  ];
}

/** Pictures of the main states, compared only where somebody asks for it: see stories/baselines/. */
function visualProject(): TestProjectInlineConfiguration {
  const { args, ...launchOptions } = chromiumLaunchOptions();
  return {
    extends: true,
    test: {
      name: 'visual',
      include: ['stories/baselines/*.test.tsx'],
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({
          // What makes the same font look different from machine to machine.
          launchOptions: {
            ...launchOptions,
            args: [...args, '--font-render-hinting=none', '--disable-lcd-text'],
          },
          contextOptions: { reducedMotion: 'reduce', deviceScaleFactor: 1 },
        }),
        instances: [{ browser: 'chromium' }],
        expect: {
          toMatchScreenshot: {
            comparatorName: 'pixelmatch',
            comparatorOptions: { threshold: 0.2, allowedMismatchedPixelRatio: 0.005 },
            resolveScreenshotPath: ({ arg, ext, platform }) =>
              `${root}stories/baselines/${platform}/${arg}${ext}`,
          },
        },
      },
    },
  };
}

/** Storybook starts slowly, so runs of other projects alone do without. */
function isAsked(project: string): boolean {
  const named = askedProjects();
  return named.length === 0 || named.some((name) => name === project || /[*!]/.test(name));
}

function askedProjects(): string[] {
  return process.argv.flatMap((argument, index) => {
    if (argument === '--project') return process.argv.slice(index + 1, index + 2);
    return argument.startsWith('--project=') ? [argument.slice('--project='.length)] : [];
  });
}
