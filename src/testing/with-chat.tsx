import type { ReactNode } from 'react';
import { AgentChatProvider } from '../react/agent-chat-provider.tsx';
import type { AgentChat } from '../session/agent-chat.ts';
import type { ClientTools } from '../store/client-tools.ts';

/**
 * A wrapper that provides a chat, for the `wrapper` option of Testing Library:
 * `render(<Composer />, { wrapper: withChat(chat) })`.
 */
export function withChat<Tools extends ClientTools>(
  chat: AgentChat<Tools>,
): (props: { readonly children: ReactNode }) => ReactNode {
  return ({ children }) => <AgentChatProvider chat={chat}>{children}</AgentChatProvider>;
}
