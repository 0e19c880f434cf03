/**
 * `mcp_local` of the Mantyx protocol 0.11 (sections 3 and 8): an MCP server only this page can reach. The platform
 * adds no prefix and ours takes none away: what was declared is looked up in a map, because no rule tells a prefix from
 * a name that begins like one.
 */
import { invalidOptions } from '../../shared/errors.ts';
import { TOOL_NAME } from '../limits.ts';
import type { McpLocalRef } from '../spec.ts';
import type { LocalToolCall, LocalToolSource } from './local-tool-source.ts';
import { readToolResult } from './mcp-result.ts';
import {
  askOnce,
  checkPeerName,
  createPeerFetch,
  importPeer,
  type PeerOptions,
  toPeerError,
} from './peer.ts';

/** What a timer takes at most. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Options of {@link localMcp}. */
export interface LocalMcpOptions extends PeerOptions {
  /** The server's label: letters, digits and underscores, up to 64. */
  readonly name: string;
  /** Where the server listens (streamable HTTP). */
  readonly url: string | URL;
  /** Names, as the server has them, of the tools the model gets. Default: all. The platform takes 1 to 64. */
  readonly toolFilter?: readonly string[];
  /**
   * The name the model sees of a tool, such as `fs_read` of `read`. Default: the server's own, with `_` for whatever
   * the platform does not take. Two tools may not end up with the same name.
   */
  readonly rename?: (toolName: string) => string;
}

/**
 * An MCP server this page can reach and the platform cannot, as tools of `createMantyxTransport`. Through
 * `@modelcontextprotocol/client`, which you install and which is loaded before the first run.
 *
 * @throws AgentChatError `invalid_options` for a name the platform would refuse.
 */
export function localMcp(options: LocalMcpOptions): LocalToolSource {
  const { name, rename = toToolName, toolFilter } = options;
  checkPeerName('localMcp', name);
  const peer = `The MCP server ${name}`;
  const send = createPeerFetch(options);
  /**
   * Without the stream for what the server says unasked: nobody here listens to it, and of the few connections a browser
   * makes to a server it would hold one for good. Said as a server says it that has none.
   */
  const sendAsked: typeof fetch = async (input, init) =>
    init?.method === 'GET' && !new Headers(init.headers).has('last-event-id')
      ? new Response(null, { status: 405 })
      : send(input, init);

  const connect = askOnce(async () => {
    const { Client, StreamableHTTPClientTransport } = await importPeer(
      '@modelcontextprotocol/client',
      () => import('@modelcontextprotocol/client'),
    );
    try {
      const client = new Client({ name: 'handrail', version: '1.0.0' });
      const base = typeof location === 'undefined' ? undefined : location.href;
      await client.connect(
        new StreamableHTTPClientTransport(new URL(options.url, base), { fetch: sendAsked }),
      );
      const { tools } = await client.listTools();
      const offered = tools.filter((tool) => toolFilter?.includes(tool.name) ?? true);
      const upstreamNames = nameTools(
        peer,
        offered.map((tool) => tool.name),
        rename,
      );
      const declared = [...upstreamNames].map(([declaredName, upstreamName]) => ({
        ...offered.find((tool) => tool.name === upstreamName),
        name: declaredName,
      }));
      return { client, upstreamNames, declared, serverInfo: client.getServerVersion() };
    } catch (thrown) {
      throw toPeerError(peer, thrown);
    }
  });
  let known: ReadonlyMap<string, string> | undefined;
  const open = async (signal: AbortSignal) => {
    const connection = await connect(signal);
    known = connection.upstreamNames;
    return connection;
  };

  return {
    kind: 'mcp_local',
    name,
    async resolve(signal): Promise<McpLocalRef> {
      const { declared, serverInfo } = await open(signal);
      return {
        kind: 'mcp_local',
        name,
        ...(serverInfo === undefined ? {} : { serverInfo: { ...serverInfo } }),
        tools: declared,
      };
    },
    handles: ({ mcpServer, name: toolName }) =>
      mcpServer === undefined ? (known?.has(toolName) ?? false) : mcpServer === name,
    async dispatch(call, signal) {
      const { client, upstreamNames } = await open(signal);
      const upstreamName = findUpstream(call, upstreamNames);
      if (upstreamName === undefined) return { error: `${peer} has no tool ${call.name}.` };
      try {
        const asked = { name: upstreamName, arguments: { ...call.args } };
        // How long a call may take is for the page to say, which aborts it; the SDK would end each after a minute.
        const result = await client.callTool(asked, { signal, timeout: LONGEST_TIMEOUT_MS });
        return readToolResult(result);
      } catch (thrown) {
        // A session the server has forgotten stays forgotten. The call itself is not made a second time.
        if (!signal.aborted) connect.forget();
        throw thrown;
      }
    },
  };
}

function findUpstream(
  { name, mcpToolName = name }: LocalToolCall,
  upstreamNames: ReadonlyMap<string, string>,
) {
  return upstreamNames.get(name) ?? upstreamNames.get(mcpToolName);
}

/** Declared names to the server's own. */
function nameTools(peer: string, names: readonly string[], rename: (name: string) => string) {
  const upstreamNames = new Map<string, string>();
  for (const upstreamName of names) {
    const declared = rename(upstreamName);
    const twin = upstreamNames.get(declared);
    if (!TOOL_NAME.test(declared))
      throw invalidOptions(
        `${peer}: ${upstreamName} would be called ${JSON.stringify(declared)}. Use 1 to 64 letters, digits and underscores.`,
      );
    if (twin !== undefined)
      throw invalidOptions(
        `${peer}: ${twin} and ${upstreamName} would both be called ${declared}. Tell them apart with \`rename\`.`,
      );
    upstreamNames.set(declared, upstreamName);
  }
  if (names.length >= 1 && names.length <= 64) return upstreamNames;
  throw invalidOptions(
    `${peer} offers ${names.length} tools; the platform takes 1 to 64. Choose some with \`toolFilter\`.`,
  );
}

function toToolName(upstreamName: string): string {
  return upstreamName.replace(/[^a-zA-Z0-9_]/g, '_').slice(0, 64);
}
