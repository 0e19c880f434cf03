import type { ReactNode } from 'react';
import type { AgentChat } from '../core/chat/agent-chat.ts';
import type { ClientTools } from '../core/tools/client-tool.ts';
import { AgentChatProvider } from '../react/agent-chat-provider.tsx';

/**
 * A wrapper that provides a chat, for the `wrapper` option of Testing Library:
 * `render(<Composer />, { wrapper: withChat(chat) })`.
 */
export function withChat<Tools extends ClientTools>(
  chat: AgentChat<Tools>,
): (props: { readonly children: ReactNode }) => ReactNode {
  return ({ children }) => <AgentChatProvider chat={chat}>{children}</AgentChatProvider>;
}
