/**
 * Makes texts of what the sandbox ships as text: `./file.ts?script` is a module with everything it imports, as one
 * classic script; `file?gzip-base64` is a file. The worker has to be one script because it is started from a
 * blob, where no import of it could be resolved; the engine's bytes travel the same way so that an app's bundler
 * has nothing to find.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';

const WORKER = fileURLToPath(new URL('../src/sandbox/worker/worker.ts', import.meta.url));
const SCRIPT = '?script';
const GZIP = '?gzip-base64';
/** The last line of each script, by the name of its file. A script that is only evaluated for its exports has none. */
const CALLS: Readonly<Record<string, string>> = { 'worker.ts': 'worker.start();' };

export function sandboxWorker(): Plugin {
  const require = createRequire(import.meta.url);
  return {
    name: 'handrail-sandbox-worker',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id.endsWith(SCRIPT) && importer !== undefined) {
        return `\0${resolve(dirname(clean(importer)), id.slice(0, -SCRIPT.length))}${SCRIPT}`;
      }
      if (id.endsWith(GZIP)) {
        // Encoded, as test runners leave whatever has node_modules in its path to Node.
        return `\0${encodeURIComponent(require.resolve(id.slice(0, -GZIP.length)))}${GZIP}`;
      }
      return undefined;
    },
    async load(id) {
      if (!id.startsWith('\0')) return undefined;
      if (id.endsWith(GZIP)) {
        const bytes = await readFile(decodeURIComponent(id.slice(1, -GZIP.length)));
        return asModule(gzipSync(bytes, { level: 9 }).toString('base64'));
      }
      if (!id.endsWith(SCRIPT)) return undefined;
      const file = id.slice(1, -SCRIPT.length);
      this.addWatchFile(file);
      return asModule(await bundleScript(file));
    },
  };
}

/** Writes the worker as a file of its own beside the entries, for pages that may not start workers from blobs. */
export function sandboxWorkerFile(): Plugin {
  return {
    name: 'handrail-sandbox-worker-file',
    apply: (_, { command, mode }) => command === 'build' && mode === 'production',
    async generateBundle() {
      const source = await bundleScript(WORKER);
      this.emitFile({ type: 'asset', fileName: 'sandbox-worker.js', source });
    },
  };
}

/** A module and its imports as a script that leaves its exports in a variable named after the file. */
export async function bundleScript(file: string): Promise<string> {
  const name = file.slice(file.lastIndexOf('/') + 1);
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
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  for (const output of outputs) {
    if (!('output' in output)) continue;
    const [chunk, ...others] = output.output;
    if (others.length > 0)
      throw new Error(`${name} became more than one file: ${others.map((o) => o.fileName)}`);
    return `${chunk.code}${CALLS[name] ?? ''}`;
  }
  throw new Error(`${name} was not built`);
}

/** The engine's loader names the file of its bytes, which would be built in; it is handed the compiled module instead. */
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

function clean(id: string): string {
  return id.replace(/^\0/, '').replace(/\?.*$/, '');
}
