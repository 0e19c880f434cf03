import type { Card, CardStore } from '../../../../src/backends/utp/cards.ts';

/** A card store with the uniqueness rule of the real one. What goes in and comes out is copied, as a database would. */
export interface MemoryCards extends CardStore {
  /** Saves a card that is no result, or a broken one for a test. */
  put(card: Card): void;
  /** All results of a call. There is at most one, unless a test has put another. */
  results(toolCallId: string): readonly Card[];
}

export function createMemoryCards(): MemoryCards {
  const cards = new Map<string, Card>();
  const find = (card: Card) =>
    [...cards.values()].find(
      (other) =>
        other.type === 'tool.result' &&
        other.project_id === card.project_id &&
        other.tool_call_id === card.tool_call_id,
    );
  return {
    put(card) {
      cards.set(card.card_id, structuredClone(card));
    },
    results: (toolCallId) =>
      [...cards.values()].filter((card) => card.type === 'tool.result' && card.tool_call_id === toolCallId),
    async get(projectId, cardId) {
      const card = cards.get(cardId);
      return card?.project_id === projectId ? structuredClone(card) : undefined;
    },
    async saveResult(card) {
      if (card.type !== 'tool.result') throw new Error(`saveResult got a ${card.type}`);
      const earlier = find(card);
      if (earlier) return { saved: false, card: structuredClone(earlier) };
      // A round trip through JSON, as the jsonb column makes it.
      cards.set(card.card_id, JSON.parse(JSON.stringify(card)));
      return { saved: true, card: structuredClone(card) };
    },
  };
}
