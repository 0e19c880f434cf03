/**
 * Where the questions of a chat are asked, for a warning in development: a question that nothing on the page shows holds the agent for
 * ever, and the page looks as if the agent were slow.
 */
import { useEffect } from 'react';
import type { AgentChat } from '../core/chat/agent-chat.ts';
import type { Clock } from '../shared/clock.ts';
import { warnOnce } from '../shared/warn-once.ts';

/** A chat, by the function that all objects of it share. */
type ChatKey = object;

interface QuestionSource {
  readonly getState: () => Pick<ReturnType<AgentChat['getState']>, 'pendingCalls'>;
  readonly subscribe: AgentChat['subscribe'];
}

/** How long a question may wait before its place is missed: a page may load its dialogs on demand. */
const PATIENCE_MS = 3000;

/** How many mounted components show the questions of a chat. */
const mounted = /* @__PURE__ */ new WeakMap<ChatKey, number>();
/** Chats whose waiting calls the app reads. */
const readers = /* @__PURE__ */ new WeakSet<ChatKey>();

/** Remembers that a component shows the questions of a chat. Does nothing in production. */
export function useQuestionPlace({ getState }: { readonly getState: ChatKey }): void {
  useEffect(() => {
    if (process.env.NODE_ENV !== 'development') return undefined;
    mounted.set(getState, (mounted.get(getState) ?? 0) + 1);
    return () => void mounted.set(getState, (mounted.get(getState) ?? 0) - 1);
  }, [getState]);
}

/** Remembers that the app reads the waiting calls itself. */
export function noteReader({ getState }: { readonly getState: ChatKey }): void {
  readers.add(getState);
}

/** Warns of a question that has waited for a while, and that nothing on the page asks. Returns the function that ends the watch. */
export function watchPlaces(chat: QuestionSource, clock: Clock): () => void {
  let cancel: (() => void) | undefined;
  const findUnasked = () => {
    const hasPlace = readers.has(chat.getState) || (mounted.get(chat.getState) ?? 0) > 0;
    return hasPlace ? undefined : chat.getState().pendingCalls.find(({ mayAnswer }) => mayAnswer !== false);
  };
  const look = () => {
    if (findUnasked() === undefined) {
      cancel?.();
      cancel = undefined;
      return;
    }
    cancel ??= clock.after(PATIENCE_MS, () => {
      cancel = undefined;
      const call = findUnasked();
      if (call !== undefined) warnOnce(describe(call.toolName));
    });
  };
  const unsubscribe = chat.subscribe(look);
  look();
  return () => {
    unsubscribe();
    cancel?.();
  };
}

function describe(toolName: string): string {
  return (
    `The tool "${toolName}" waits for a person, and nothing on this page asks. Render <ClientToolDialogs /> of 'handrail/components' below ` +
    '<AgentChatProvider chat={chat}>, or show the calls of usePendingClientTools() yourself.'
  );
}
