/**
 * Takes over the backend's list of messages. What is equal keeps its identity, so that nothing of it is drawn anew.
 *
 * A transport that sends `messages-replaced` brings this function along (`AgentTransport.replaceMessages`): the engine does not import it, so
 * that apps of other backends do not load it.
 */
import { deepEqual } from '../../shared/deep-equal.ts';
import { deepFreeze } from '../../shared/json.ts';
import type { MessagesReplacedEvent, WrittenPart } from '../protocol/events.ts';
import type { Conversation } from './conversation.ts';
import type { StreamingMessage, StreamingPart } from './streaming-message.ts';
import { toolKey } from './write-tool-parts.ts';

/** The messages of a conversation after the event. */
export type ReplacedMessages = Pick<Conversation, 'messages' | 'streamingMessage'>;

export function replaceMessages(state: Conversation, event: MessagesReplacedEvent): ReplacedMessages {
  const { streamingMessage } = state;
  const known = new Map(state.messages.map((message) => [message.id, message]));
  return {
    messages: keepEqual(
      state.messages,
      event.messages.map((message) => keep(known.get(message.id), message)),
    ),
    streamingMessage: streamingMessage && writeParts(state, streamingMessage, event.parts),
  };
}

function keep<Value>(before: Value | undefined, value: Value): Value {
  return before !== undefined && deepEqual(before, value) ? before : deepFreeze(value);
}

/** Returns the list of before if it has the same items. */
function keepEqual<Item>(before: readonly Item[], items: readonly Item[]): readonly Item[] {
  const isSame = before.length === items.length && before.every((item, index) => item === items[index]);
  return isSame ? before : Object.freeze(items);
}

function writeParts(
  { calls }: Conversation,
  message: StreamingMessage,
  written: readonly WrittenPart[],
): StreamingMessage {
  const keys = new Map(message.partIndexes.map(([key, index]) => [index, key]));
  const before = message.parts.map((slot, index) => ({ slot, key: keys.get(index) }));
  const given = written.map((one) => {
    const key = toKey(one);
    const { part, json } = one;
    const same = before.find(({ slot }) => isSameCall(slot, part) || deepEqual(slot.part, part));
    // The part of a call that was asked about here shows its answer.
    const isAsked = calls.some(({ request }) => same && isCall(same.slot, request.toolCallId));
    if (same && (isAsked || (deepEqual(same.slot.part, part) && same.slot.json === json)))
      return { slot: same.slot, key };
    return { slot: deepFreeze(json === undefined ? { part } : { part, json }), key };
  });
  before.forEach((own, index) => {
    const { type } = own.slot.part;
    const isAsked = calls.some(({ request }) => isCall(own.slot, request.toolCallId));
    const isOfBackend = type === 'text' || type === 'reasoning' || (type === 'tool-call' && !isAsked);
    if (isOfBackend || given.some(({ slot }) => slot === own.slot)) return;
    given.splice(Math.min(index, given.length), 0, own);
  });
  const parts = keepEqual(
    message.parts,
    given.map(({ slot }) => slot),
  );
  const partIndexes = given.flatMap(({ key }, index) => (key === undefined ? [] : [[key, index] as const]));
  return { ...message, parts, partIndexes };
}

function isCall({ part }: StreamingPart, toolCallId: string): boolean {
  return part.type === 'tool-call' && part.toolCallId === toolCallId;
}

function isSameCall(slot: StreamingPart, part: WrittenPart['part']): boolean {
  return part.type === 'tool-call' && isCall(slot, part.toolCallId);
}

/** The key under which later events find the part. */
function toKey({ part, openId }: WrittenPart): string | undefined {
  if (part.type === 'tool-call') return toolKey(part.toolCallId);
  return openId === undefined ? undefined : `${part.type}:${part.thread}:${openId}`;
}
