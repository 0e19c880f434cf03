/**
 * Where is a Chromium? Looked for in this order: environment variables, PATH, the usual install places,
 * and Playwright's own download.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Names by which people already point tools at a browser; ours comes first. */
export const CHROMIUM_VARIABLES = [
  'HANDRAIL_CHROMIUM',
  'PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH',
  'CHROMIUM_PATH',
  'CHROME_BIN',
  'CHROME_PATH',
  'PUPPETEER_EXECUTABLE_PATH',
];

const COMMANDS = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];

/**
 * @typedef {object} Surroundings
 * @property {Record<string, string | undefined>} env
 * @property {NodeJS.Platform} platform
 * @property {readonly string[]} installPlaces      absolute paths to look at when PATH has none
 * @property {() => string | undefined} playwrightDownload
 * @property {(file: string) => boolean} works       whether the file really is a browser
 */

/**
 * @param {Partial<Surroundings>} [given] what differs from this machine (tests)
 * @returns {string | undefined} absolute path of a browser, or undefined when there is none
 * @throws Error when a variable names a file that is no executable: somebody meant something by it
 */
export function findChromium(given = {}) {
  const platform = given.platform ?? process.platform;
  const env = given.env ?? process.env;
  const {
    installPlaces = usualPlaces(platform, env),
    playwrightDownload = downloadedByPlaywright,
    works = answersVersion,
  } = given;

  for (const variable of CHROMIUM_VARIABLES) {
    const file = env[variable];
    if (file === undefined || file === '') continue;
    if (isExecutable(file)) return path.resolve(file);
    throw new Error(`${variable} is "${file}", which is no executable file. Correct it or unset it.`);
  }
  for (const candidate of [...onPath(env, platform), ...installPlaces]) {
    // Ubuntu has a `chromium-browser` that only says how to install it.
    if (isExecutable(candidate) && works(candidate)) return candidate;
  }
  const downloaded = playwrightDownload();
  // On a bare Linux the download lacks the libraries it needs.
  return downloaded !== undefined && isExecutable(downloaded) && works(downloaded) ? downloaded : undefined;
}

/**
 * @param {Record<string, string | undefined>} env
 * @param {NodeJS.Platform} platform
 */
function onPath(env, platform) {
  const folders = (env.PATH ?? env.Path ?? '')
    .split(platform === 'win32' ? ';' : ':')
    .filter(path.isAbsolute);
  const suffix = platform === 'win32' ? '.exe' : '';
  return COMMANDS.flatMap((command) => folders.map((folder) => path.join(folder, command + suffix)));
}

/**
 * @param {NodeJS.Platform} platform
 * @param {Record<string, string | undefined>} env
 */
function usualPlaces(platform, env) {
  if (platform === 'darwin') {
    const bundles = ['Chromium', 'Google Chrome', 'Microsoft Edge'];
    return ['/Applications', `${env.HOME}/Applications`].flatMap((folder) =>
      bundles.map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`),
    );
  }
  if (platform === 'win32') {
    const programs = ['Chromium\\Application\\chrome.exe', 'Google\\Chrome\\Application\\chrome.exe'];
    return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
      folder
        ? [...programs, 'Microsoft\\Edge\\Application\\msedge.exe'].map((file) => path.join(folder, file))
        : [],
    );
  }
  return ['/usr/lib/chromium/chromium', '/opt/google/chrome/chrome', '/snap/bin/chromium'];
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** @param {string} file */
function answersVersion(file) {
  // `--version` opens a window there.
  if (process.platform === 'win32') return true;
  try {
    const output = execFileSync(file, ['--version'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 20_000,
    });
    return /\d+\.\d+\.\d+/.test(output.toString());
  } catch {
    return false;
  }
}

/** Playwright is loaded late: before the installation it is not there. */
function downloadedByPlaywright() {
  try {
    return createRequire(import.meta.url)('playwright').chromium.executablePath();
  } catch {
    return undefined;
  }
}
