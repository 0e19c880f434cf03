import type { AgentChat } from '../core/chat/agent-chat.ts';
import type { AgentChatState } from '../core/store/chat-state.ts';
import type { ClientTools } from '../core/tools/client-tool.ts';
import { noteReader } from './question-places.ts';

/** A chat with its state flattened into it. Reading a field subscribes the component to that field. */
export type UseAgentChatResult<Tools extends ClientTools = ClientTools> = AgentChat<Tools> &
  AgentChatState<Tools>;

type StateKey = keyof AgentChatState;

export interface TrackedState<Tools extends ClientTools> {
  /** Returns another object only if a field that the component reads has changed. */
  getSnapshot(): AgentChatState<Tools>;
  getServerSnapshot(): AgentChatState<Tools>;
  /** The chat and its state in one object; one per snapshot, so that memoisation by identity stays right. */
  toResult(snapshot: AgentChatState<Tools>): UseAgentChatResult<Tools>;
}

/** Remembers which fields of the state a component reads, and reports changes of those only. */
export function createTrackedState<Tools extends ClientTools>(chat: AgentChat<Tools>): TrackedState<Tools> {
  const initial = chat.getState();
  const read = new Set<StateKey>();
  let seen = initial;
  const results = new WeakMap<AgentChatState<Tools>, UseAgentChatResult<Tools>>();

  const createResult = (snapshot: AgentChatState<Tools>) => {
    const result = {};
    // A spread would read the id, which is created when it is first read, and the fields of a chat that another hook returned.
    for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(chat))) {
      if (!(key in snapshot)) Object.defineProperty(result, key, descriptor);
    }
    const watched = new Set(read);
    for (const key of Object.keys(snapshot) as StateKey[]) {
      Object.defineProperty(result, key, {
        enumerable: true,
        get: () => {
          if (watched.has(key)) return snapshot[key];
          // First read since the render, perhaps in a later handler: a field that was not watched may be outdated,
          // however often it is read until there is another render.
          read.add(key);
          if (process.env.NODE_ENV === 'development' && key.startsWith('pending')) noteReader(chat);
          return chat.getState()[key];
        },
      });
    }
    return Object.freeze(result) as UseAgentChatResult<Tools>;
  };

  return {
    getSnapshot() {
      const now = chat.getState();
      for (const key of read) if (!Object.is(now[key], seen[key])) seen = now;
      return seen;
    },
    getServerSnapshot: () => initial,
    toResult(snapshot) {
      const result = results.get(snapshot) ?? createResult(snapshot);
      results.set(snapshot, result);
      return result;
    },
  };
}
