/** The built page, and the stream it asks for: `/stream?workload=text&size=20000&perSecond=200`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));

/** @returns what to open, and how to end it */
export async function servePage(entry = 'page.tsx') {
  const files = await buildPage(entry);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/stream') return void stream(response, Object.fromEntries(searchParams));
    const file = files.get(pathname === '/' ? '/index.html' : pathname);
    const type = pathname.endsWith('.js')
      ? 'text/javascript'
      : pathname.endsWith('.css')
        ? 'text/css'
        : 'text/html';
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type }).end(file);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** As the playground is built, but for the page. */
async function buildPage(entry) {
  const { output } = await build({
    configFile: `${here}../../../playground/vite.config.ts`,
    logLevel: 'error',
    // The peers have a React of their own beside this folder.
    resolve: { dedupe: ['react', 'react-dom'] },
    build: { write: false, rolldownOptions: { input: `${here}${entry}` } },
  });
  const files = new Map(output.map((file) => [`/${file.fileName}`, file.code ?? file.source]));
  const script = output.find((file) => file.isEntry)?.fileName;
  const styles = output.filter(({ fileName }) => fileName.endsWith('.css'));
  const head = styles.map(({ fileName }) => `<link rel="stylesheet" href="/${fileName}">`).join('');
  return files.set(
    '/index.html',
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>${head}<body><script type="module" src="/${script}"></script>`,
  );
}

async function stream(response, { workload, size, perSecond }) {
  const { workloads } = await import('../.bundles/workloads.mjs');
  const { encodeOctavus } = await import('../.bundles/octavus-wire.mjs');
  const [leg] = workloads[workload].create(Number(size)).legs;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = paced(encodeOctavus(leg, 0, 0), 1_000 / Number(perSecond));
  // A page that is closed in the middle has read enough.
  await pipeline(Readable.from(events), response).catch(() => {});
}

async function* paced(datas, everyMs) {
  const begun = performance.now();
  for (const [index, data] of datas.entries()) {
    const early = begun + index * everyMs - performance.now();
    if (early > 0) await wait(early);
    yield `data: ${data}\n\n`;
  }
}
