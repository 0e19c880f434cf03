/** Connects to an MCP server, and reads what it offers as the server sent it. */
import type { Client, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isRecord } from '../../../shared/json.ts';
import { createPeerFetch, importPeer, type PeerOptions } from './peer.ts';

/** A tool as `tools/list` returned it, with the fields that the SDK does not know. */
export type McpTool = Readonly<Record<string, unknown>> & { readonly name: string };

export interface McpClient {
  readonly callTool: Client['callTool'];
  /** Asks the server for its tools. */
  listTools(): Promise<readonly McpTool[]>;
  /** True if the server says that its tools may change. */
  readonly mayChangeTools: boolean;
  readonly serverInfo: Readonly<Record<string, unknown>> | undefined;
}

/** Rejects with the errors of the SDK. */
export async function openMcpClient(
  peer: string,
  { url, ...options }: PeerOptions & { readonly url: string | URL },
): Promise<McpClient> {
  const { Client, ProtocolError, SdkHttpError, StreamableHTTPClientTransport } = await importPeer(
    '@modelcontextprotocol/client',
    () => import('@modelcontextprotocol/client'),
  );
  const base = typeof location === 'undefined' ? undefined : location.href;
  const fetch = withoutServerStream(createPeerFetch(options));
  const open = async (mode: 'legacy' | 'auto') => {
    const client = new Client({ name: 'handrail', version: '1.0.0' }, { versionNegotiation: { mode } });
    const transport = new StreamableHTTPClientTransport(new URL(url, base), { fetch });
    const tools = recordTools(transport);
    endBrokenRequests(transport, peer);
    await client.connect(transport);
    return toMcpClient(client, tools);
  };
  try {
    return await open('legacy');
  } catch (thrown) {
    // A server of revision 2026-07-28 alone refuses `initialize`. Its `server/discover` is not asked first, because the request has
    // headers that a server of an earlier revision may not allow to pages of other origins.
    if (!(thrown instanceof ProtocolError || thrown instanceof SdkHttpError)) throw thrown;
    return open('auto');
  }
}

function toMcpClient(client: Client, sent: ReadonlyMap<string, McpTool>): McpClient {
  const serverInfo = client.getServerVersion();
  return {
    callTool: (...call) => client.callTool(...call),
    async listTools() {
      const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
      return tools.map((tool) => sent.get(tool.name) ?? tool);
    },
    mayChangeTools: client.getServerCapabilities()?.tools?.listChanged === true,
    serverInfo: serverInfo && { ...serverInfo },
  };
}

/** Records the tools of every list by name. The SDK removes the fields that it does not know. */
function recordTools(transport: Transport): ReadonlyMap<string, McpTool> {
  const sent = new Map<string, McpTool>();
  // The client calls a handler that is set before it connects, and then its own.
  transport.onmessage = (message: JSONRPCMessage) => {
    const result: unknown = 'result' in message ? message.result : undefined;
    if (!isRecord(result) || !Array.isArray(result.tools)) return;
    for (const tool of result.tools.filter(isTool)) sent.set(tool.name, tool);
  };
  return sent;
}

function isTool(value: unknown): value is McpTool {
  return isRecord(value) && typeof value.name === 'string';
}

/**
 * Fails a request whose response stream ended without its result and cannot be resumed. The SDK would wait for the result until
 * the time limit of the request.
 */
function endBrokenRequests(transport: Transport, peer: string): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!('id' in message && 'method' in message)) return send(message, options);
    const { id, method } = message;
    const error = {
      code: -32_000,
      message: `${peer} broke off its response to ${method} before the result.`,
    };
    return send(message, {
      ...options,
      onRequestStreamEnd() {
        options?.onRequestStreamEnd?.();
        // The client ignores this if it has the result.
        transport.onmessage?.({ jsonrpc: '2.0', id, error });
      },
    });
  };
}

/**
 * Answers the GET for the server's own messages with 405, like a server without such messages. The page does not use them, and
 * the stream would permanently occupy one of the few connections that a browser opens to a server.
 */
function withoutServerStream(send: typeof fetch): typeof fetch {
  return async (input, init) =>
    init?.method === 'GET' && !new Headers(init.headers).has('last-event-id')
      ? new Response(null, { status: 405 })
      : send(input, init);
}
