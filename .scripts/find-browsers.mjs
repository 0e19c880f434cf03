/**
 * Finds the browsers beside Chromium in which `npm run check` drives the playground: Firefox, and WebKit as Debian has it, which is the driver
 * WebKitWebDriver with the browser MiniBrowser, on a display of Xvfb.
 */
import path from 'node:path';
import { findProgram, listFolder, programFolders } from './find-programs.mjs';

/** The Debian packages that bring them. */
export const FIREFOX_PACKAGES = ['firefox-esr'];
export const WEBKIT_PACKAGES = ['webkit2gtk-driver', 'xvfb'];

/**
 * @typedef {object} BrowserPlaces
 * @property {readonly string[]} folders     folders with programs, the preferred one first
 * @property {string} libraries              the folder below which Debian puts MiniBrowser
 */

/**
 * @param {Partial<BrowserPlaces>} [given] what differs from this machine (tests)
 * @returns {string | undefined} the absolute path of Firefox
 */
export function findFirefox({ folders = programFolders('/usr/bin') } = {}) {
  return findProgram(folders, 'firefox-esr') ?? findProgram(folders, 'firefox');
}

/**
 * @typedef {object} WebKitPrograms
 * @property {string} driver         WebKitWebDriver
 * @property {string} miniBrowser
 * @property {string} xvfb
 */

/**
 * @param {Partial<BrowserPlaces>} [given] what differs from this machine (tests)
 * @returns {WebKitPrograms | undefined} the absolute paths, if all three programs are there
 */
export function findWebKit({ folders = programFolders('/usr/bin'), libraries = '/usr/lib' } = {}) {
  const driver = findProgram(folders, 'WebKitWebDriver');
  const xvfb = findProgram(folders, 'Xvfb');
  const miniBrowser = findMiniBrowser(libraries);
  return driver && xvfb && miniBrowser ? { driver, miniBrowser, xvfb } : undefined;
}

/**
 * Says what the tests in Firefox lack here, or undefined.
 * @param {Partial<BrowserPlaces>} [given]
 */
export function missingFirefox(given) {
  return findFirefox(given) === undefined ? missing('Firefox', FIREFOX_PACKAGES) : undefined;
}

/**
 * Says what the tests in WebKit lack here, or undefined.
 * @param {Partial<BrowserPlaces>} [given]
 */
export function missingWebKit(given) {
  return findWebKit(given) === undefined
    ? missing('WebKitWebDriver with MiniBrowser and Xvfb', WEBKIT_PACKAGES)
    : undefined;
}

/**
 * @param {string} what
 * @param {readonly string[]} packages
 */
function missing(what, packages) {
  return `this machine has no ${what} (Debian: "apt-get install ${packages.join(' ')}")`;
}

/** @param {string} libraries MiniBrowser is in lib/<machine>/webkit2gtk-<version>/ */
function findMiniBrowser(libraries) {
  for (const machine of listFolder(libraries)) {
    for (const name of listFolder(path.join(libraries, machine))) {
      if (!/^webkit(2gtk|gtk)-/.test(name)) continue;
      const file = findProgram([path.join(libraries, machine, name)], 'MiniBrowser');
      if (file !== undefined) return file;
    }
  }
  return undefined;
}
