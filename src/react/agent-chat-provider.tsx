'use client';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { AgentChat } from '../core/chat/agent-chat.ts';
import type { ClientTools } from '../core/tools/client-tool.ts';

const AgentChatContext = /* @__PURE__ */ createContext<AgentChat | null>(null);
const AgentNameContext = /* @__PURE__ */ createContext<string | undefined>(undefined);

/**
 * Gives a chat to everything below: `useAgentChatState`, `usePendingClientTools`, `<ClientToolDialogs />`.
 * Takes what `useAgentChat` returns or what `createAgentChat` made. Renders nothing of its own and never re-renders
 * its children because the chat changed.
 */
export function AgentChatProvider<Tools extends ClientTools>(props: {
  readonly chat: AgentChat<Tools>;
  /** The name of the agent for people, such as `Shop assistant`. Every question names it. Default: the label `assistant`. */
  readonly agentName?: string | undefined;
  readonly children?: ReactNode;
}): ReactNode {
  const { chat, agentName, children } = props;
  // The hook returns another object whenever its state changes; the functions in it are the chat's identity.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const stable = useMemo(() => (chat as unknown as AgentChat) ?? null, [chat?.getState]);
  return (
    <AgentChatContext.Provider value={stable}>
      <AgentNameContext.Provider value={agentName}>{children}</AgentNameContext.Provider>
    </AgentChatContext.Provider>
  );
}

/**
 * The chat given by the nearest `AgentChatProvider`.
 *
 * @throws Error when there is none.
 */
export function useProvidedChat(): AgentChat {
  const chat = useSurroundingChat();
  if (chat === null) {
    throw new Error(
      'There is no chat here: put the component under <AgentChatProvider chat={useAgentChat(...)}>.',
    );
  }
  return chat;
}

/** Returns the chat of the nearest `AgentChatProvider`, or `null`, for components that do not require one. */
export function useSurroundingChat(): AgentChat | null {
  return useContext(AgentChatContext);
}

/** Returns the `agentName` of the nearest `AgentChatProvider`. */
export function useAgentName(): string | undefined {
  return useContext(AgentNameContext);
}
