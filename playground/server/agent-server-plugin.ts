import type { Plugin } from 'vite';
import type { AgentServer } from './create-agent-server.ts';

/**
 * Mounts the agent server into Vite's own: `/api/*` and a socket at `/api/socket`.
 *
 * Node 20 cannot read TypeScript, so Vite loads the server, on the first request. Restart to see changes of it.
 */
export function agentServer(): Plugin {
  return {
    name: 'playground-agent-server',
    apply: 'serve',
    configureServer(vite) {
      let loading: Promise<AgentServer> | undefined;
      const load = () => {
        loading ??= vite
          .ssrLoadModule('/server/create-agent-server.ts')
          .then(({ createAgentServer }) => createAgentServer(process.env) as Promise<AgentServer>);
        return loading;
      };
      vite.middlewares.use('/api', (request, response, next) => {
        load()
          .then((server) => server.handle(request, response))
          .catch(next);
      });
      vite.httpServer?.on('upgrade', (request, socket, head) => {
        // Vite's own socket, for hot updates, is at another path.
        if (!request.url?.startsWith('/api/socket')) return;
        load()
          .then((server) => server.upgrade(request, socket, head))
          .catch(() => socket.destroy());
      });
      vite.httpServer?.on('close', () => void loading?.then((server) => server.close()));
    },
  };
}
