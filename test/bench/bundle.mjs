/** Each candidate as an app would ship it: bundled for browsers, in production mode, with one React for all. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));

/** @param {readonly string[]} names */
export async function bundle(names) {
  await build({
    entryPoints: [
      ...names.map((name) => ({ in: `case:${name}`, out: name })),
      { in: `${here}workloads.ts`, out: 'workloads' },
      { in: `${here}wires/octavus.ts`, out: 'octavus-wire' },
    ],
    outdir: `${here}.bundles`,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    external: ['node:fs', 'node:v8'],
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { react: `${here}node_modules/react`, 'react-dom': `${here}node_modules/react-dom` },
    logLevel: 'error',
    plugins: [cases(), handrailSources()],
  });
}

/** The module a case starts with: the candidate, handed to what measures it. */
function cases() {
  return {
    name: 'cases',
    /** @param {import('esbuild').PluginBuild} build */
    setup(build) {
      build.onResolve({ filter: /^case:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'case' }));
      build.onLoad({ filter: /.*/, namespace: 'case' }, ({ path }) => ({
        contents: `import { candidate } from './candidates/${path}';
import { runCase } from './measure/run-case.ts';
await runCase(candidate);`,
        resolveDir: here,
        loader: 'ts',
      }));
    },
  };
}

/** handrail is measured as it stands in this checkout. */
function handrailSources() {
  return {
    name: 'handrail',
    /** @param {import('esbuild').PluginBuild} build */
    setup(build) {
      build.onResolve({ filter: /^handrail(\/[a-z-]+)?$/ }, ({ path }) => ({
        path: `${here}../../src/${path === 'handrail' ? 'index' : path.slice('handrail/'.length)}.ts`,
        sideEffects: false,
      }));
    },
  };
}
