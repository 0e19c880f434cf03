/** Cards: the records that an agent of CommonGround reads and writes. A tool reads the call from one and leaves its result in another. */

/** A row of the card box. The names are those of the protocol. */
export interface Card {
  readonly card_id: string;
  readonly project_id: string;
  /** `tool.call` or `tool.result`, for the cards that a tool deals with. */
  readonly type: string;
  readonly content: unknown;
  /** ISO 8601. */
  readonly created_at: string;
  /** The actor that wrote the card, such as `tool.confirm` or `worker.watchdog`. */
  readonly author_id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: string;
  readonly ttl_seconds?: number;
}

/** The store of the cards of all projects. A method rejects if the store cannot be reached; the caller may try again later. */
export interface CardStore {
  get(projectId: string, cardId: string): Promise<Card | undefined>;
  /**
   * Saves a `tool.result` card. The store keeps one result for each call: the first wins. A second one is not saved, and the
   * returned `card` is then the one that the store has for the call.
   */
  saveResult(card: Card): Promise<{ readonly saved: boolean; readonly card: Card }>;
}
