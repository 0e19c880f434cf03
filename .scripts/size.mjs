/**
 * What an app pays for an import, measured on the built package: bundled and minified by Vite as an app would be,
 * everything but React included, then gzipped. What is only loaded on demand is not counted.
 */
import { gzipSync } from 'node:zlib';
import { bundleApp } from './bundle-app.mjs';

/**
 * @typedef {object} Budget
 * @property {string} what
 * @property {string} code           the module of the app
 * @property {number} limit          bytes after gzip
 * @property {string[]} [without]    packages left out beside React
 */

/**
 * What is, with little room. The hook is to stay under 20 kB; the goals are 16 kB for it and 15 kB for the engine: lower these
 * two as the code gets leaner, and raise them for nothing but an answer that would be lost. The others are raised by nothing
 * but what people are newly asked or shown. What few apps use comes with what they import for it, as `defineClientTool` brings
 * schemas and policies.
 *
 * What reads and runs a turn is not loaded on demand, whatever that would save: in Chromium an `import()` that failed
 * while offline stays failed until a reload, and the chat with it.
 *
 * How far the goals are: reading on after a cut (1.07 kB of the hook), answers handed to the next turn (0.19), retry (0.19),
 * what asks for kept conversations (0.32), secrets of bare tools (0.22), and all errors with their texts (0.88) are 2.9 kB
 * together; without any of them the hook would still have 17.
 *
 * @type {readonly Budget[]}
 */
const BUDGETS = [
  {
    what: 'hook over HTTP',
    code: `export { useAgentChat, createHttpTransport } from 'handrail'`,
    limit: 20_000,
  },
  {
    what: 'engine over HTTP, no React',
    code: `export { createAgentChat, createHttpTransport } from 'handrail/core'`,
    limit: 19_700,
  },
  { what: 'all of handrail', code: `export * from 'handrail'`, limit: 54_000 },
  { what: 'all components', code: `export * from 'handrail/components'`, limit: 69_900 },
  {
    what: 'all components, form library left out',
    code: `export * from 'handrail/components'`,
    limit: 54_800,
    without: ['react-hook-form'],
  },
  {
    what: 'confirmation alone',
    code: `export { ConfirmationDialog } from 'handrail/components'`,
    limit: 29_220,
  },
];

const rows = [];
for (const { what, code, limit, without = [] } of BUDGETS) {
  const { texts } = await bundleApp(code, ['react', 'react-dom', ...without]);
  const size = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
  const ok = size < limit;
  if (!ok) process.exitCode = 1;
  rows.push({ import: what, 'kB gzip': kilobytes(size), limit: kilobytes(limit), ok });
}
console.table(rows);

/** @param {number} bytes */
function kilobytes(bytes) {
  return Number((bytes / 1000).toFixed(2));
}
