/**
 * `mcp_local` of the Mantyx protocol 0.11 (sections 3 and 8): an MCP server that only this page can reach. The declared tool
 * names are looked up in a map, because the platform adds no prefix, and a name may begin like one.
 */
import type { CallToolResult } from '@modelcontextprotocol/client';
import { AgentChatError, invalidOptions } from '../../../shared/errors.ts';
import { untilAborted } from '../../../shared/until-aborted.ts';
import { TOOL_NAME } from '../assert-limit.ts';
import type { McpLocalRef } from '../spec.ts';
import type { LocalToolAnswer, LocalToolCall, LocalToolSource } from './local-tool-source.ts';
import { type McpClient, type McpTool, openMcpClient } from './open-mcp-client.ts';
import { checkPeerName, createSharedCall, type PeerOptions, toPeerError } from './peer.ts';

/** The longest delay a timer supports. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Options of {@link localMcp}. */
export interface LocalMcpOptions extends PeerOptions {
  /** The server's label: letters, digits and underscores, up to 64. */
  readonly name: string;
  /** The URL of the server (streamable HTTP). */
  readonly url: string | URL;
  /** The server's names of the tools for the model. Default: all. The platform accepts 1 to 64 tools. */
  readonly toolFilter?: readonly string[];
  /**
   * Returns the name of a tool for the model, such as `fs_read` for `read`. Default: the server's own name, with `_` for each
   * character the platform does not accept. Two tools must not get the same name.
   */
  readonly rename?: (toolName: string) => string;
}

/**
 * An MCP server that this page can reach and the platform cannot, as tools of `createMantyxTransport`. Uses
 * `@modelcontextprotocol/client`, which you install and which is loaded before the first run.
 *
 * @throws AgentChatError `invalid_options` for a name the platform would refuse.
 */
export function localMcp(options: LocalMcpOptions): LocalToolSource {
  const { name } = options;
  checkPeerName('localMcp', name);
  const peer = `The MCP server ${name}`;
  const connect = createSharedCall(() => openConnection(options, peer));
  let known: Catalogue['upstreamNames'] | undefined;

  return {
    kind: 'mcp_local',
    name,
    async resolve(signal): Promise<McpLocalRef> {
      const connection = await connect(signal);
      await connection.refresh(signal);
      const { catalogue, client } = connection;
      known = catalogue.upstreamNames;
      return {
        kind: 'mcp_local',
        name,
        ...(client.serverInfo === undefined ? {} : { serverInfo: client.serverInfo }),
        tools: catalogue.declared,
      };
    },
    handles: ({ mcpServer, name: toolName }) =>
      mcpServer === undefined ? (known?.has(toolName) ?? false) : mcpServer === name,
    async dispatch(call, signal) {
      const { client, catalogue } = await connect(signal);
      const { upstreamNames } = catalogue;
      known = upstreamNames;
      const upstreamName = findUpstream(call, upstreamNames);
      if (upstreamName === undefined) return { error: `${peer} has no tool ${call.name}.` };
      try {
        const request = { name: upstreamName, arguments: { ...call.args } };
        // The page decides about the timeout and aborts the signal. The SDK would end each call after a minute.
        const result = await client.callTool(request, { signal, timeout: MAX_TIMEOUT_MS });
        return readToolResult(result);
      } catch (thrown) {
        // The server may have lost the MCP session, so the next call connects again. This call is not sent a second time.
        if (!signal.aborted) connect.forget();
        throw thrown;
      }
    },
  };
}

/** The tools of the server, and the names by which the model calls them. */
interface Catalogue {
  /** The server's own names by the declared names. */
  readonly upstreamNames: ReadonlyMap<string, string>;
  readonly declared: readonly McpTool[];
}

interface Connection {
  readonly client: McpClient;
  /** The tools as last listed. */
  readonly catalogue: Catalogue;
  /**
   * Lists the tools again if the server says that they may change. Runs begin seldom, and the notification of a change would need a
   * permanent stream. If the server does not answer, its known tools stay: a call of one will say what is wrong.
   */
  refresh(signal: AbortSignal): Promise<void>;
}

async function openConnection(options: LocalMcpOptions, peer: string): Promise<Connection> {
  try {
    const client = await openMcpClient(peer, options);
    let catalogue = await readCatalogue(client, options, peer);
    let isNew = true;
    return {
      client,
      get catalogue() {
        return catalogue;
      },
      async refresh(signal) {
        const isDue = client.mayChangeTools && !isNew;
        isNew = false;
        try {
          if (isDue)
            catalogue = (await untilAborted(readCatalogue(client, options, peer), signal)) ?? catalogue;
        } catch (thrown) {
          if (AgentChatError.isInstance(thrown)) throw thrown;
        }
        signal.throwIfAborted();
      },
    };
  } catch (thrown) {
    throw toPeerError(peer, thrown);
  }
}

/** Asks the server for its tools and names them for the model. */
async function readCatalogue(
  client: McpClient,
  { rename = toToolName, toolFilter }: LocalMcpOptions,
  peer: string,
): Promise<Catalogue> {
  const tools = await client.listTools();
  const offered = tools.filter((tool) => toolFilter?.includes(tool.name) ?? true);
  const names = offered.map((tool) => tool.name);
  const upstreamNames = nameTools(peer, names, rename);
  const declared = [...upstreamNames].map(([declaredName, upstreamName]) => ({
    ...offered.find((tool) => tool.name === upstreamName),
    name: declaredName,
  }));
  return { upstreamNames, declared };
}

/**
 * The text blocks of a result and the texts of its resources, one per line (Mantyx protocol 0.11, section 8). Without text: the
 * structured content, else the types of the blocks, because a model that gets no text calls again.
 */
function readToolResult({ content, structuredContent, isError }: CallToolResult): LocalToolAnswer {
  const texts = content.flatMap((block) => {
    if (block.type === 'resource') return 'text' in block.resource ? block.resource.text : [];
    return block.type === 'text' ? block.text : [];
  });
  const text =
    texts.length > 0
      ? texts.join('\n')
      : structuredContent === undefined
        ? content.map(({ type }) => `[${type}]`).join('\n')
        : JSON.stringify(structuredContent);
  return isError === true ? { error: text === '' ? 'The tool failed.' : text } : { result: text };
}

function findUpstream(
  { name, mcpToolName = name }: LocalToolCall,
  upstreamNames: ReadonlyMap<string, string>,
) {
  return upstreamNames.get(name) ?? upstreamNames.get(mcpToolName);
}

/** Maps the declared names to the server's own names. */
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
