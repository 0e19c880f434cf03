import type { Conversation } from '../state/conversation.ts';
import { countUnreceived } from '../state/delivery.ts';
import type { InteractiveTool } from '../tools/client-tool.ts';
import type { AgentChatState, AnyPendingClientTools, ChatStatus, Outbox } from './chat-state.ts';
import { hasSameItems } from './has-same-items.ts';
import { createMessageSelector } from './select-messages.ts';

export type SelectState = (
  conversation: Conversation,
  pendingCalls: readonly InteractiveTool[],
) => AgentChatState;

/** Creates a selector of the public state. Its result is identical as long as nothing that a person can see changed. */
export function createStateSelector(): SelectState {
  const selectMessages = createMessageSelector();
  const group = createGrouping();
  let last = {} as AgentChatState;
  let lastConversation: Conversation | undefined;
  let lastPending: readonly InteractiveTool[] | undefined;
  return (conversation, pendingCalls) => {
    if (conversation === lastConversation && pendingCalls === lastPending) return last;
    lastConversation = conversation;
    lastPending = pendingCalls;
    const next: AgentChatState = {
      messages: selectMessages(conversation),
      status: selectStatus(conversation),
      error: conversation.error,
      pendingClientTools: group(pendingCalls),
      pendingCalls,
      connectionState: conversation.connection?.state,
      connectionError: conversation.connection?.error,
      outbox: selectOutbox(conversation, last.outbox),
      usage: conversation.usage,
      notices: conversation.notices,
    };
    if (!hasSameItems(Object.values(last), Object.values(next))) last = Object.freeze(next);
    return last;
  };
}

function selectStatus({ calls, phase }: Conversation): ChatStatus {
  return calls.some(({ stage }) => stage === 'waiting') ? 'awaiting-input' : phase;
}

/** Returns the outbox of before, if nothing in it has changed. */
function selectOutbox(conversation: Conversation, before: Outbox | undefined): Outbox {
  const { isOffline = false, isHeld } = conversation;
  const next = { isOffline, answers: countUnreceived(conversation), messages: isHeld ? 1 : 0 };
  return before && hasSameItems(Object.values(before), Object.values(next)) ? before : Object.freeze(next);
}

/** Groups waiting calls by the name of their tool. Unchanged groups retain their identity. */
function createGrouping(): (pendingCalls: readonly InteractiveTool[]) => AnyPendingClientTools {
  let lastCalls: readonly InteractiveTool[] = [];
  let groups: AnyPendingClientTools = Object.freeze(Object.create(null));
  return (pendingCalls) => {
    if (pendingCalls === lastCalls) return groups;
    lastCalls = pendingCalls;
    const next: Record<string, readonly InteractiveTool[]> = Object.create(null);
    for (const { toolName } of pendingCalls) {
      const group = pendingCalls.filter((tool) => tool.toolName === toolName);
      const before = groups[toolName];
      next[toolName] = before !== undefined && hasSameItems(before, group) ? before : Object.freeze(group);
    }
    groups = Object.freeze(next);
    return groups;
  };
}
