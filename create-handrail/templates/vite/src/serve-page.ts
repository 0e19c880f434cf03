import type { IncomingMessage, Server, ServerResponse } from 'node:http';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Returns the handler of everything that is not under /api: Vite while you develop (`--dev`), else what `npm run build` has written. */
export async function servePage(server: Server): Promise<Handler> {
  if (process.argv.includes('--dev')) {
    const { createServer } = await import('vite');
    const vite = await createServer({ server: { middlewareMode: true, hmr: { server } } });
    return vite.middlewares;
  }
  const { default: sirv } = await import('sirv');
  const serve = sirv('dist', { single: true });
  return (request, response) =>
    serve(request, response, () => {
      response.writeHead(404).end('Run "npm run build" first.');
    });
}
