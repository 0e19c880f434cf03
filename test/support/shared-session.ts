/** Devices of several people, who may all open one conversation of `handrail/server`, over the real wire but without a network. */
import {
  type AgentChat,
  type AgentChatOptions,
  type AgentTransport,
  createAgentChat,
  createHttpTransport,
  createSocketTransport,
} from '../../src/core.ts';
import { handleAgentRequest } from '../../src/server/http/handle-agent-request.ts';
import {
  type AgentSession,
  type AgentSessionOptions,
  createAgentSession,
} from '../../src/server/sessions/create-agent-session.ts';
import { serveSocket } from '../../src/server/socket/serve-socket.ts';
import { createMemorySessionStore } from '../../src/server/store/create-memory-session-store.ts';
import type { Clock } from '../../src/shared/clock.ts';
import type { Principal } from '../../src/shared/principal.ts';
import { createManualClock, type ManualClock } from '../../src/testing/manual-clock.ts';
import { createSocketPair } from './socket-pair.ts';

export type Carrier = 'http' | 'socket';

export interface Device {
  readonly chat: AgentChat;
  /** The types of the requests that the device has sent, a `continue` of a part with its own word. */
  readonly sent: string[];
  /** Errors and notices of the chat. */
  readonly notified: string[];
  /** Breaks the network: requests that are under way end, and later ones fail. */
  goOffline(): void;
  goOnline(): void;
  /** Loses the next request of this type, and nothing else. Over HTTP that request fails. */
  swallow(type: string): void;
}

export interface SharedSession {
  readonly clock: ManualClock;
  readonly session: AgentSession;
  /** Puts another process in the place of the server: it has the store, and nothing else. */
  restart(): void;
  device(principal?: Principal, options?: Partial<AgentChatOptions>, carrier?: Carrier): Device;
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
    device: (principal, more, carrier = 'http') =>
      openDevice({ clock, session: () => shared.session, principal, carrier }, more),
  };
}

interface Place {
  readonly clock: Clock;
  readonly session: () => AgentSession;
  readonly principal: Principal | undefined;
  readonly carrier: Carrier;
}

/** The network between a device and the server. */
interface Line {
  readonly sent: string[];
  network: AbortController;
  /** The type of the request that is lost next. */
  lost: string | undefined;
}

interface Payload {
  readonly type: string;
  readonly partial?: true;
}

export function openDevice(place: Place, options?: Partial<AgentChatOptions>): Device {
  const line: Line = { sent: [], network: new AbortController(), lost: undefined };
  const notified: string[] = [];
  const chat = createAgentChat({
    transport: place.carrier === 'http' ? overHttp(place, line) : overSocket(place, line),
    clock: place.clock,
    onError: ({ code, backendCode }) => notified.push(`error ${backendCode ?? code}`),
    onNotice: ({ code }) => notified.push(`notice ${code}`),
    ...options,
  });
  return {
    chat,
    sent: line.sent,
    notified,
    goOffline: () => line.network.abort(),
    goOnline() {
      line.network = new AbortController();
    },
    swallow(type) {
      line.lost = type;
    },
  };
}

/** Notes a request. Returns false if it is lost. */
function pass(line: Line, { type, partial }: Payload): boolean {
  line.sent.push(type === 'continue' && partial ? 'continue partial' : type);
  if (line.lost !== type) return true;
  line.lost = undefined;
  return false;
}

function overHttp({ clock, session, principal }: Place, line: Line): AgentTransport {
  return createHttpTransport({
    clock,
    random: () => 0,
    async request(payload, { signal }) {
      if (!pass(line, payload)) throw new TypeError('The request never arrived.');
      line.network.signal.throwIfAborted();
      const request = new Request('https://agent.example/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
        signal: AbortSignal.any([signal, line.network.signal]),
      });
      const person = { optional: true, read: () => principal } as const;
      const response = await handleAgentRequest(request, session, { principal: person });
      const body = response.body?.pipeThrough(new TransformStream(), { signal: line.network.signal });
      return new Response(body ?? null, response);
    },
  });
}

function overSocket({ clock, session, principal }: Place, line: Line): AgentTransport {
  return createSocketTransport({
    clock,
    random: () => 0,
    connect() {
      line.network.signal.throwIfAborted();
      const { client, server } = createSocketPair((text) => pass(line, JSON.parse(text)));
      line.network.signal.addEventListener('abort', () => client.close());
      serveSocket(server, session(), { clock, principal: { optional: true, read: () => principal } });
      return client;
    },
  });
}
