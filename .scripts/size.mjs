/**
 * Guards what an app pays for the hook with HTTP: bundled and minified by Vite as an app would be, React left out, then gzipped. Nothing
 * of it may be loaded on demand: in Chromium an `import()` that failed while offline stays failed until a reload, and the chat with it.
 */
import { gzipSync } from 'node:zlib';
import { bundleApp } from './bundle-app.mjs';

/**
 * Bytes after gzip. Readable code wins below this limit. The room above 25,000 is for conversations that several people and devices share:
 * opening and following them on the server, refused and partial answers, and questions that the server asks.
 */
const LIMIT = 28_000;

const code = `export { useAgentChat, createHttpTransport } from 'handrail'`;
const { texts, lazyChunks } = await bundleApp(code, ['react', 'react-dom']);
const size = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
console.log(`The hook with HTTP: ${kilobytes(size)} kB gzip of ${kilobytes(LIMIT)}.`);
if (size > LIMIT) process.exitCode = 1;
if (lazyChunks > 0) {
  console.error(`${lazyChunks} chunk(s) of the hook are loaded on demand: import them statically.`);
  process.exitCode = 1;
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return (bytes / 1000).toFixed(2);
}
