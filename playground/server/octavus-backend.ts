/** The real `@octavus/server-sdk`, in front of a stand-in for its platform. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AgentSession, OctavusClient, type SessionRequest, toSSEStream } from '@octavus/server-sdk';
import type { WebSocket } from 'ws';
import type { Backend } from './backend.ts';
import { createOctavusStandIn, STAND_IN_KEY } from './octavus-stand-in.ts';
import { createPlaygroundAgent } from './playground-agent.ts';
import { serverTools } from './server-tools.ts';

export async function createOctavusBackend(): Promise<Backend> {
  const platform = createServer(createOctavusStandIn(createPlaygroundAgent())).listen(0, '127.0.0.1');
  await once(platform, 'listening');
  const { port } = platform.address() as AddressInfo;
  const client = new OctavusClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: STAND_IN_KEY });
  const attach = (session: string) => client.agentSessions.attach(session, { tools: serverTools });
  return {
    info: {
      id: 'octavus',
      label: 'Octavus server SDK',
      description: 'The same script behind @octavus/server-sdk, with a local stand-in for its platform.',
      carriers: ['sse', 'socket'],
      takesFiles: true,
    },
    handle: (request, response, session) => handle(request, response, attach(session)),
    serve: (socket, session) => serve(socket, attach(session)),
    async close() {
      platform.closeAllConnections();
      platform.close();
    },
  };
}

/** The route its documentation shows, for `node:http`. */
async function handle(request: IncomingMessage, response: ServerResponse, session: AgentSession) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  const events = session.execute(JSON.parse(text) as SessionRequest, { signal: abort.signal });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for await (const chunk of toSSEStream(events)) response.write(chunk);
  response.end();
}

/** Its documented socket pattern: one controller per connection, `stop` aborts. */
function serve(socket: WebSocket, session: AgentSession): void {
  let abort = new AbortController();
  const run = async (text: string) => {
    const message = JSON.parse(text) as SessionRequest | { type: 'stop' };
    abort.abort();
    if (message.type === 'stop') return;
    abort = new AbortController();
    const { signal } = abort;
    for await (const event of session.execute(message, { signal })) {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(event));
    }
  };
  socket.on('message', (data) => void run(String(data)).catch(() => socket.close()));
  socket.on('close', () => abort.abort());
  socket.on('error', () => {});
}
