import type { ReactNode } from 'react';
import type { AgentChat } from '../chat/agent-chat.ts';
import { AgentChatProvider } from '../react/agent-chat-provider.tsx';
import type { ClientTools } from '../tools/client-tool.ts';

/**
 * A wrapper that provides a chat, for the `wrapper` option of Testing Library:
 * `render(<Composer />, { wrapper: withChat(chat) })`.
 */
export function withChat<Tools extends ClientTools>(
  chat: AgentChat<Tools>,
): (props: { readonly children: ReactNode }) => ReactNode {
  return ({ children }) => <AgentChatProvider chat={chat}>{children}</AgentChatProvider>;
}
