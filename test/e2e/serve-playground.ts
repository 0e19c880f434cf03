/** The built playground with its agent server, on a free port of this machine. */
import { type PreviewServer, preview } from 'vite';
import { inject } from 'vitest';
import { type MountedServer, mountAgentServer } from '../../playground/server/agent-server-plugin.ts';
import { createAgentServer } from '../../playground/server/create-agent-server.ts';

/** A host that a browser can be told to find on this machine. To a browser, a page of it over plain http is not secure. */
export const PLAIN_HOST = 'shop.test';

export interface ServedPlayground {
  /** Ends with a slash. */
  readonly url: string;
  /** Returns how many responses and sockets of the agent server are open now. */
  countOpen(): number;
  close(): Promise<void>;
}

/** The path of a page without the app, for whoever leaves it. */
export const ELSEWHERE = '/elsewhere';

/** @param createServer called at the first request. Default: the agent server of `npm start`. */
export async function servePlayground(
  createServer: () => Promise<MountedServer> = () => createAgentServer(process.env),
): Promise<ServedPlayground> {
  const open = new Set<object>();
  const count = (connection: { once(event: 'close', listener: () => void): unknown }) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
  };
  const server: PreviewServer = await preview({
    configFile: false,
    logLevel: 'error',
    build: { outDir: inject('playground') },
    preview: { port: 0, host: '127.0.0.1', allowedHosts: [PLAIN_HOST] },
    plugins: [
      {
        name: 'agent-server',
        configurePreviewServer(vite) {
          vite.middlewares.use(ELSEWHERE, (_, response) => {
            response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>');
          });
          vite.middlewares.use('/api', (_, response, next) => {
            count(response);
            next();
          });
          vite.httpServer.on('upgrade', (_, socket) => count(socket));
          mountAgentServer(vite, createServer);
        },
      },
    ],
  });
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    countOpen: () => open.size,
    close: () => server.close(),
  };
}
