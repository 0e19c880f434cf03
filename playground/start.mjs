/** `npm start`: Vite with the playground. Vite refuses options that it does not know, so `--cluster` goes to its plugin in the environment. */
import { root } from '../.scripts/package-entries.mjs';

const CLUSTER = '--cluster';
const options = process.argv.slice(2);
if (options.includes(CLUSTER)) process.env.PLAYGROUND_CLUSTER = 'yes';
process.argv.splice(
  2,
  options.length,
  '--config',
  `${root}playground/vite.config.ts`,
  ...options.filter((option) => option !== CLUSTER),
);
await import(new URL('../node_modules/vite/bin/vite.js', import.meta.url).href);
