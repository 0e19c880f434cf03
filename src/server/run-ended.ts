/**
 * Why a run was ended before its agent was done.
 *
 * - `interrupted`: nobody reads it any more; it may be restarted
 * - `stopped`: a person stopped it
 * - `superseded`: a newer message took its place
 */
export type EndReason = 'interrupted' | 'stopped' | 'superseded';

/** The reason of the abort signal that agents and server tools get. Its name is `AbortError`, as fetch has it. */
export class RunEnded extends Error {
  override readonly name = 'AbortError';
  readonly why: EndReason;

  constructor(why: EndReason) {
    super(`The run was ended: ${why}`);
    this.why = why;
  }
}

/** What {@link raceAbort} resolves to when the signal came first. */
export const ABORTED: unique symbol = Symbol('aborted');

/** Waits for a promise, but not longer than the signal allows: code that ignores its signal must not hold a run. */
export function raceAbort<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | typeof ABORTED> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(ABORTED);
    const done = () => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
    promise.then(
      (value) => {
        done();
        resolve(value);
      },
      (thrown) => {
        done();
        reject(thrown);
      },
    );
  });
}
