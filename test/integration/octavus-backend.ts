/** The real `@octavus/server-sdk` between our client and a stand-in for the platform. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type AgentSession,
  createInternalErrorEvent,
  OctavusClient,
  type SessionRequest,
  toSSEStream,
} from '@octavus/server-sdk';
import type { WebSocket } from 'ws';
import { createOctavusPlatform, type OctavusPlatform, PLATFORM_KEY } from '../support/octavus-platform.ts';
import type { PlatformScript } from '../support/octavus-platform-script.ts';
import type { Backend, BackendKind, ServerToolTable } from './backend.ts';
import { type Carrier, connect, SESSION } from './connect.ts';
import { type Listening, listen } from './listen.ts';

export interface OctavusBackend extends Backend {
  readonly platform: OctavusPlatform;
  /** Cuts every connection between the application server and the platform. */
  cutPlatform(): void;
}

export interface OctavusOptions {
  readonly serverTools?: ServerToolTable | undefined;
  /** Answers the next requests in the application's place, like a failing proxy. Over HTTP only. */
  readonly intercept?: (response: ServerResponse) => boolean;
  /**
   * True if the socket server leaves its loop once the run was aborted, as one of the two handlers in the
   * documentation does; then the run's `finish` is not sent. Default false.
   */
  readonly breaksOnAbort?: boolean;
}

export async function openOctavus(
  carrier: Carrier,
  script: PlatformScript,
  options: OctavusOptions = {},
): Promise<OctavusBackend> {
  const platform = createOctavusPlatform(script);
  const upstream = await listen(platform.handle);
  const attach = createAttach(upstream, options.serverTools);
  const { intercept = () => false, breaksOnAbort = false } = options;
  const application = await listen(
    (request, response) => {
      if (!intercept(response)) void serveHttp(request, response, attach);
    },
    (socket) => serveSocket(socket, attach(SESSION), breaksOnAbort),
  );
  return {
    transport: connect(carrier, application.port),
    port: application.port,
    platform,
    refusals: platform.refusals,
    readTranscript: async () => platform.transcript,
    cut: application.cut,
    cutPlatform: upstream.cut,
    async close() {
      await application.close();
      await upstream.close();
    },
  };
}

export function octavusBackend(carrier: Carrier): BackendKind {
  return {
    name: `@octavus/server-sdk over ${carrier}`,
    resumes: false,
    keepsRuns: false,
    numbersEvents: false,
    open: (script, serverTools) => openOctavus(carrier, script, { serverTools }),
  };
}

function createAttach({ port }: Listening, serverTools: ServerToolTable = {}) {
  const client = new OctavusClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: PLATFORM_KEY });
  // Without a prototype, because this SDK takes an inherited `toString` for a server tool.
  const tools: Record<string, (args: Record<string, unknown>) => Promise<unknown>> = Object.create(null);
  for (const [name, run] of Object.entries(serverTools)) tools[name] = async (args) => run(args);
  return (sessionId: string): AgentSession => client.agentSessions.attach(sessionId, { tools });
}

/** The documented route: `execute`, `toSSEStream`, and the request's signal. */
async function serveHttp(
  request: IncomingMessage,
  response: ServerResponse,
  attach: (sessionId: string) => AgentSession,
): Promise<void> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  const { sessionId, ...payload } = JSON.parse(text) as SessionRequest & { sessionId: string };
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  const events = attach(sessionId).execute(payload as SessionRequest, { signal: abort.signal });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for await (const chunk of toSSEStream(events)) response.write(chunk);
  response.end();
}

/** The documented handler: per connection one session and one abort controller; `stop` aborts. */
function serveSocket(socket: WebSocket, session: AgentSession, breaksOnAbort: boolean): void {
  let abort: AbortController | undefined;
  const handle = async (message: SessionRequest | { type: 'stop' }) => {
    if (message.type === 'stop') return abort?.abort();
    abort = new AbortController();
    try {
      for await (const event of session.execute(message, { signal: abort.signal })) {
        if (breaksOnAbort && abort.signal.aborted) break;
        socket.send(JSON.stringify(event));
      }
    } catch (thrown) {
      socket.send(JSON.stringify(createInternalErrorEvent(String(thrown))));
    }
  };
  socket.on('message', (data) => void handle(JSON.parse(String(data))));
  socket.on('close', () => abort?.abort());
}
