/** A real MCP server on a free port: `@modelcontextprotocol/server` over streamable HTTP. */
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { toNodeHandler } from '../../src/server/http/create-node-handler.ts';
import { listen } from '../integration/listen.ts';
import { allowAnyOrigin } from './allow-any-origin.ts';

export interface McpPeer {
  readonly url: string;
  /** Bodies and headers of the requests that reached the server. */
  readonly requests: readonly { readonly method: string; readonly headers: Headers; readonly body: string }[];
  /** Cuts every open connection. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * @param register adds the tools to each instance of the server
 * @param legacy `reject`: the server speaks revision 2026-07-28 alone
 */
export async function startMcpPeer(
  register: (server: McpServer) => void,
  legacy: 'stateless' | 'reject' = 'stateless',
): Promise<McpPeer> {
  const requests: { method: string; headers: Headers; body: string }[] = [];
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'files', version: '0.4.1' });
      register(server);
      return server;
    },
    { legacy },
  );
  const server = await listen(
    toNodeHandler(
      allowAnyOrigin(async (request) => {
        requests.push({
          method: request.method,
          headers: request.headers,
          body: await request.clone().text(),
        });
        return handler.fetch(request);
      }),
    ),
  );
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    requests,
    cut: server.cut,
    async close() {
      await handler.close();
      await server.close();
    },
  };
}
