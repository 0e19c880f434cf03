import type { ClientTools } from '../tools/client-tool.ts';
import type { AgentChat, AgentChatOptions } from './agent-chat.ts';
import { ChatEngine } from './chat-engine.ts';

/**
 * Creates a chat. It does nothing until it is used: no request, no timer, no connection.
 *
 * @throws AgentChatError `invalid_options` when the transport is missing or an option is of the wrong kind.
 */
export function createAgentChat<const Tools extends ClientTools = ClientTools>(
  options: AgentChatOptions<Tools>,
): AgentChat<Tools> {
  const chat = createAgentChatFrom(() => options);
  const canRestore = options.persistence ? options.persistence.isAvailable() : false;
  if (!canRestore) return chat;
  const { getState } = chat;
  let isRestoring = false;
  return Object.assign(chat, {
    getState() {
      // The conversation is restored after this task, because a state may be read while something renders.
      if (!isRestoring) queueMicrotask(() => chat.subscribe(() => {})());
      isRestoring = true;
      return getState();
    },
  });
}

/**
 * Like {@link createAgentChat}, for React: the options may be others each time they are read. `refreshTools` is called when the tools are
 * others than before: a question that is open is about the tool as it is.
 */
export function createAgentChatFrom<Tools extends ClientTools>(
  options: () => AgentChatOptions<Tools>,
): AgentChat<Tools> & Pick<ChatEngine, 'refreshTools'> {
  return new ChatEngine(options as () => AgentChatOptions) as ChatEngine & AgentChat<Tools>;
}
