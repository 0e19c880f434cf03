import { warnOnce } from '../shared/warn-once.ts';

/** A chat, by the function that all objects of it share. */
type ChatKey = object;

/** The mounted chats that `useAgentChat` made, by the id that the app gave. */
const chatsOf = /* @__PURE__ */ new Map<string, Set<ChatKey>>();

/** Warns if two chats of one id are on the page. Returns the function that forgets this one. */
export function watchSameId(id: string, { getState }: { readonly getState: ChatKey }): () => void {
  const chats = chatsOf.get(id) ?? new Set();
  chatsOf.set(id, chats.add(getState));
  if (chats.size > 1) {
    warnOnce(
      `Two components call useAgentChat with the id "${id}" at once, so that there are two chats of one conversation: each sends its own ` +
        'requests, and neither sees the messages of the other. Call it once, and give its result to the others as <AgentChatProvider chat={chat}> ' +
        'or useAgentChat({ chat }).',
    );
  }
  return () => {
    chats.delete(getState);
    if (chats.size === 0) chatsOf.delete(id);
  };
}
