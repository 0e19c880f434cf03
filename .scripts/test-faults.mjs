/** Runs test/faults/main.ts through Vite, which reads TypeScript. An argument names a part of the backends to run. */
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
const kept = await main((line) => process.stdout.write(`${line}\n`), process.argv[2]);
await vite.close();
process.exit(kept ? 0 : 1);
