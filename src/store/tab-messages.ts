/** What the tabs of a conversation say to each other. */
import { AgentChatError, type AgentChatErrorInit } from '../shared/errors.ts';
import type { Conversation, ConversationChange } from '../state/conversation.ts';
import { encodeError } from '../state/snapshot.ts';
import { withholdFromChange } from '../state/withhold-secrets.ts';

/** What a tab asks of the owner: the name of an action and its arguments. */
export interface TabRequest {
  readonly action: string;
  readonly args: readonly unknown[];
}

export type TabMessage =
  | { type: 'hello' }
  /** To an owner, which has to know whether there is somebody to hand over to. */
  | { type: 'here' }
  /** `isUnread`: what is kept could not be read, and stays as it is whoever owns the conversation next. */
  | { type: 'conversation'; snapshot: string; count: number; isUnread?: boolean }
  /** `count` is that of the first one. */
  | { type: 'changes'; changes: readonly ConversationChange[]; count: number }
  | { type: 'ask'; id: string; request: TabRequest; tabId: string }
  | { type: 'answer'; id: string; value?: unknown; error?: AgentChatErrorInit };

/** Secrets stay behind. Errors lose their class on the way, so they travel as their fields. */
export function encodeChange(told: ConversationChange, state: Conversation): ConversationChange {
  const change = withholdFromChange(told, state);
  if (change.type !== 'turn-ended' || change.error === undefined) return change;
  return { ...change, error: encodeError(change.error) as unknown as AgentChatError };
}

export function decodeChange(change: ConversationChange): ConversationChange {
  if (change.type !== 'turn-ended' || change.error === undefined) return change;
  return { ...change, error: new AgentChatError(change.error) };
}

export function encodeThrown(thrown: unknown): AgentChatErrorInit {
  if (AgentChatError.isInstance(thrown)) return encodeError(thrown);
  return { code: 'connection_failed', message: String(thrown) };
}
