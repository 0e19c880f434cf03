/** Devices of several people, who may all open one conversation of `handrail/server`, over the real wire but without a network. */
import {
  type AgentChat,
  type AgentChatOptions,
  createAgentChat,
  createHttpTransport,
} from '../../src/core.ts';
import { handleAgentRequest } from '../../src/server/http/handle-agent-request.ts';
import {
  type AgentSession,
  type AgentSessionOptions,
  createAgentSession,
} from '../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../src/server/store/create-memory-session-store.ts';
import type { Principal } from '../../src/shared/principal.ts';
import { createManualClock, type ManualClock } from '../../src/testing/manual-clock.ts';

export interface Device {
  readonly chat: AgentChat;
  /** The types of the requests that the device has sent, a `continue` of a part with its own word. */
  readonly sent: string[];
  /** Errors and notices of the chat. */
  readonly notified: string[];
  /** Breaks the network: requests that are under way end, and later ones fail. */
  goOffline(): void;
  goOnline(): void;
}

export interface SharedSession {
  readonly clock: ManualClock;
  readonly session: AgentSession;
  /** Puts another process in the place of the server: it has the store, and nothing else. */
  restart(): void;
  device(principal?: Principal, options?: Partial<AgentChatOptions>): Device;
}

export function shareSession(options: Omit<AgentSessionOptions, 'id'>): SharedSession {
  const clock = createManualClock();
  const store = createMemorySessionStore();
  const create = () => createAgentSession({ id: 's', store, clock, mayOpen: () => true, ...options });
  const shared = { session: create() };
  return {
    clock,
    get session() {
      return shared.session;
    },
    restart() {
      shared.session = create();
    },
    device: (principal, more) => openDevice(clock, () => shared.session, principal, more),
  };
}

function openDevice(
  clock: ManualClock,
  session: () => AgentSession,
  principal?: Principal,
  options?: Partial<AgentChatOptions>,
): Device {
  const sent: string[] = [];
  const notified: string[] = [];
  let network = new AbortController();
  const transport = createHttpTransport({
    clock,
    random: () => 0,
    async request(payload, { signal }) {
      sent.push(payload.type === 'continue' && payload.partial ? 'continue partial' : payload.type);
      network.signal.throwIfAborted();
      const request = new Request('https://agent.example/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
        signal: AbortSignal.any([signal, network.signal]),
      });
      return handleAgentRequest(request, session, { principal: { optional: true, read: () => principal } });
    },
  });
  const chat = createAgentChat({
    transport,
    clock,
    onError: ({ code, backendCode }) => notified.push(`error ${backendCode ?? code}`),
    onNotice: ({ code }) => notified.push(`notice ${code}`),
    ...options,
  });
  return {
    chat,
    sent,
    notified,
    goOffline: () => network.abort(),
    goOnline() {
      network = new AbortController();
    },
  };
}
