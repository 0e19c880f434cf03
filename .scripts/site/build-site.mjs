/**
 * `npm run site`: builds the site into `site-dist`, without a server behind it. `npm run site -- --serve` shows what was built last.
 * With names of parts (`pages`, `playground`, `live`, `storybook`) it builds these alone: `npm run site -- pages`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../package-entries.mjs';
import { writeApiPages } from './api-pages.mjs';
import { writeTwins } from './llms.mjs';
import { BUILT, stagePages } from './pages.mjs';
import { SITE, serveSite } from './serve-site.mjs';

const PARTS = /** @type {Record<string, () => void | Promise<void>>} */ ({
  pages: buildPages,
  playground: () => buildInPage('production'),
  live: () => buildInPage('live'),
  storybook: () => run('storybook', 'build', '--output-dir', path.join(SITE, 'storybook'), '--quiet'),
});

const [first, ...others] = process.argv.slice(2);
if (first === '--serve') {
  const { url } = await serveSite(4173);
  console.log(`The site is at ${url}`);
} else {
  const asked = first === undefined ? Object.keys(PARTS) : [first, ...others];
  for (const name of asked) {
    const build = PARTS[name];
    if (build === undefined)
      throw new Error(`The site has no part "${name}": use ${Object.keys(PARTS).join(', ')}.`);
    console.log(`▶ ${name}`);
    await build();
  }
}

async function buildPages() {
  stagePages();
  await writeApiPages();
  run('vitepress', 'build', 'docs');
  // The other parts stay: they have folders of their own.
  rmSync(path.join(SITE, 'assets'), { recursive: true, force: true });
  cpSync(BUILT, SITE, { recursive: true });
  writeTwins(SITE);
}

/** @param {'live' | 'production'} mode */
function buildInPage(mode) {
  run('vite', 'build', '--config', 'playground/in-page/vite.config.ts', '--mode', mode);
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, ...args) {
  const { status } = spawnSync(path.join(root, 'node_modules/.bin', command), args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`);
}
