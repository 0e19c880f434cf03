/** Waiting that ends with a signal, on a clock that tests move by hand. */
import type { Clock } from '../shared/clock.ts';

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
