/** Messages as people see them: the finished messages, then the streaming message with its arriving JSON parsed so far. */
import { createIncrementalJson, type IncrementalJson } from '../../shared/incremental-json.ts';
import { toArgs } from '../state/arriving-json.ts';
import type { Conversation } from '../state/conversation.ts';
import type { UIMessage, UIMessagePart } from '../state/message.ts';
import { type StreamingMessage, type StreamingPart, toMessage } from '../state/streaming-message.ts';

interface Arriving {
  readonly parser: IncrementalJson;
  /** The text the parser has seen. */
  fed: string;
}

/**
 * Creates a selector with memory: messages that did not change since the last call are identical, and arriving JSON is
 * parsed on from where the last call stopped.
 */
export function createMessageSelector(): (state: Conversation) => readonly UIMessage[] {
  let lastHistory: readonly UIMessage[] | undefined;
  let lastDraft: StreamingMessage | null = null;
  let lastMessages: readonly UIMessage[] = [];
  const published = new WeakMap<StreamingPart, UIMessagePart>();
  const arriving = new Map<number, Arriving>();

  const toPart = (slot: StreamingPart, position: number): UIMessagePart => {
    const known = published.get(slot);
    if (known !== undefined) return known;
    const part = Object.freeze(slot.json === undefined ? slot.part : withArrived(slot, slot.json, position));
    published.set(slot, part);
    return part;
  };

  const withArrived = (slot: StreamingPart, json: string, position: number): UIMessagePart => {
    let source = arriving.get(position);
    // A retry takes parts back, and another answer has other parts: the next one at this position is another text.
    if (source === undefined || !json.startsWith(source.fed)) {
      source = { parser: createIncrementalJson(), fed: '' };
      arriving.set(position, source);
    }
    source.parser.feed(json.slice(source.fed.length));
    source.fed = json;
    const value = source.parser.value();
    if (slot.part.type === 'tool-call') return { ...slot.part, args: toArgs(value) };
    return value === undefined ? slot.part : ({ ...slot.part, partial: value } as UIMessagePart);
  };

  return (state) => {
    const { messages: history, streamingMessage } = state;
    if (history === lastHistory && streamingMessage === lastDraft) return lastMessages;
    lastHistory = history;
    lastDraft = streamingMessage;
    lastMessages =
      streamingMessage === null || streamingMessage.parts.length === 0
        ? history
        : Object.freeze([
            ...history,
            Object.freeze(toMessage(streamingMessage, streamingMessage.parts.map(toPart), 'streaming')),
          ]);
    return lastMessages;
  };
}
