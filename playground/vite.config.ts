/** `npm start`: the playground and its agent server in one process. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { root, sourceAliases } from '../.scripts/package-entries.mjs';
import { sandboxWorker } from '../.scripts/sandbox-worker-plugin.ts';
import { agentServer } from './server/agent-server-plugin.ts';

export default defineConfig({
  root: `${root}playground`,
  cacheDir: `${root}node_modules/.vite-playground`,
  resolve: { alias: sourceAliases() },
  plugins: [react(), agentServer(), sandboxWorker()],
  // The next free port is taken where this one is in use.
  server: { port: 5173, fs: { allow: [root] } },
});
