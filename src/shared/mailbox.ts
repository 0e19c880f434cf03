/**
 * Items that one side puts in and another side takes out. The other side waits while the box is empty.
 *
 * A reader gets what was put in before the box was closed or has failed. A reader whose signal aborts gets nothing more.
 */
export class Mailbox<Item> {
  #items: Item[] = [];
  #isClosed = false;
  #failure: { readonly thrown: unknown } | undefined;
  /** Each function wakes a reader. */
  readonly #waiting = new Set<() => void>();

  /** True once the box was closed or has failed. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Puts an item in. A box that was closed or has failed takes nothing more. */
  push(item: Item): void {
    if (this.#isClosed) return;
    this.#items.push(item);
    this.#wakeAll();
  }

  /** Puts the item in unless one waits already: for a news that says only that something has changed. */
  pushOnce(item: Item): void {
    if (this.#items.length === 0) this.push(item);
  }

  /** Ends the box: after the items that are in, readers get undefined. */
  close(): void {
    this.#isClosed = true;
    this.#wakeAll();
  }

  /** Ends the box with a failure: after the items that are in, readers get it thrown. The first end counts. */
  fail(thrown: unknown): void {
    if (this.#isClosed) return;
    this.#failure = { thrown };
    this.close();
  }

  /** Resolves with the first item, and with undefined at the end or when the signal aborts. */
  next(signal?: AbortSignal): Promise<Item | undefined> {
    return this.#take(() => this.#items.shift(), signal);
  }

  /** Resolves with all items that are in, at least one; and with undefined at the end or when the signal aborts. */
  nextAll(signal?: AbortSignal): Promise<readonly Item[] | undefined> {
    return this.#take(() => this.takeAll(), signal);
  }

  /** Yields each item, until the end or until the signal aborts. */
  async *read(signal?: AbortSignal): AsyncGenerator<Item, void, undefined> {
    for (;;) {
      const items = await this.nextAll(signal);
      if (items === undefined) return;
      for (const item of items) {
        if (signal?.aborted) return;
        yield item;
      }
    }
  }

  /** Returns the items that are in, without waiting for one. */
  takeAll(): readonly Item[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  async #take<Taken>(take: () => Taken, signal: AbortSignal | undefined): Promise<Taken | undefined> {
    while (!signal?.aborted) {
      if (this.#items.length > 0) return take();
      if (this.#failure !== undefined) throw this.#failure.thrown;
      if (this.#isClosed) break;
      await this.#untilWoken(signal);
    }
    return undefined;
  }

  #untilWoken(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
  }
}
