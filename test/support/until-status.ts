import type { AgentChat, AgentChatState } from '../../src/core.ts';

/** Resolves once the chat has one of the statuses. */
export function untilStatus(
  chat: AgentChat,
  ...statuses: readonly AgentChatState['status'][]
): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!statuses.includes(chat.getState().status)) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = chat.subscribe(look);
    look();
  });
}
