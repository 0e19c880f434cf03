/** Runs tasks one after the other, in the order in which they came. A task that fails does not stop the next one. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as the task does, which starts when the tasks before it have ended. */
  run<Value>(task: () => Value | Promise<Value>): Promise<Value> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => {});
    return done;
  }
}

/** A serial queue for each key. Tasks of different keys run at the same time. A queue that is empty is forgotten. */
export class KeyedSerialQueue {
  readonly #queues = new Map<string, { readonly queue: SerialQueue; tasks: number }>();

  /** Settles as the task does, which starts when the tasks of its key before it have ended. */
  run<Value>(key: string, task: () => Value | Promise<Value>): Promise<Value> {
    const entry = this.#queues.get(key) ?? { queue: new SerialQueue(), tasks: 0 };
    this.#queues.set(key, entry);
    entry.tasks += 1;
    const done = entry.queue.run(task);
    const forget = () => {
      entry.tasks -= 1;
      if (entry.tasks === 0) this.#queues.delete(key);
    };
    done.then(forget, forget);
    return done;
  }
}
