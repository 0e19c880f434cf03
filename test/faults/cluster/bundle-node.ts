import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Bundles the program of the processes into a folder, because Node 20 runs no TypeScript. Returns the absolute path of the program. */
export async function bundleNode(folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: fileURLToPath(new URL('test/faults/cluster/node-process.ts', ROOT)),
      target: 'node20',
      outDir: folder,
      rolldownOptions: { output: { entryFileNames: 'node.mjs' } },
    },
  });
  return `${folder}/node.mjs`;
}

const ROOT = new URL('../../../', import.meta.url);
