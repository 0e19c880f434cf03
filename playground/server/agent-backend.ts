import {
  type Agent,
  createAgentSession,
  createMemorySessionStore,
  createNodeHandler,
  handleInboxRequest,
  serveSocket,
  toNodeHandler,
} from 'handrail/server';
import type { Backend, BackendInfo } from './backend.ts';
import { findPerson, findSender } from './people.ts';
import { refundOrder } from './refund-tool.ts';
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
      tools: { ...serverTools, refund_order: refundOrder },
      store,
      resumeWindowMs: RESUME_WINDOW_MS,
      onError: (thrown, { source }) => console.error(`The ${source} failed:`, thrown),
    });
  return {
    info,
    handle: (request, response, session) =>
      createNodeHandler(() => open(session), { principal: findSender })(request, response),
    serve(socket, session, url) {
      const person = new URL(url, 'http://localhost').searchParams.get('person');
      serveSocket(socket, open(session), { principal: findPerson(person) });
    },
    handleInbox: toNodeHandler((request) =>
      handleInboxRequest(request, { store, getSession: (id = '') => open(id), principal: findSender }),
    ),
    readHistory: async (session) => (await store.load(session))?.messages ?? [],
  };
}
