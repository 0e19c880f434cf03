/** The tools of a transport: references that are sent as they are, and peers that the page asks and calls itself. */
import type { PendingToolCall } from '../../core/protocol/events.ts';
import type { ClientTools } from '../../core/tools/client-tool.ts';
import type { TransportTool } from '../../core/transport/agent-transport.ts';
import { AgentChatError, describeThrown } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import { assertLimit } from './assert-limit.ts';
import { checkTools } from './check-tools.ts';
import type { LocalToolCall, LocalToolSource } from './local-tools/local-tool-source.ts';
import { localTools, toWireRef } from './local-tools/local-tools.ts';
import type { ToolRef } from './spec.ts';

export type MantyxTool = ToolRef | LocalToolSource;

/** A list of tools, or the app's `clientTools` if there are no other tools. */
export type MantyxTools = readonly MantyxTool[] | ClientTools;

export interface ToolSet {
  /** Resolves to every tool in its wire form. Throws the errors of a peer's `resolve`, and `invalid_options`. */
  resolve(signal: AbortSignal): Promise<readonly ToolRef[]>;
  /** The tool that calls the peer; undefined for a call that is not for a peer. */
  find(call: PendingToolCall): TransportTool | undefined;
}

/** @throws AgentChatError `invalid_options` for a reference that breaks a limit. */
export function createToolSet(given: MantyxTools, timeoutMs: number | undefined): ToolSet {
  assertLimit(typeof given === 'object', 'tools', 'a list of tools, or clientTools', given);
  const tools = isList(given)
    ? given.map((tool) => (isSource(tool) ? tool : toWireRef(tool)))
    : localTools(given);
  const sources = tools.filter(isSource);
  checkTools(tools.filter((tool): tool is ToolRef => !isSource(tool)));
  return {
    async resolve(signal) {
      const refs = await Promise.all(tools.map((tool) => (isSource(tool) ? tool.resolve(signal) : tool)));
      checkTools(refs);
      return refs;
    },
    find(pending) {
      const call = readCall(pending);
      const source = sources.find((candidate) => candidate.kind === call.kind && candidate.handles(call));
      if (source === undefined) return undefined;
      return {
        async execute(_args, { signal }) {
          const answer = await source.dispatch(call, signal).catch((thrown: unknown) => {
            throw toDispatchError(call, thrown);
          });
          if ('error' in answer) throw new Error(answer.error);
          return answer.result;
        },
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      };
    },
  };
}

/** The error of a peer that did not answer. It goes to the app and to the agent (section 8). */
function toDispatchError({ name, toolUseId }: LocalToolCall, thrown: unknown): AgentChatError {
  if (AgentChatError.isInstance(thrown)) return thrown;
  return new AgentChatError({
    code: 'connection_failed',
    errorType: 'tool_error',
    source: 'tool',
    message: `The tool ${name} could not be called: ${describeThrown(thrown, 'no answer')}`,
    tool: { name, callId: toolUseId },
    cause: thrown,
  });
}

function isList(tools: MantyxTools): tools is readonly MantyxTool[] {
  return Array.isArray(tools);
}

function isSource(tool: MantyxTool): tool is LocalToolSource {
  return isRecord(tool) && 'resolve' in tool;
}

/** Reads the call as the stream carried it: the pending call has those keys, also after a reload. */
function readCall(pending: PendingToolCall): LocalToolCall {
  const { toolCallId, toolName, args } = pending;
  const keys: Readonly<Record<string, unknown>> = { ...pending };
  const texts = Object.fromEntries(
    ['kind', 'mcpServer', 'mcpToolName'].flatMap((key) =>
      typeof keys[key] === 'string' ? [[key, keys[key]]] : [],
    ),
  );
  return {
    toolUseId: toolCallId,
    name: toolName,
    args,
    ...texts,
    ...(isRecord(keys.agentCard) ? { agentCard: keys.agentCard } : {}),
  };
}
