import { existsSync } from 'node:fs';
import { build } from 'vite';
import { packageEntries, root } from './package-entries.mjs';

const APP = 'virtual:app';
/** What Vite puts around every import on demand. An app has it once, for all its packages: it is no part of ours. */
const PRELOAD = '\0vite/preload-helper.js';
const LOAD = 'export const __vitePreload = (load) => load();';

/**
 * Bundles and minifies a module that uses the built package, as Vite does for an app.
 *
 * @param {string} code           it may import `handrail` and its entries
 * @param {string[]} external     packages that are left out
 * @returns {Promise<{ texts: string[], modules: string[], lazyChunks: number }>} the chunks needed at start, the modules that put
 * something into them, by their path from the package's folder, and the number of chunks that are loaded on demand
 * @throws Error when there is no build
 */
export async function bundleApp(code, external) {
  if (!existsSync(`${root}dist/index.js`)) throw new Error('There is no dist. Run "npm run build" first.');
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    resolve: {
      alias: packageEntries().map(({ name, file }) => ({
        find: new RegExp(`^${name}$`),
        replacement: `${root}dist/${file}.js`,
      })),
    },
    plugins: [
      {
        name: 'app',
        enforce: 'pre',
        resolveId: (id) => (id === APP ? `\0${APP}` : undefined),
        load: (id) => (id === `\0${APP}` ? code : id === PRELOAD ? LOAD : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: APP,
        // The entry of an app is nobody's module: what parts share with it stays in it.
        preserveEntrySignatures: 'allow-extension',
        external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
        checks: { moduleLevelDirective: false, bundlerTimings: false },
      },
    },
  });
  const output = /** @type {import('vite').Rolldown.RolldownOutput} */ (result);
  const chunks = startChunks(output);
  return {
    lazyChunks: output.output.filter(({ type }) => type === 'chunk').length - chunks.length,
    texts: chunks.map((chunk) => chunk.code),
    modules: chunks
      .flatMap((chunk) => Object.entries(chunk.modules))
      .filter(([id, { renderedLength }]) => renderedLength > 0 && !id.startsWith('\0'))
      .map(([id]) => id.replace(root, '')),
  };
}

/**
 * The entry and what it imports, not what it may import later.
 * @param {import('vite').Rolldown.RolldownOutput} result
 */
function startChunks({ output }) {
  const chunks = output.filter((file) => file.type === 'chunk');
  const needed = new Set(chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName));
  for (const name of needed) {
    for (const file of chunks.find((chunk) => chunk.fileName === name)?.imports ?? []) needed.add(file);
  }
  return chunks.filter((chunk) => needed.has(chunk.fileName));
}
