import { isRecord, parseJson } from '../../shared/json.ts';

/** How far a row that is being written was shown. */
export interface RowProgress {
  /** The index of the next chunk. */
  nextIndex: number;
  /** Characters of reasoning that were shown. */
  reasoningLength: number;
  /** Chunks that arrived before an earlier one, by index. */
  readonly waiting: Map<number, RowChunk>;
}

export interface RowChunk {
  readonly text: string;
  readonly isReasoning: boolean;
}

/**
 * The position in a run: which rows were shown completely, how far the others were, and which calls were requested. Its text is the
 * cursor of the run. A page that was reloaded goes on from the cursor and shows nothing twice.
 */
export class RunPosition {
  /** The rows of the run, in the order in which the thread has them. */
  readonly #order: string[] = [];
  readonly #complete = new Set<string>();
  /** Every row up to this one was complete when the cursor was written. */
  #completeUntil: string | undefined;
  /** The number of complete rows at the beginning of the order. */
  #completeCount = 0;
  readonly #progress = new Map<string, RowProgress>();
  readonly #requested: Set<string>;

  /** @param cursor what `encode` returned; undefined for the beginning of a run */
  constructor(cursor: string | undefined) {
    const saved = cursor === undefined ? {} : parseJson(cursor);
    const { until, complete, partial, requested } = isRecord(saved) ? saved : {};
    this.#completeUntil = typeof until === 'string' ? until : undefined;
    for (const id of toTexts(complete)) this.#complete.add(id);
    this.#requested = new Set(toTexts(requested));
    for (const [id, progress] of Object.entries(isRecord(partial) ? partial : {})) {
      const [nextIndex, reasoningLength] = Array.isArray(progress) ? progress.map(Number) : [];
      this.#progress.set(id, createProgress(nextIndex, reasoningLength));
    }
  }

  /** Adds rows in the order of the thread. Rows that are known already stay where they are. */
  addRows(ids: readonly string[]): void {
    const last = this.#completeUntil === undefined ? -1 : ids.indexOf(this.#completeUntil);
    for (const [index, id] of ids.entries()) {
      if (index <= last) this.#complete.add(id);
      if (!this.#order.includes(id)) this.#order.push(id);
    }
    if (last >= 0) this.#completeUntil = undefined;
  }

  isComplete(rowId: string): boolean {
    return this.#complete.has(rowId);
  }

  /** True if something of the row may have been shown. */
  hasBegun(rowId: string): boolean {
    return this.#complete.has(rowId) || this.#progress.has(rowId);
  }

  completeRow(rowId: string): void {
    this.#complete.add(rowId);
    this.#progress.delete(rowId);
  }

  /** Returns how far a row is shown, and notes that it has begun. */
  beginRow(rowId: string): RowProgress {
    this.addRows([rowId]);
    const progress = this.#progress.get(rowId) ?? createProgress();
    this.#progress.set(rowId, progress);
    return progress;
  }

  /** Forgets how far rows were shown that are not in the list any more. Returns their ids. */
  forgetMissing(ids: readonly string[]): readonly string[] {
    const missing = [...this.#progress.keys()].filter((id) => !ids.includes(id));
    for (const id of missing) this.#progress.delete(id);
    return missing;
  }

  get requested(): ReadonlySet<string> {
    return this.#requested;
  }

  addRequested(toolCallId: string): void {
    this.#requested.add(toolCallId);
  }

  encode(): string {
    while (this.#complete.has(this.#order[this.#completeCount] ?? '')) this.#completeCount += 1;
    const partial = [...this.#progress].map(([id, { nextIndex, reasoningLength }]) => [
      id,
      [nextIndex, reasoningLength],
    ]);
    return JSON.stringify({
      until: this.#completeUntil ?? this.#order[this.#completeCount - 1],
      complete: this.#order.slice(this.#completeCount).filter((id) => this.#complete.has(id)),
      partial: Object.fromEntries(partial),
      requested: [...this.#requested],
    });
  }
}

function createProgress(nextIndex = 0, reasoningLength = 0): RowProgress {
  return { nextIndex, reasoningLength, waiting: new Map() };
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
