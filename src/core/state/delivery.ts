/** How far the answer of a person is. Derived from the stage of its call, and shown on the part of the call. */

import type { Conversation } from './conversation.ts';
import type { ToolCallPart } from './message.ts';
import { type ToolCall, toolCallKey } from './tool-call.ts';
import { isCall, updateTool, updateWrittenTool } from './write-tool-parts.ts';

export type Delivery = NonNullable<ToolCallPart['delivery']>;

/** Returns the delivery of the answer that a person gave here, or undefined if there is none. */
export function deliveryOf(
  { key, answer, byPerson, overruled, refusal, stage, sent }: ToolCall,
  { undelivered, phase }: Pick<Conversation, 'undelivered' | 'phase'>,
): Delivery | undefined {
  if (!answer) return refusal === undefined ? undefined : 'refused';
  if (overruled) return 'refused';
  if (!byPerson || (answer.result ?? answer.error) === undefined) return undefined;
  if (stage === 'acknowledged') return 'received';
  if (undelivered.some((kept) => kept.key === key)) return 'not-sent';
  // The turn was stopped, and nothing goes out any more.
  if (phase === 'idle') return undefined;
  return sent && phase === 'streaming' ? 'sending' : 'not-sent';
}

/** The answers of persons that the backend does not have, as far as this page knows. */
export function countUnreceived(state: Conversation): number {
  const unreceived = toDeliveries(state).values();
  return [...unreceived].filter((delivery) => delivery === 'not-sent' || delivery === 'sending').length;
}

/** Shows on the parts which deliveries have changed. Returns the same conversation if none has. */
export function showDeliveries(before: Conversation, after: Conversation): Conversation {
  const isSame = (field: 'calls' | 'undelivered' | 'phase') => before[field] === after[field];
  if (isSame('calls') && isSame('undelivered') && isSame('phase')) return after;
  const earlier = toDeliveries(before);
  const now = toDeliveries(after);
  let state = after;
  for (const [key, delivery] of now)
    if (earlier.get(key) !== delivery) state = showDelivery(state, key, delivery);
  // Answers leave the list of the undelivered when they have arrived. Those of a turn that is over may never go out.
  for (const { key, byPerson } of before.undelivered)
    if (!now.has(key) && byPerson) state = showDelivery(state, key, 'received');
  for (const { key } of before.calls)
    if (!now.has(key) && ['not-sent', 'sending'].includes(earlier.get(key) ?? ''))
      state = showDelivery(state, key, undefined);
  return state;
}

function toDeliveries(state: Conversation): ReadonlyMap<string, Delivery | undefined> {
  return new Map([...state.undelivered, ...state.calls].map((call) => [call.key, deliveryOf(call, state)]));
}

function showDelivery(state: Conversation, key: string, delivery: Delivery | undefined): Conversation {
  const [, toolCallId] = JSON.parse(key) as [string, string];
  const update = (part: ToolCallPart): ToolCallPart => {
    if (part.delivery === delivery) return part;
    const { delivery: _, ...rest } = part;
    return delivery ? { ...rest, delivery } : rest;
  };
  const { streamingMessage } = state;
  const isCurrent = streamingMessage && key === toolCallKey(state.executionId ?? '', toolCallId);
  if (isCurrent) return { ...state, streamingMessage: updateTool(streamingMessage, toolCallId, update) };
  const position = state.messages.findLastIndex(({ parts }) =>
    parts.some((part) => isCall(part, toolCallId)),
  );
  const message = state.messages[position];
  if (message === undefined) return state;
  const updated = updateWrittenTool(message, toolCallId, update);
  if (updated === message) return state;
  return { ...state, messages: Object.freeze(state.messages.with(position, updated)) };
}
