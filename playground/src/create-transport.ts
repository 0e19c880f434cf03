/** The transports of the page. */
import { type AgentTransport, createHttpTransport, createSocketTransport } from 'handrail';
import { createAgUiTransport } from 'handrail/ag-ui';
import { createAiSdkTransport } from 'handrail/ai-sdk';
import { createMantyxTransport, localTools } from 'handrail/mantyx';
import { createStandardAgentsTransport } from 'handrail/standard-agents';
import { clientTools } from './client-tools.ts';
import type { Carrier, User } from './settings.ts';
import { recallInTab, rememberInTab } from './tab-memory.ts';

/** A conversation with a backend of the playground's server. */
export interface Route {
  readonly backend: string;
  readonly session: string;
  readonly user: User;
}

export function createTransport(carrier: Carrier, route: Route): AgentTransport {
  const { backend, session, user } = route;
  const query = new URLSearchParams({ backend, session });
  const url = `/api/agent?${query}`;
  switch (backend) {
    case 'mantyx':
      return createMantyxSession(session);
    case 'ai-sdk':
      return createAiSdkTransport({ api: `/api/agent/ai-sdk/${session}/chat`, resume: true });
    case 'ag-ui':
      return createAgUiTransport({ url });
    case 'standard-agents':
      return createStandardAgentsTransport({
        endpoint: `/api/agent/standard-agents/${session}`,
        agentId: 'shop',
        // An app asks its server for a token that lives for minutes.
        token: session,
      });
  }
  if (carrier === 'socket') return connectBySocket(new URLSearchParams({ backend, session, user }));
  return createHttpTransport({ url, headers: { 'x-playground-user': user } });
}

function connectBySocket(query: URLSearchParams): AgentTransport {
  const url = new URL(`/api/socket?${query}`, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  return createSocketTransport({ connect: () => new WebSocket(url) });
}

/** A session at Mantyx, through the proxy; the page remembers which, so that a reload goes on with it. */
function createMantyxSession(session: string): AgentTransport {
  const key = `mantyx-session-${session}`;
  const id = recallInTab(key);
  return createMantyxTransport({
    baseUrl: `/api/agent/mantyx/${session}`,
    workspace: 'playground',
    session: { ...(id === null ? {} : { id }), onCreated: (made) => rememberInTab(key, made) },
    tools: localTools(clientTools),
  });
}
