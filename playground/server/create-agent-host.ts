import {
  type Agent,
  type AgentMessage,
  createAgentSession,
  createHmacReceipts,
  createMemorySessionStore,
  readHistory,
  type ServerTools,
  type SessionStore,
} from 'handrail/server';
import { createRunList } from './run-list.ts';
import { serverTools } from './server-tools.ts';

/** How long a run waits for its reader after a cut. Milliseconds. */
const RESUME_WINDOW_MS = 60_000;

export interface AgentHostOptions {
  /** Tools besides those that all backends have. */
  readonly tools?: ServerTools;
  /** Default: in memory. */
  readonly store?: SessionStore & { recover?(open: (id: string) => Session): Promise<number> };
  /** Signs questions and answers. Default: a random one, so the receipts are worth something until the process ends. */
  readonly receiptSecret?: string | undefined;
}

type Session = ReturnType<typeof createAgentSession>;

/** The sessions of an agent, for the playground's server and for the tab of a page without one. */
export interface AgentHost {
  readonly store: SessionStore;
  open(id: string): Session;
  isRunning(id: string): boolean;
  readHistory(id: string): Promise<readonly AgentMessage[]>;
  /** Goes on with what another process left. */
  recover(): Promise<void>;
}

export function createAgentHost(
  agent: Agent,
  { tools = {}, store = createMemorySessionStore(), receiptSecret = createSecret() }: AgentHostOptions = {},
): AgentHost {
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
    store,
    open,
    isRunning: runs.has,
    async readHistory(id) {
      const record = await store.load(id);
      return record ? readHistory(record) : [];
    },
    async recover() {
      await store.recover?.(open);
    },
  };
}

function createSecret(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
