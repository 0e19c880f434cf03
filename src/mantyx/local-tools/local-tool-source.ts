/** The peers only this page can reach: A2A agents and MCP servers, called here on behalf of the run (Mantyx protocol 0.11, section 8). */
import type { A2aLocalRef, McpLocalRef } from '../spec.ts';

/** A `local_tool_call` as the stream carries it. */
export interface LocalToolCall {
  readonly toolUseId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Absent: `local`. */
  readonly kind?: string;
  readonly agentCard?: Readonly<Record<string, unknown>>;
  readonly mcpServer?: string;
  readonly mcpToolName?: string;
}

/** What the model gets to read. */
export type LocalToolAnswer = { readonly result: string } | { readonly error: string };

/** A peer only this page can reach. Make one with `localA2a` or `localMcp`. */
export interface LocalToolSource {
  readonly kind: 'a2a_local' | 'mcp_local';
  /** Of an agent: the tool name the model sees. Of an MCP server: its label. */
  readonly name: string;
  /**
   * Asks the peer what it is, once; a failed attempt is made again by the next call.
   *
   * @throws AgentChatError that names the peer.
   */
  resolve(signal: AbortSignal): Promise<A2aLocalRef | McpLocalRef>;
  /** Whether a call of this source's kind is for this peer. Known before the peer was asked: a call may outlive a reload. */
  handles(call: LocalToolCall): boolean;
  /** Makes the call, asking the peer what it is first where that is still to do. A rejection is an error the model reads. */
  dispatch(call: LocalToolCall, signal: AbortSignal): Promise<LocalToolAnswer>;
}
