import { redactMessage } from './redact-secrets.ts';
import type { NewMessage, Thread } from './thread.ts';
import type { ThreadHooks } from './thread-hooks.ts';
import type { ThreadMessage } from './thread-message.ts';
import type { ThreadState } from './thread-state.ts';

/** Writes the rows of a thread, past the hooks of its agent. */
export class ThreadWriter {
  readonly #thread: Thread;
  readonly #hooks: ThreadHooks;
  readonly #readState: () => ThreadState;

  /** @param readState returns the state of the execution that is under way, or of none */
  constructor(thread: Thread, hooks: ThreadHooks, readState: () => ThreadState) {
    this.#thread = thread;
    this.#hooks = hooks;
    this.#readState = readState;
  }

  /** Returns a row that is complete and not yet in the thread. */
  async prepare(message: NewMessage): Promise<ThreadMessage> {
    const row = this.#thread.createMessage(message);
    const changed = await this.#hooks.change('before_create_message', this.#readState(), row);
    if (changed === row) return row;
    return { ...changed, id: row.id, created_at: row.created_at, status: row.status };
  }

  /** Tells the hooks of a row that is in the thread or its queue now. */
  tellCreated(row: ThreadMessage): Promise<void> {
    return this.#hooks.show('after_create_message', this.#readState(), this.#redact(row));
  }

  /**
   * Adds a row to the thread.
   *
   * @param beforePut called with no wait before the row is in the thread: what it changes is saved together with the row
   */
  async create(message: NewMessage, beforePut = (_row: ThreadMessage) => {}): Promise<ThreadMessage> {
    const row = await this.prepare(message);
    beforePut(row);
    this.#thread.put(row);
    await this.tellCreated(row);
    return row;
  }

  /** Changes a row of the thread, or puts one that was in the queue into it. */
  async update(row: ThreadMessage, updates: Partial<ThreadMessage>, beforePut = () => {}): Promise<void> {
    const toArguments = (current: Partial<ThreadMessage>) => [row.id, current];
    const changed = await this.#hooks.change(
      'before_update_message',
      this.#readState(),
      updates,
      toArguments,
    );
    const updated = { ...row, ...changed, id: row.id, created_at: row.created_at };
    beforePut();
    this.#thread.put(updated);
    await this.#hooks.show('after_update_message', this.#readState(), this.#redact(updated));
  }

  /** Hooks that look often write what they see into a log. */
  #redact(row: ThreadMessage): ThreadMessage {
    return redactMessage(row, this.#thread.secretTexts);
  }
}
