import type { Clock } from '../../shared/clock.ts';

/** How long a call waits for the component that brings its tool: a lazy part of the page is loaded by then. */
const GRACE_MS = 1_000;

interface Waiting {
  readonly goOn: () => void;
  readonly cancel: () => void;
}

/** Calls whose tool is not on the page, by their keys. Each of them waits a short time for it. */
export class MissingTools {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for the tool of a call. `goOn` is called by {@link arrived}, `giveUp` if the tool does not come within `graceMs`. */
  await(key: string, graceMs = GRACE_MS, goOn: () => void, giveUp: () => void): void {
    this.forget(key);
    const cancel = this.#clock.after(graceMs, () => {
      this.#waiting.delete(key);
      giveUp();
    });
    this.#waiting.set(key, { goOn, cancel });
  }

  /** The tool of a call has come. Returns false if the call did not wait for it. */
  arrived(key: string): boolean {
    const waiting = this.forget(key);
    waiting?.goOn();
    return waiting !== undefined;
  }

  /** The call no longer waits for its tool. */
  forget(key: string): Waiting | undefined {
    const waiting = this.#waiting.get(key);
    waiting?.cancel();
    this.#waiting.delete(key);
    return waiting;
  }

  clear(): void {
    for (const key of this.#waiting.keys()) this.forget(key);
  }
}
