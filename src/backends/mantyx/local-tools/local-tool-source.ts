/** Peers that only this page can reach: A2A agents and MCP servers, called by the page for the run (Mantyx protocol 0.11, section 8). */
import type { A2aLocalRef, McpLocalRef } from '../spec.ts';

/** A `local_tool_call` as the stream carries it. */
export interface LocalToolCall {
  readonly toolUseId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Default: `local`. */
  readonly kind?: string;
  readonly agentCard?: Readonly<Record<string, unknown>>;
  readonly mcpServer?: string;
  readonly mcpToolName?: string;
}

/** The text for the model. */
export type LocalToolAnswer = { readonly result: string } | { readonly error: string };

/** A peer that only this page can reach. Create one with `localA2a` or `localMcp`. */
export interface LocalToolSource {
  readonly kind: 'a2a_local' | 'mcp_local';
  /** The tool name of an agent, or the label of an MCP server. */
  readonly name: string;
  /**
   * Gets the description of the peer: once, or again for each run if the peer says that it may change. After a failure the next
   * call tries again.
   *
   * @throws AgentChatError that names the peer.
   */
  resolve(signal: AbortSignal): Promise<A2aLocalRef | McpLocalRef>;
  /** Returns true if a call of this kind is for this peer. Works before `resolve`, because a call may come from before a reload. */
  handles(call: LocalToolCall): boolean;
  /** Calls the peer, after `resolve` if necessary. A rejection becomes an error text for the model. */
  dispatch(call: LocalToolCall, signal: AbortSignal): Promise<LocalToolAnswer>;
}
