'use client';
import { useState, useSyncExternalStore } from 'react';
import type { AgentChatState } from '../core/store/chat-state.ts';
import { useProvidedChat } from './agent-chat-provider.tsx';

/**
 * Returns a selected part of the chat's state, under an `AgentChatProvider`. Re-renders only when the selected value changes
 * (by `isEqual`, default `Object.is`).
 *
 * @throws Error when there is no provider.
 */
export function useAgentChatState<Selected>(
  selector: (state: AgentChatState) => Selected,
  isEqual: (before: Selected, now: Selected) => boolean = Object.is,
): Selected {
  const chat = useProvidedChat();
  const [memory] = useState(() => ({ initial: chat.getState() }) as Memory<Selected>);
  const select = (state: AgentChatState): Selected => {
    if (memory.last !== undefined && memory.last.state === state && memory.last.selector === selector) {
      return memory.last.selected;
    }
    const selected = selector(state);
    const kept =
      memory.last !== undefined && isEqual(memory.last.selected, selected) ? memory.last.selected : selected;
    memory.last = { state, selector, selected: kept };
    return kept;
  };
  return useSyncExternalStore(
    chat.subscribe,
    () => select(chat.getState()),
    () => select(memory.initial),
  );
}

interface Memory<Selected> {
  readonly initial: AgentChatState;
  last?: { state: AgentChatState; selector: (state: AgentChatState) => Selected; selected: Selected };
}
