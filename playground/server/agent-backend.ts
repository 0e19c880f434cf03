import {
  type Agent,
  createAgentSession,
  createMemorySessionStore,
  createNodeHandler,
  serveSocket,
} from 'handrail/server';
import type { Backend, BackendInfo } from './backend.ts';
import { serverTools } from './server-tools.ts';

/** How long a run waits for its reader after a cut. Milliseconds. */
const RESUME_WINDOW_MS = 60_000;

/** An agent behind handrail's own server. */
export function createAgentBackend(info: BackendInfo, agent: Agent): Backend {
  const store = createMemorySessionStore();
  const open = (id: string) =>
    createAgentSession({
      id,
      agent,
      tools: serverTools,
      store,
      resumeWindowMs: RESUME_WINDOW_MS,
      onError: (thrown, { source }) => console.error(`The ${source} failed:`, thrown),
    });
  return {
    info,
    handle: (request, response, session) => createNodeHandler(() => open(session))(request, response),
    serve: (socket, session) => void serveSocket(socket, open(session)),
    readHistory: async (session) => (await store.load(session))?.messages ?? [],
  };
}
