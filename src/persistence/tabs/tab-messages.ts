/** The messages between the tabs of a conversation. */
import { AgentChatError, type AgentChatErrorInit } from '../../shared/errors.ts';
import type { Conversation, ConversationChange } from '../../state/conversation.ts';
import { redactChange } from '../redact-conversation.ts';
import { encodeError } from '../snapshot.ts';

/** A request to the owner tab: the name of an action and its arguments. */
export interface TabRequest {
  readonly action: string;
  readonly args: readonly unknown[];
}

export type TabMessage =
  | { type: 'hello' }
  /** A follower has got the conversation. The owner needs to know that another tab can take over. */
  | { type: 'here' }
  /** `isUnread`: the stored conversation could not be read. The next owner must not overwrite it either. */
  | {
      type: 'conversation';
      snapshot: string;
      count: number;
      isUnread?: boolean;
      /** The connection, as a change: snapshots do not contain it. */
      connection?: ConversationChange | undefined;
    }
  /** `count` is the number of the first change. */
  | { type: 'changes'; changes: readonly ConversationChange[]; count: number }
  | { type: 'ask'; id: string; request: TabRequest; tabId: string }
  | { type: 'reply'; id: string; value?: unknown; error?: AgentChatErrorInit };

/** Removes secrets. Replaces errors by their fields: a channel drops their class, and cannot carry every cause. */
export function encodeChange(change: ConversationChange, state: Conversation): ConversationChange {
  return mapErrors(redactChange(change, state), (error) => encodeThrown(error) as AgentChatError);
}

export function decodeChange(change: ConversationChange): ConversationChange {
  return mapErrors(change, (fields) => new AgentChatError(fields as AgentChatError));
}

type MapError = (error: Error) => AgentChatError;

function mapErrors(change: ConversationChange, map: MapError): ConversationChange {
  if (change.type === 'turn-ended') return mapError(change, map);
  return change.type === 'connection-changed' ? { ...change, status: mapError(change.status, map) } : change;
}

function mapError<Holder extends { readonly error?: Error | undefined }>(
  holder: Holder,
  map: MapError,
): Holder {
  return holder.error === undefined ? holder : { ...holder, error: map(holder.error) };
}

export function encodeThrown(thrown: unknown): AgentChatErrorInit {
  if (AgentChatError.isInstance(thrown)) return encodeError(thrown);
  return { code: 'connection_failed', message: String(thrown) };
}
