/** The messages between the tabs of a conversation. */
import * as z from 'zod/mini';
import { AgentChatError, type AgentChatErrorInit } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/json.ts';
import type { Conversation, ConversationChange } from '../../state/conversation.ts';
import { redactChange } from '../redact-conversation.ts';
import { encodeError } from '../snapshot.ts';

const change = z.custom<ConversationChange>((value) => isRecord(value) && typeof value.type === 'string');
const connectionChange = z.custom<ConversationChange>(
  (value) => isRecord(value) && value.type === 'connection-changed' && isRecord(value.status),
);
const error = z.custom<AgentChatErrorInit>(
  (value) => isRecord(value) && typeof value.code === 'string' && typeof value.message === 'string',
);
/** A request to the owner tab: the name of an action and its arguments. */
const request = z.object({ action: z.string(), args: z.array(z.unknown()) });

const tabMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello') }),
  /** A follower has got the conversation. The owner needs to know that another tab can take over. */
  z.object({ type: z.literal('here') }),
  z.object({
    type: z.literal('conversation'),
    snapshot: z.string(),
    count: z.int(),
    /** The stored conversation could not be read. The next owner must not overwrite it either. */
    isUnread: z.optional(z.boolean()),
    /** The connection, as a change: snapshots do not contain it. */
    connection: z.optional(connectionChange),
  }),
  /** `count` is the number of the first change. */
  z.object({ type: z.literal('changes'), changes: z.array(change), count: z.int() }),
  z.object({ type: z.literal('ask'), id: z.string(), request, tabId: z.string() }),
  z.object({
    type: z.literal('reply'),
    id: z.string(),
    value: z.optional(z.unknown()),
    error: z.optional(error),
  }),
]);

export type TabRequest = z.infer<typeof request>;
export type TabMessage = z.infer<typeof tabMessageSchema>;
export type TabReply = Extract<TabMessage, { type: 'reply' }>;

/**
 * Returns the message, or undefined if it is none. Any other script of this origin, and a tab with another version of the app, may
 * post to the channel.
 */
export function readTabMessage(data: unknown): TabMessage | undefined {
  return tabMessageSchema.safeParse(data).data;
}

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
