import type { StoredParts } from './record-parts.ts';

/** A record as a database has it, as far as this process knows. */
interface KnownRecord {
  /** Names the save that wrote the record. Two saves never have the same one, not even of the same revision. */
  readonly saveId: string;
  readonly parts: StoredParts;
}

/** How much text is remembered of all records together. The records in use are remembered longest. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/**
 * The records that this process has loaded or saved last, so that a store sends only what a save changes. To forget a record costs time and
 * no more: its next save sends all of it.
 */
export class KnownRecords {
  /** The one that was used least recently comes first. */
  readonly #records = new Map<string, KnownRecord & { readonly characters: number }>();
  #characters = 0;

  get(sessionId: string): KnownRecord | undefined {
    return this.#records.get(sessionId);
  }

  set(sessionId: string, { saveId, parts }: KnownRecord): void {
    this.delete(sessionId);
    const characters = [...parts.values()].reduce((sum, { text }) => sum + text.length, 0);
    this.#records.set(sessionId, { saveId, parts, characters });
    this.#characters += characters;
    for (const oldest of this.#records.keys()) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.delete(oldest);
    }
  }

  delete(sessionId: string): void {
    this.#characters -= this.#records.get(sessionId)?.characters ?? 0;
    this.#records.delete(sessionId);
  }
}
