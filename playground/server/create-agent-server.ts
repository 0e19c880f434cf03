/**
 * The server half of the playground: one HTTP route and one socket route in front of each backend, and a way to
 * break their connections, so that a person can watch the page reconnect.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RedisSessionStore } from 'handrail/redis';
import { WebSocketServer } from 'ws';
import { findNatsServer } from '../../.scripts/find-servers.mjs';
import { createAgUiBackend } from './ag-ui-backend.ts';
import { createAiSdkBackend } from './ai-sdk-backend.ts';
import type { Backend, BackendInfo } from './backend.ts';
import { createCuts } from './create-cuts.ts';
import { createFileStore } from './file-store.ts';
import { createMantyxBackend } from './mantyx-backend.ts';
import { createModelBackend } from './model-backend.ts';
import { createOctavusBackend } from './octavus-backend.ts';
import { createScriptedBackend } from './scripted-backend.ts';
import { sendJson } from './send-json.ts';
import { createStandardAgentsBackend } from './standard-agents-backend.ts';
import { createUtpBackend } from './utp-backend.ts';

export interface AgentServer {
  /** Requests below `/api`; the prefix is gone from their URL. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Upgrades to `/api/socket`, or to `/api/agent/BACKEND/SESSION/...`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Goes on with the conversations of nodes that died. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

/** How long the server refuses connections after a cut with an outage. Milliseconds. */
const AWAY_MS = 4_000;

/**
 * @param shared the conversations of a cluster. Its nodes have the backend alone that keeps all it knows in this store.
 * @public Vite loads this function by its name, so no import statement shows the use.
 */
export async function createAgentServer(
  env: NodeJS.ProcessEnv,
  shared?: RedisSessionStore,
): Promise<AgentServer> {
  const backends = shared === undefined ? await createBackends(env) : [createSharedBackend(env, shared)];
  const find = (id: string | null) => backends.find(({ info }) => info.id === id);
  const sockets = new WebSocketServer({ noServer: true });
  const cuts = createCuts();
  const files = createFileStore();

  return {
    async handle(request, response) {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const session = url.searchParams.get('session') ?? '';
      switch (url.pathname) {
        case '/backends':
          return sendJson(
            response,
            200,
            backends.map(({ info }): BackendInfo => info),
          );
        case '/cut':
          if (request.method !== 'POST') return sendJson(response, 405, { error: 'Send a POST.' });
          cuts.cut(session, url.searchParams.has('away') ? AWAY_MS : 0);
          return sendJson(response, 200, { cut: true });
        case '/inbox': {
          const backend = find(url.searchParams.get('backend'));
          if (backend?.handleInbox === undefined) return refuseBackend(response, backends);
          return backend.handleInbox(request, response);
        }
        case '/runs': {
          const isRunning = find(url.searchParams.get('backend'))?.isRunning?.(session) ?? false;
          return sendJson(response, 200, { isRunning });
        }
        case '/history': {
          const backend = find(url.searchParams.get('backend'));
          if (backend?.readHistory === undefined) return refuseBackend(response, backends);
          return sendJson(response, 200, await backend.readHistory(session));
        }
        default: {
          if (/^\/files(?=\/|$)/.test(url.pathname)) {
            return files.handle(request, response, url.pathname.slice('/files'.length));
          }
          const asked = findAgentRoute(url);
          if (asked === undefined) {
            return sendJson(response, 404, { error: `There is nothing at /api${url.pathname}.` });
          }
          const backend = find(asked.backend);
          if (backend === undefined) return refuseBackend(response, backends);
          if (cuts.isAway(asked.session)) return void response.destroy();
          cuts.hold(asked.session, response);
          return backend.handle(request, response, asked.session);
        }
      }
    },
    upgrade(request, socket, head) {
      if (isOfOtherSite(request))
        return void socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      const url = new URL(request.url ?? '/', 'http://localhost');
      const { backend: id, session } = findSocketRoute(url);
      const backend = find(id);
      if (backend?.serve === undefined || cuts.isAway(session)) return void socket.destroy();
      sockets.handleUpgrade(request, socket, head, (opened) => {
        cuts.hold(session, socket);
        backend.serve?.(opened, session, `${url.pathname}${url.search}`);
      });
    },
    async recover() {
      await Promise.all(backends.map((backend) => backend.recover?.()));
    },
    async close() {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      await Promise.all(backends.map((backend) => backend.close?.()));
    },
  };
}

async function createBackends(env: NodeJS.ProcessEnv): Promise<readonly Backend[]> {
  const model = createModelBackend(env);
  return [
    createScriptedBackend(),
    await createOctavusBackend(),
    await createMantyxBackend(),
    createAiSdkBackend(),
    createAgUiBackend(),
    createStandardAgentsBackend(),
    createUtpBackend(findNatsServer()),
    ...(model === undefined ? [] : [model]),
  ];
}

function createSharedBackend(env: NodeJS.ProcessEnv, store: RedisSessionStore): Backend {
  // Files are in the memory of one node.
  const info = { showsNodes: env.SHOWS_NODES !== undefined, takesFiles: false };
  return createScriptedBackend(info, { store, receiptSecret: env.RECEIPT_SECRET });
}

/** Checks the origin of a socket: browsers open sockets from pages of any site, with the cookies of this site. */
function isOfOtherSite({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host);
}

/** `/agent?backend=&session=` for a backend with one route, `/agent/BACKEND/SESSION/...` for one with several. */
function findAgentRoute({ pathname, searchParams }: URL) {
  const named = readNamedRoute(pathname);
  if (named !== undefined) return named;
  return pathname === '/agent' ? readQueryRoute(searchParams) : undefined;
}

/** The URL of an upgrade still has the prefix `/api`. */
function findSocketRoute({ pathname, searchParams }: URL) {
  return readNamedRoute(pathname.replace(/^\/api/, '')) ?? readQueryRoute(searchParams);
}

function readNamedRoute(pathname: string) {
  const [, backend, session] = /^\/agent\/([^/]+)\/([^/]+)\//.exec(pathname) ?? [];
  return backend === undefined || session === undefined ? undefined : { backend, session };
}

function readQueryRoute(query: URLSearchParams) {
  return { backend: query.get('backend'), session: query.get('session') ?? '' };
}

function refuseBackend(response: ServerResponse, backends: readonly Backend[]): void {
  const known = backends.map(({ info }) => info.id).join(', ');
  sendJson(response, 404, { error: `There is no such backend. Use ?backend= with one of: ${known}.` });
}
