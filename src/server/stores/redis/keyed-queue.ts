/** Runs the tasks of one key one after the other. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<Value>(key: string, task: () => Promise<Value>): Promise<Value> {
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(task);
    const tail = result
      .catch(() => {})
      .finally(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      });
    this.#tails.set(key, tail);
    return result;
  }
}
