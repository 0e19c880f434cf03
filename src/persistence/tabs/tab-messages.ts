/** What the tabs of a conversation say to each other. */
import { AgentChatError, type AgentChatErrorInit } from '../../shared/errors.ts';
import type { Conversation, ConversationChange } from '../../state/conversation.ts';
import { redactChange } from '../redact-conversation.ts';
import { encodeError } from '../snapshot.ts';

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
  | {
      type: 'conversation';
      snapshot: string;
      count: number;
      isUnread?: boolean;
      /** The change to how the connection stands: snapshots outlive it and have none. */
      connection?: ConversationChange | undefined;
    }
  /** `count` is that of the first one. */
  | { type: 'changes'; changes: readonly ConversationChange[]; count: number }
  | { type: 'ask'; id: string; request: TabRequest; tabId: string }
  | { type: 'answer'; id: string; value?: unknown; error?: AgentChatErrorInit };

/** Secrets stay behind. Errors lose their class on the way, and may have a cause no channel takes: they travel as their fields. */
export function encodeChange(told: ConversationChange, state: Conversation): ConversationChange {
  const change = redactChange(told, state);
  return mapErrors(change, (error) => encodeThrown(error) as AgentChatError);
}

export function decodeChange(change: ConversationChange): ConversationChange {
  return mapErrors(change, (fields) => new AgentChatError(fields as AgentChatError));
}

type MapError = (error: Error) => AgentChatError;

function mapErrors(change: ConversationChange, map: MapError): ConversationChange {
  if (change.type === 'turn-ended') return mapError(change, map);
  return change.type === 'connection-changed' ? { ...change, status: mapError(change.status, map) } : change;
}

function mapError<Told extends { readonly error?: Error | undefined }>(told: Told, map: MapError): Told {
  return told.error === undefined ? told : { ...told, error: map(told.error) };
}

export function encodeThrown(thrown: unknown): AgentChatErrorInit {
  if (AgentChatError.isInstance(thrown)) return encodeError(thrown);
  return { code: 'connection_failed', message: String(thrown) };
}
