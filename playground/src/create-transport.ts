/** The transports of the page, with an ear on the wire. */
import { createParser } from 'eventsource-parser';
import { type AgentTransport, createHttpTransport, createSocketTransport } from 'handrail';
import { createAgUiTransport } from 'handrail/ag-ui';
import { createAiSdkTransport } from 'handrail/ai-sdk';
import { createMantyxTransport, localTools } from 'handrail/mantyx';
import { createStandardAgentsTransport } from 'handrail/standard-agents';
import { clientTools } from './client-tools.ts';
import type { WireLog } from './create-wire-log.ts';
import type { Carrier, User } from './settings.ts';
import { recallInTab, rememberInTab } from './tab-memory.ts';

/** A conversation with a backend of the playground's server. */
export interface Route {
  readonly backend: string;
  readonly session: string;
  readonly user: User;
}

export function createTransport(carrier: Carrier, route: Route, log: WireLog): AgentTransport {
  const { backend, session, user } = route;
  const query = new URLSearchParams({ backend, session });
  const url = `/api/agent?${query}`;
  const fetch = createWatchedFetch(log);
  switch (backend) {
    case 'mantyx':
      return createMantyxSession(session, log);
    case 'ai-sdk':
      return createAiSdkTransport({ api: `/api/agent/ai-sdk/${session}/chat`, resume: true, fetch });
    case 'ag-ui':
      return createAgUiTransport({ url, fetch });
    case 'standard-agents':
      return createStandardAgentsTransport({
        endpoint: `/api/agent/standard-agents/${session}`,
        agentId: 'shop',
        // An app asks its server for a token that lives for minutes.
        token: session,
        fetch,
        connect: (address) => watchSocket(new WebSocket(address), log),
      });
  }
  if (carrier === 'socket') return connectBySocket(new URLSearchParams({ backend, session, user }), log);
  return createHttpTransport({ url, fetch, headers: { 'x-playground-user': user } });
}

function connectBySocket(query: URLSearchParams, log: WireLog): AgentTransport {
  const url = new URL(`/api/socket?${query}`, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  return createSocketTransport({ connect: () => watchSocket(new WebSocket(url), log) });
}

/** A session at Mantyx, through the proxy; the page remembers which, so that a reload goes on with it. */
function createMantyxSession(session: string, log: WireLog): AgentTransport {
  const key = `mantyx-session-${session}`;
  const id = recallInTab(key);
  return createMantyxTransport({
    baseUrl: `/api/agent/mantyx/${session}`,
    workspace: 'playground',
    session: { ...(id === null ? {} : { id }), onCreated: (made) => rememberInTab(key, made) },
    tools: localTools(clientTools),
    fetch: createWatchedFetch(log),
  });
}

/** A `fetch` that notes what it sends, and the events of the response while somebody else reads them. */
function createWatchedFetch(log: WireLog): typeof fetch {
  return async (input, init) => {
    if (typeof init?.body === 'string') log.addFrame('out', hideEnvValue(String(input), init.body));
    try {
      const response = await fetch(input, init);
      if (!response.ok) log.addNote('response', `Status ${response.status}`);
      // One that says there is no body cannot be made anew, and Chromium gives it one all the same.
      const isEmpty = response.body === null || response.status === 204;
      return isEmpty ? response : new Response(watchBody(response.body, log), response);
    } catch (thrown) {
      if (init?.signal?.aborted !== true) log.addNote('unreachable', String(thrown));
      throw thrown;
    }
  };
}

/** The value of an environment variable may be a secret, so the log does not show it. */
function hideEnvValue(url: string, body: string): string {
  return /\/env\/[^/]+$/.test(url) ? JSON.stringify({ ...JSON.parse(body), value: '•••' }) : body;
}

function watchBody(body: ReadableStream<Uint8Array>, log: WireLog): ReadableStream<Uint8Array> {
  const [kept, watched] = body.tee();
  void noteEvents(watched, log);
  return kept;
}

async function noteEvents(body: ReadableStream<Uint8Array>, log: WireLog): Promise<void> {
  const parser = createParser({ onEvent: ({ data }) => log.addFrame('in', data) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return log.addNote('closed', 'The response ended.');
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } catch (thrown) {
    const wasStopped = thrown instanceof DOMException && thrown.name === 'AbortError';
    log.addNote(
      wasStopped ? 'stopped' : 'cut',
      wasStopped ? 'The request was aborted.' : 'The response broke off.',
    );
  }
}

function watchSocket(socket: WebSocket, log: WireLog): WebSocket {
  const send = socket.send.bind(socket);
  socket.send = (data) => {
    log.addFrame('out', String(data));
    send(data);
  };
  socket.addEventListener('open', () => log.addNote('open', 'The socket is open.'));
  socket.addEventListener('message', ({ data }) => log.addFrame('in', String(data)));
  socket.addEventListener('close', ({ code }) => log.addNote('closed', `The socket closed (${code}).`));
  return socket;
}
