/** Runs one node of the cluster as a process. Node 20 cannot read TypeScript, so Vite loads the rest. */
import { runnerImport } from 'vite';
import { root, sourceAliases } from '../../../.scripts/package-entries.mjs';

const { module } = await runnerImport(`${root}playground/server/cluster/start-node.ts`, {
  configFile: false,
  root,
  logLevel: 'error',
  resolve: { alias: sourceAliases() },
});
await module.startNode(process.env);
