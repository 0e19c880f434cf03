/** Runs test/faults/main.ts through Vite, which reads TypeScript. The arguments: which backends, and how many mixes of faults. */
import { createServer } from 'vite';
import { sourceAliases } from './package-entries.mjs';

const vite = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, watch: null, ws: false },
  optimizeDeps: { noDiscovery: true },
  resolve: { alias: sourceAliases() },
});
const { main } = await vite.ssrLoadModule('/test/faults/main.ts');
const [only, mixes] = process.argv.slice(2);
const kept = await main(
  (line) => process.stdout.write(`${line}\n`),
  only,
  mixes === undefined ? undefined : Number(mixes),
);
await vite.close();
process.exit(kept ? 0 : 1);
