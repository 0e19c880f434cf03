/**
 * Runs before `npm start`, `npm test` and `npm run check`, so that each works on a bare clone with Node and npm
 * alone: installs from the lockfile when needed, then finds or gets a Chromium (not with `--no-browser`), and with `--servers`
 * the servers that the tests of `npm run check` start and the packages of test/agents, with `--browsers` the other browsers that it drives.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { FIREFOX_PACKAGES, findFirefox, findWebKit, WEBKIT_PACKAGES } from './find-browsers.mjs';
import { findChromium } from './find-chromium.mjs';
import { findNatsServer, findPostgres, findRedisServer } from './find-servers.mjs';
import { staleReason } from './install-state.mjs';
import { root } from './package-entries.mjs';

const DOWNLOAD_LIMIT_MS = 10 * 60_000;
const isWindows = process.platform === 'win32';

try {
  prepare();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function wantsBrowser() {
  return !process.argv.includes('--no-browser');
}

function prepare() {
  if (!install('.'))
    throw new Error('The installation failed; npm says above why. Nothing works without it.');
  if (wantsBrowser() && findChromium() === undefined) getChromium();
  if (process.argv.includes('--servers')) getServers();
  if (process.argv.includes('--browsers')) getBrowsers();
}

/**
 * Installs what the lockfile of a folder names, unless it is there. Returns false if npm failed.
 *
 * @param {string} folder
 */
function install(folder) {
  const cwd = path.join(root, folder);
  const reason = staleReason(cwd);
  if (reason === undefined) return true;
  console.log(`Installing from ${path.join(folder, 'package-lock.json')}: ${reason}.`);
  // Development dependencies also where NODE_ENV is production: nothing here runs without them.
  return npm(['ci', '--include=dev', '--no-audit', '--no-fund'], { cwd });
}

function getChromium() {
  console.log('No Chromium found. Trying the one Playwright downloads.');
  npm(['exec', '--', 'playwright', 'install', 'chromium'], {
    timeout: DOWNLOAD_LIMIT_MS,
    // A closed network should be noticed soon: there are other ways to get one.
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000' },
  });
  if (findChromium() === undefined) installDebianPackages('chromium');
  if (findChromium() === undefined) {
    throw new Error(
      'There is no Chromium for the browser tests: install Chrome or Chromium, or set HANDRAIL_CHROMIUM to the path of one ("npm run test:unit" needs none).',
    );
  }
}

/** A server that cannot be had here fails the tests that start it; the other tests still run. */
function getServers() {
  if (findNatsServer() === undefined) installDebianPackages('nats-server');
  if (findPostgres() === undefined) installDebianPackages('postgresql');
  if (findRedisServer() === undefined) installDebianPackages('redis-server');
  if (!install('test/agents'))
    console.error('The tests with agents of others will fail without their packages.');
}

/** The tests in a browser that cannot be had here are not run, and `npm run check` says so. */
function getBrowsers() {
  if (findFirefox() === undefined) installDebianPackages(...FIREFOX_PACKAGES);
  if (findWebKit() === undefined) installDebianPackages(...WEBKIT_PACKAGES);
}

/**
 * Does nothing where the packages cannot be installed: on other systems, and for users other than root.
 * @param {...string} names
 */
function installDebianPackages(...names) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log(`Trying the Debian packages: ${names.join(', ')}.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env });
}

/**
 * The npm that runs this script, else the one on PATH.
 * @param {string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
function npm(args, options) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('npm-cli.js')
    ? run(process.execPath, [cli, ...args], options)
    : run('npm', args, { shell: isWindows, ...options });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
function run(command, args, options) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
  });
  return status === 0;
}
