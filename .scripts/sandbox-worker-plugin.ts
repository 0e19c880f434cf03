/**
 * Turns files into texts, which the sandbox ships inside its modules. `./file.ts?script` is a module with all its imports
 * as one classic script; `file?gzip-base64` is the content of a file. The worker must be one script, because a script in a
 * blob cannot resolve imports. The engine's bytes are a text too, so that the bundler of an app need not find a file.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';

const WORKER = fileURLToPath(new URL('../src/sandbox/worker/worker.ts', import.meta.url));
const SCRIPT = '?script';
const GZIP = '?gzip-base64';
/** The last line of each script, by the name of its file. A script that only has exports needs none. */
const CALLS: Readonly<Record<string, string>> = { 'worker.ts': 'worker.start();' };

export function sandboxWorker(): Plugin {
  const require = createRequire(import.meta.url);
  // The ids become file names in the package, so they must not contain paths of this machine.
  const files = new Map<string, string>();
  const remember = (id: string, file: string) => {
    files.set(id, file);
    return id;
  };
  return {
    name: 'handrail-sandbox-worker',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id.endsWith(SCRIPT) && importer !== undefined) {
        const file = resolve(dirname(importer.replace(/\?.*$/, '')), id.slice(0, -SCRIPT.length));
        return remember(`\0sandbox-script/${basename(file)}`, file);
      }
      if (id.endsWith(GZIP)) {
        const file = require.resolve(id.slice(0, -GZIP.length));
        return remember(`\0sandbox-engine/${basename(file)}`, file);
      }
      return undefined;
    },
    async load(id) {
      const file = files.get(id);
      if (file === undefined) return undefined;
      if (id.startsWith('\0sandbox-engine/')) {
        return asModule(gzipSync(await readFile(file), { level: 9 }).toString('base64'));
      }
      this.addWatchFile(file);
      return asModule((await bundleScript(file)).code);
    },
  };
}

/**
 * Writes the worker as a separate file beside the entries, for pages that cannot start workers from blobs. Also writes the
 * licenses of all packages that the worker bundles.
 */
export function sandboxWorkerFile(): Plugin {
  return {
    name: 'handrail-sandbox-worker-file',
    apply: (_, { command, mode }) => command === 'build' && mode === 'production',
    async generateBundle() {
      const { code, modules } = await bundleScript(WORKER);
      this.emitFile({ type: 'asset', fileName: 'sandbox-worker.js', source: code });
      this.emitFile({ type: 'asset', fileName: 'sandbox-licenses.txt', source: await licensesOf(modules) });
    },
  };
}

/** Bundles a module and its imports as a script that puts its exports into a variable named after the file. */
export async function bundleScript(file: string): Promise<{ code: string; modules: readonly string[] }> {
  const name = basename(file);
  const variable = name.replace(/\.ts$/, '');
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [sandboxWorker(), withoutAssets()],
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry: file, formats: ['iife'], name: variable, fileName: variable },
      // A test with a warning fails, and a slow machine would cause warnings about timing.
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  for (const output of outputs) {
    if (!('output' in output)) continue;
    const [chunk, ...others] = output.output;
    if (others.length > 0)
      throw new Error(`${name} became more than one file: ${others.map((o) => o.fileName)}`);
    return { code: `${chunk.code}${CALLS[name] ?? ''}`, modules: chunk.moduleIds };
  }
  throw new Error(`${name} was not built`);
}

async function licensesOf(modules: readonly string[]): Promise<string> {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    const { name, version } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
    return `${name} ${version}\n\n${await readFile(`${folder}/LICENSE`, 'utf8')}`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}

/** Removes the file of the engine's bytes from the engine's loader: the loader gets the compiled module, so the file is not needed. */
function withoutAssets(): Plugin {
  return {
    name: 'handrail-sandbox-without-assets',
    enforce: 'pre',
    transform(code) {
      if (!code.includes('import.meta.url')) return undefined;
      return code
        .replace(/new URL\("[^"]+\.wasm",\s*import\.meta\.url\)\.href/g, '""')
        .replaceAll('import.meta.url', '""');
    },
  };
}

function asModule(text: string): string {
  return `export default ${JSON.stringify(text)};`;
}
