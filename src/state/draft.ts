/**
 * The assistant message that is being written.
 *
 * Parts are found by the key of their stream (`text:ID`, `tool:ID`), so that interleaved streams stay apart.
 * JSON that is still arriving is kept as text next to its part and parsed only when somebody looks: appending to
 * a string is cheap whatever its length, parsing is not.
 */
import type { UIMessage, UIMessagePart } from './message.ts';

/** A part, and the JSON text that has arrived for its arguments or object so far. */
export interface DraftSlot {
  readonly part: UIMessagePart;
  readonly json?: string;
}

/** An open block: whose thread new parts belong to, and whether its text is shown. */
export interface DraftBlock {
  readonly id: string;
  readonly thread: string | undefined;
  readonly showsText: boolean;
}

export interface Draft {
  readonly id: string;
  readonly createdAt: Date;
  readonly slots: readonly DraftSlot[];
  /**
   * Stream keys, each with its slot number; `HIDDEN` for a stream that is not shown. A list, because it is copied for every
   * new part, and what is looked for is nearly always at its end.
   */
  readonly slotOf: readonly (readonly [key: string, position: number])[];
  /** Innermost last: blocks nest, and parallel ones may end in any order. */
  readonly blocks: readonly DraftBlock[];
  /** Whether the backend has named the message. */
  readonly named: boolean;
}

const HIDDEN = -1;

export function createDraft(id: string, createdAt: Date): Draft {
  return { id, createdAt, slots: [], slotOf: [], blocks: [], named: false };
}

/** A new part belongs to the thread of the innermost open block, the main one where there is none. */
export function appendSlot(draft: Draft, slot: DraftSlot, key?: string): Draft {
  const thread = draft.blocks.at(-1)?.thread;
  const slots = [...draft.slots, thread === undefined ? slot : { ...slot, part: { ...slot.part, thread } }];
  return {
    ...draft,
    slots,
    slotOf: key === undefined ? draft.slotOf : [...draft.slotOf, [key, slots.length - 1]],
  };
}

export function hideStream(draft: Draft, key: string): Draft {
  return { ...draft, slotOf: [...draft.slotOf, [key, HIDDEN]] };
}

/** Whether events of the key go on with something. */
export function hasStream(draft: Draft, key: string): boolean {
  return positionOf(draft, key) !== undefined;
}

/** Later events of the key start a new part. */
export function closeStream(draft: Draft, key: string): Draft {
  return { ...draft, slotOf: draft.slotOf.filter(([open]) => open !== key) };
}

/** The draft with one slot changed; the same draft when there is no such slot or nothing changed. */
export function updateSlot(draft: Draft, key: string, update: (slot: DraftSlot) => DraftSlot): Draft {
  const position = positionOf(draft, key) ?? HIDDEN;
  const slot = draft.slots[position];
  if (slot === undefined) return draft;
  const next = update(slot);
  if (next === slot) return draft;
  return { ...draft, slots: draft.slots.with(position, next) };
}

/** The message as it is shown. The parts are frozen already. */
export function toMessage(
  { id, createdAt }: Draft,
  parts: readonly UIMessagePart[],
  status: UIMessage['status'],
): UIMessage {
  return { id, role: 'assistant', parts: Object.freeze(parts), status, createdAt };
}

function positionOf({ slotOf }: Draft, key: string): number | undefined {
  return slotOf.findLast(([known]) => known === key)?.[1];
}
