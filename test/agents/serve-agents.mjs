/** Serves AG-UI agents: `POST /<name>` with the input of a run, answered by its events as server-sent events. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { EventEncoder } from '@ag-ui/encoder';

/** @typedef {import('@ag-ui/client').AbstractAgent} AbstractAgent */

/**
 * Listens on a free port, and writes the line `agents on <port>` once it does.
 *
 * @param {Readonly<Record<string, () => AbstractAgent>>} agents  make the agent of one request
 */
export async function serveAgents(agents) {
  const server = createServer(async (request, response) => {
    const create = agents[(request.url ?? '').slice(1)];
    if (create === undefined) return void response.writeHead(404).end(`There is no agent at ${request.url}`);
    const input = /** @type {import('@ag-ui/client').RunAgentInput} */ (await json(request));
    const encoder = new EventEncoder({ accept: 'text/event-stream' });
    response.writeHead(200, { 'content-type': encoder.getContentType() });
    const run = create()
      .run(input)
      .subscribe({
        next: (event) => response.write(encoder.encodeSSE(event)),
        error: (error) => response.end(encoder.encodeSSE({ type: 'RUN_ERROR', message: String(error) })),
        complete: () => response.end(),
      });
    response.once('close', () => run.unsubscribe());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  console.log(`agents on ${address.port}`);
}
