import type { Plugin, PreviewServer, ViteDevServer } from 'vite';
import type { AgentServer } from './create-agent-server.ts';

/**
 * Mounts the agent server into Vite's own: requests and sockets below `/api/`.
 *
 * Node 20 cannot read TypeScript, so Vite loads the server at the first request. Restart Vite after a change of the server.
 */
export function agentServer(): Plugin {
  return {
    name: 'playground-agent-server',
    apply: 'serve',
    configureServer(vite) {
      mountAgentServer(vite, async () => {
        const { createCluster } = await vite.ssrLoadModule('/server/cluster/create-cluster.ts');
        const cluster = process.env.PLAYGROUND_CLUSTER === undefined ? undefined : await createCluster();
        if (cluster !== undefined) return cluster;
        const { createAgentServer } = await vite.ssrLoadModule('/server/create-agent-server.ts');
        return createAgentServer(process.env);
      });
    },
  };
}

/** The agent server of this process, or the proxy of a cluster. */
export type MountedServer = Omit<AgentServer, 'recover'>;

/** @param create called on the first request */
export function mountAgentServer(
  { middlewares, httpServer }: Pick<ViteDevServer | PreviewServer, 'middlewares' | 'httpServer'>,
  create: () => Promise<MountedServer>,
): void {
  let creating: Promise<MountedServer> | undefined;
  const load = () => {
    creating ??= create();
    return creating;
  };
  middlewares.use('/api', (request, response, next) => {
    load()
      .then((server) => server.handle(request, response))
      .catch(next);
  });
  httpServer?.on('upgrade', (request, socket, head) => {
    // Vite's own socket for hot updates has another path.
    if (!request.url?.startsWith('/api/')) return;
    load()
      .then((server) => server.upgrade(request, socket, head))
      .catch(() => socket.destroy());
  });
  httpServer?.on('close', () => void creating?.then((server) => server.close()));
}
