import type { AgentChat } from '../../src/core.ts';

/** Resolves once the chat has a status. */
export function untilStatus(chat: AgentChat, status: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (chat.getState().status !== status) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = chat.subscribe(look);
    look();
  });
}
