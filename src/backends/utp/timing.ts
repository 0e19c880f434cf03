/** Waiting that ends with a signal, on a clock that tests move by hand. */
import type { Clock } from '../../shared/clock.ts';
import { UtpToolError } from './tool-error.ts';

/** Resolves after `ms`, or as soon as the signal aborts. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}

/** Calls back every `ms` until the returned function is called. */
export function every(clock: Clock, ms: number, callback: () => void): () => void {
  let cancel = () => {};
  const arm = () => {
    cancel = clock.after(ms, () => {
      arm();
      callback();
    });
  };
  arm();
  return () => cancel();
}

/** The wait before the next attempt, after `attempts` failed ones. Milliseconds: 0.1 s, doubled each time, at most 30 s. */
export function retryDelay(attempts: number): number {
  return Math.min(100 * 2 ** (attempts - 1), 30_000);
}

export interface RetrySettings {
  readonly clock: Clock;
  /** Ends the attempts when it aborts. */
  readonly signal: AbortSignal;
  /** Called with each failure after which there is another attempt. */
  readonly onFailure: (thrown: unknown) => void;
}

/**
 * Repeats the work until it succeeds.
 *
 * @throws the thrown value of the last attempt once the signal has aborted. A `UtpToolError` is thrown at once: the value itself is at
 * fault, so another attempt would fail too.
 */
export async function retry<Value>(
  work: () => Promise<Value>,
  { clock, signal, onFailure }: RetrySettings,
): Promise<Value> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await work();
    } catch (thrown) {
      if (signal.aborted || thrown instanceof UtpToolError) throw thrown;
      onFailure(thrown);
      await pause(clock, retryDelay(attempts), signal);
    }
  }
}
