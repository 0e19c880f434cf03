/** Several nodes with one Redis: what storing and relaying an event costs, a thousand runs at once, and opening a long conversation. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { findRedisServer } from '../../../.scripts/find-servers.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
/** The second element of each case is the floor that its CPU is compared with. */
const REDIS_CASES = {
  'redis-floor': ['floor: one XADD to Redis for each of 5,000 events'],
  direct: ['a run at the node that reads it, 5,000 events', 'redis-floor'],
  relayed: ['a run at another node than that which reads it, 5,000 events', 'redis-floor'],
  'runs-short': ['1,000 runs over two nodes, half of them relayed, 5 events each'],
  'runs-long': ['1,000 runs over two nodes, half of them relayed, 50 events each'],
};
const OPEN_CASES = {
  'open-server-floor': ['floor: parse the record of 500 messages, write them as JSON'],
  'open-server': ['open 500 messages, at the server', 'open-server-floor'],
  'open-client-floor': ['floor: parse the snapshot of 500 messages'],
  'open-client': ['open 500 messages, in the page: from the bytes to the state', 'open-client-floor'],
};

/** @returns one row per case; without redis-server only those that need none */
export async function measureCluster() {
  const outfile = `${here}../.bundles/nodes.mjs`;
  await build({
    entryPoints: [`${here}nodes.ts`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: Object.fromEntries(
      ['core', 'redis', 'server'].map((entry) => [`handrail/${entry}`, `${here}../../../src/${entry}.ts`]),
    ),
    external: ['ai', 'jose', 'redis'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const program = findRedisServer();
  if (program === undefined) console.log('There is no redis-server: the rows that need one are left out.');
  const rows =
    program === undefined ? [] : await withRedis(program, (url) => runCases(outfile, REDIS_CASES, url));
  return [...rows, ...(await runCases(outfile, OPEN_CASES, ''))];
}

/** @param {string} outfile @param {Record<string, string[]>} cases @param {string} url of Redis */
async function runCases(outfile, cases, url) {
  const cpuOf = {};
  const rows = [];
  for (const [name, [title, floor]] of Object.entries(cases)) {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', outfile, name, url]);
    const measured = JSON.parse(stdout);
    cpuOf[name] = measured['CPU µs'];
    const ratio = floor && Number((measured['CPU µs'] / cpuOf[floor]).toFixed(2));
    rows.push({ name: title, ...measured, ...(ratio && { '× floor': ratio }) });
  }
  return rows;
}

/** Runs a task with a server of its own, which writes to the disk before it confirms. */
async function withRedis(program, task) {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-bench-'));
  const port = await findFreePort();
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const server = spawn(program, [...place, '--appendonly', 'yes', '--appendfsync', 'always', '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const text of server.stdout) if (String(text).includes('Ready to accept connections')) break;
    return await task(`redis://127.0.0.1:${port}`);
  } finally {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  }
}

async function findFreePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}
