/** Serves the built site as a static host does: `/tools` is the file `tools.html`, texts are compressed, and what is not there is a 404. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../package-entries.mjs';

export const SITE = path.join(root, 'site-dist');

const TYPES = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
});
const COMPRESSED = /^(text|application\/json|image\/svg)/;

/**
 * @param {number} [port] default: a free one
 * @returns {Promise<{ url: string, close(): Promise<void> }>} `url` ends without a slash
 */
export async function serveSite(port = 0) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = findFile(decodeURIComponent(pathname));
    const found = file ?? path.join(SITE, '404.html');
    const type = TYPES[path.extname(found)] ?? 'application/octet-stream';
    const isCompressed = COMPRESSED.test(type) && /\bgzip\b/.test(String(request.headers['accept-encoding']));
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': type,
      // Names in `assets` change with what is in them.
      'cache-control': /\/assets\//.test(pathname) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(isCompressed ? { 'content-encoding': 'gzip', vary: 'accept-encoding' } : {}),
    });
    const body = readFileSync(found);
    response.end(isCompressed ? gzipSync(body) : body);
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server of the site has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** @param {string} pathname */
function findFile(pathname) {
  const wanted = path.join(SITE, path.normalize(pathname));
  if (!wanted.startsWith(SITE)) return undefined;
  return [wanted, `${wanted}.html`, path.join(wanted, 'index.html')].find(
    (file) => existsSync(file) && statSync(file).isFile(),
  );
}
