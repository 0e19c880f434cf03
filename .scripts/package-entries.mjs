/**
 * The entries of the package, read from the one place that names them: `exports` of package.json.
 * Adding an entry is one line there and one file in src.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, with a slash at its end. Without `URL`, which jsdom replaces. */
export const root = `${path.resolve(fileURLToPath(import.meta.url), '../..')}${path.sep}`;

/** @returns {Record<string, any>} package.json as it is now */
export function readManifest() {
  return JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
}

/**
 * @typedef {object} PackageEntry
 * @property {string} name      what a user imports: `handrail/core`
 * @property {string} file      built file without extension, relative to dist: `core`
 * @property {string} source    absolute path of its source
 */

/**
 * The entries that are modules (stylesheets and package.json are not).
 * @returns {PackageEntry[]}
 */
export function packageEntries() {
  const { name, exports } = readManifest();
  return Object.entries(exports).flatMap(([subpath, target]) => {
    if (!target.default?.endsWith('.js')) return [];
    const file = target.default.replace(/^\.\/dist\//, '').replace(/\.js$/, '');
    return [{ name: subpath.replace(/^\./, name), file, source: `${root}src/${file}.ts` }];
  });
}

/**
 * Vite aliases that make `handrail` and its entries mean their sources: for tests, stories and the playground.
 * @returns {{ find: RegExp, replacement: string }[]}
 */
export function sourceAliases() {
  const { name } = readManifest();
  return [
    { find: new RegExp(`^${name}/styles\\.css$`), replacement: `${root}src/styles.css` },
    ...packageEntries().map((entry) => ({ find: new RegExp(`^${entry.name}$`), replacement: entry.source })),
  ];
}
