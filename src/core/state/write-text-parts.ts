/** Writes texts, reasoning and typed objects into the message. */

import type {
  ReasoningBoundaryEvent,
  TextDeltaEvent,
  TextEndEvent,
  TextStartEvent,
} from '../protocol/events.ts';
import { finishPart } from './finalise.ts';
import {
  appendPart,
  closeStream,
  hasStream,
  hideStream,
  type StreamingMessage,
  type StreamingPart,
  updatePart,
} from './streaming-message.ts';

/** An event of a text or of reasoning. */
type TextEvent = TextStartEvent | TextDeltaEvent | TextEndEvent | ReasoningBoundaryEvent;

function kindOf({ type }: TextEvent): 'text' | 'reasoning' {
  return type.startsWith('text') ? 'text' : 'reasoning';
}

/** Each worker counts the ids of its texts by itself. */
function textKey(event: TextEvent): string {
  return `${kindOf(event)}:${event.workerId}:${event.id}`;
}

export function startText(streamingMessage: StreamingMessage, event: TextEvent): StreamingMessage {
  const key = textKey(event);
  // Announced twice, as by a reader that begins in the middle: it goes on.
  if (hasStream(streamingMessage, key)) return streamingMessage;
  const kind = kindOf(event);
  const typeName = 'responseType' in event ? event.responseType : undefined;
  if (kind === 'text' && streamingMessage.blocks.at(-1)?.showsText === false)
    return hideStream(streamingMessage, key);
  const slot: StreamingPart =
    typeName === undefined
      ? { part: { type: kind, text: '', status: 'streaming' } }
      : { part: { type: 'object', id: event.id, typeName, status: 'streaming' }, json: '' };
  return appendPart(streamingMessage, slot, key);
}

export function appendText(streamingMessage: StreamingMessage, event: TextDeltaEvent): StreamingMessage {
  // A delta without a start event must still be shown, so it starts its part.
  return writeText(startText(streamingMessage, event), textKey(event), (before) => before + event.delta);
}

/** Changes the text of an open stream: of an object, and of arguments that are still arriving, it is the JSON. */
export function writeText(
  streamingMessage: StreamingMessage,
  key: string,
  write: (before: string) => string,
): StreamingMessage {
  return updatePart(streamingMessage, key, (slot) => {
    const { part, json = '' } = slot;
    if ('text' in part) return { part: { ...part, text: write(part.text) } };
    return part.type === 'tool-call' && part.status !== 'pending' ? slot : { part, json: write(json) };
  });
}

/** The end event may carry the whole text, which replaces the deltas, and an error. */
export function endText(
  streamingMessage: StreamingMessage,
  event: TextEndEvent | ReasoningBoundaryEvent,
): StreamingMessage {
  const key = textKey(event);
  const { text, error } = event as Pick<TextEndEvent, 'text' | 'error'>;
  const whole = text === undefined ? streamingMessage : writeText(streamingMessage, key, () => text);
  return closeStream(finishPart(whole, key, error), key);
}
