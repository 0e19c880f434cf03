/** The server half: events per second, and what a thousand readers that stop reading hold in memory. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const CASES = {
  'stream-fast': 'toSSEStream, one reader, 200,000 events',
  'stream-slow': 'toSSEStream, 1,000 slow readers',
  'socket-fast': 'serveSocket, one reader, 200,000 events',
  'socket-slow': 'serveSocket, 1,000 slow readers',
  'ws-floor': 'floor: JSON and send of ws, one reader in another process',
  'ws-fast': 'serveSocket over ws, one reader in another process',
};

/** @returns one row per case */
export async function measureServer() {
  const outfile = `${here}../.bundles/readers.mjs`;
  await build({
    entryPoints: [`${here}readers.ts`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: { 'handrail/server': `${here}../../../src/server.ts` },
    external: ['ai', 'jose', 'ws'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const rows = [];
  for (const [name, title] of Object.entries(CASES)) {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', outfile, name]);
    rows.push({ name: title, ...JSON.parse(stdout) });
  }
  return rows;
}
