/**
 * The assistant message that is being written.
 *
 * Parts are found by the key of their stream (`text:ID`, `tool:ID`), so that interleaved streams stay apart.
 * JSON that is still arriving is kept as text next to its part and parsed only when somebody looks: appending to
 * a string is cheap whatever its length, parsing is not.
 */
import type { UIMessage, UIMessagePart } from './message.ts';

/** A part, and the JSON text that has arrived for its arguments or object so far. */
export interface StreamingPart {
  readonly part: UIMessagePart;
  readonly json?: string;
}

/** An open block: whose thread new parts belong to, and whether its text is shown. */
export interface OpenBlock {
  readonly id: string;
  readonly thread: string | undefined;
  readonly showsText: boolean;
}

export interface StreamingMessage {
  readonly id: string;
  readonly createdAt: Date;
  readonly parts: readonly StreamingPart[];
  /**
   * Stream keys, each with its slot number; `HIDDEN` for a stream that is not shown. A list, because it is copied for every
   * new part, and what is looked for is nearly always at its end.
   */
  readonly partIndexes: readonly (readonly [key: string, position: number])[];
  /** Innermost last: blocks nest, and parallel ones may end in any order. */
  readonly blocks: readonly OpenBlock[];
  /** True if the backend has named the message. */
  readonly named: boolean;
  readonly metadata?: unknown;
}

const HIDDEN = -1;

export function createStreamingMessage(id: string, createdAt: Date): StreamingMessage {
  return { id, createdAt, parts: [], partIndexes: [], blocks: [], named: false };
}

/** A new part belongs to the thread of the innermost open block, the main one where there is none. */
export function appendPart(
  streamingMessage: StreamingMessage,
  slot: StreamingPart,
  key?: string,
): StreamingMessage {
  const thread = streamingMessage.blocks.at(-1)?.thread;
  const slots = [
    ...streamingMessage.parts,
    thread === undefined ? slot : { ...slot, part: { ...slot.part, thread } },
  ];
  return {
    ...streamingMessage,
    parts: slots,
    partIndexes:
      key === undefined
        ? streamingMessage.partIndexes
        : [...streamingMessage.partIndexes, [key, slots.length - 1]],
  };
}

export function hideStream(streamingMessage: StreamingMessage, key: string): StreamingMessage {
  return { ...streamingMessage, partIndexes: [...streamingMessage.partIndexes, [key, HIDDEN]] };
}

/** True if events of the key go on with something. */
export function hasStream(streamingMessage: StreamingMessage, key: string): boolean {
  return indexOfStream(streamingMessage, key) !== undefined;
}

/** Later events of the key start a new part. */
export function closeStream(streamingMessage: StreamingMessage, key: string): StreamingMessage {
  return { ...streamingMessage, partIndexes: streamingMessage.partIndexes.filter(([open]) => open !== key) };
}

/** The streamingMessage with one slot changed; the same streamingMessage when there is no such slot or nothing changed. */
export function updatePart(
  streamingMessage: StreamingMessage,
  key: string,
  update: (slot: StreamingPart) => StreamingPart,
): StreamingMessage {
  const position = indexOfStream(streamingMessage, key) ?? HIDDEN;
  const slot = streamingMessage.parts[position];
  if (slot === undefined) return streamingMessage;
  const next = update(slot);
  if (next === slot) return streamingMessage;
  return { ...streamingMessage, parts: streamingMessage.parts.with(position, next) };
}

/** The message as it is shown. The parts are frozen already. */
export function toMessage(
  { id, createdAt, metadata }: StreamingMessage,
  parts: readonly UIMessagePart[],
  status: UIMessage['status'],
): UIMessage {
  const message = { id, role: 'assistant', parts: Object.freeze(parts), status, createdAt } as const;
  return metadata === undefined ? message : { ...message, metadata };
}

function indexOfStream({ partIndexes: slotOf }: StreamingMessage, key: string): number | undefined {
  return slotOf.findLast(([known]) => known === key)?.[1];
}
