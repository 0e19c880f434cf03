import { randomBytes } from 'node:crypto';
import {
  type Agent,
  createAgentSession,
  createHmacReceipts,
  createMemorySessionStore,
  createNodeHandler,
  handleInboxRequest,
  readHistory,
  type ServerTools,
  type SessionStore,
  serveSocket,
  toNodeHandler,
} from 'handrail/server';
import type { Backend, BackendInfo } from './backend.ts';
import { findPerson, findSender } from './people.ts';
import { createRunList } from './run-list.ts';
import { serverTools } from './server-tools.ts';

/** How long a run waits for its reader after a cut. Milliseconds. */
const RESUME_WINDOW_MS = 60_000;

export interface AgentBackendOptions {
  /** Tools besides those that all backends have. */
  readonly tools?: ServerTools;
  /** Default: in memory. */
  readonly store?: SessionStore & { recover?(open: (id: string) => Session): Promise<number> };
  /** Signs questions and answers. Default: a random one, so the receipts are worth something until the process ends. */
  readonly receiptSecret?: string | undefined;
}

type Session = ReturnType<typeof createAgentSession>;

/** An agent behind handrail's own server. */
export function createAgentBackend(
  info: BackendInfo,
  agent: Agent,
  {
    tools = {},
    store = createMemorySessionStore(),
    receiptSecret = randomBytes(32).toString('hex'),
  }: AgentBackendOptions = {},
): Backend {
  const receipts = createHmacReceipts(receiptSecret);
  const runs = createRunList();
  const open = (id: string) =>
    createAgentSession({
      id,
      agent: runs.watch(agent),
      tools: { ...serverTools, ...tools },
      store,
      receipts,
      // The tools of the server say themselves who may answer. The tools of the page are for the customer.
      mayAnswer: ({ roles }, { toolName }) => toolName in tools || roles?.includes('customer') === true,
      // The staff reads along with every customer. Other customers do not.
      mayOpen: ({ id, roles }, { participants }) =>
        roles?.includes('support') === true || participants.some((person) => person.id === id),
      resumeWindowMs: RESUME_WINDOW_MS,
      onError: (thrown, { source }) => console.error(`The ${source} failed:`, thrown),
    });
  return {
    info: { ...info, isOwnServer: true },
    handle: (request, response, session) =>
      createNodeHandler(() => open(session), { principal: findSender })(request, response),
    serve(socket, session, url) {
      // A browser cannot give a socket headers.
      const principal = findPerson(new URL(url, 'http://localhost').searchParams.get('user'));
      serveSocket(socket, open(session), { principal });
    },
    handleInbox: toNodeHandler((request) =>
      handleInboxRequest(request, { store, getSession: (id = '') => open(id), principal: findSender }),
    ),
    async readHistory(session) {
      const record = await store.load(session);
      return record ? readHistory(record) : [];
    },
    isRunning: runs.has,
    async recover() {
      await store.recover?.(open);
    },
  };
}
