'use client';
import type { AgentChatState } from '../core/store/chat-state.ts';
import type { InteractiveTool } from '../core/tools/client-tool.ts';
import { useProvidedChat } from './agent-chat-provider.tsx';
import { useQuestionPlace } from './question-places.ts';
import { useAgentChatState } from './use-agent-chat-state.ts';

/**
 * The calls that wait for a person, in the order they were asked, or those of one tool.
 * Re-renders only when this list changes.
 *
 * @throws Error when there is no `AgentChatProvider`.
 */
export function usePendingClientTools(toolName?: string): readonly InteractiveTool[] {
  useQuestionPlace(useProvidedChat());
  return useAgentChatState((state) => selectPending(state, toolName));
}

const NONE: readonly InteractiveTool[] = /* @__PURE__ */ Object.freeze([]);

function selectPending(
  { pendingCalls, pendingClientTools }: AgentChatState,
  toolName: string | undefined,
): readonly InteractiveTool[] {
  const tools = toolName === undefined ? pendingCalls : pendingClientTools[toolName];
  return tools?.length ? tools : NONE;
}
