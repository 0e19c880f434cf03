import type { Clock } from './clock.ts';

export interface TimeoutOptions<Late> {
  readonly clock: Clock;
  /** Milliseconds that the promise may take. */
  readonly limitMs: number;
  /** Makes the value of a promise that takes longer, or throws the error of one. */
  readonly onTimeout: () => Late;
}

/**
 * Settles as the promise does, or by `onTimeout` when the promise takes longer than the limit. Leaves no timer behind, and no
 * unhandled rejection when the promise rejects after the limit. Around `untilAborted` it ends with a signal as well.
 */
export async function withTimeout<Value, Late = never>(
  promise: PromiseLike<Value>,
  { clock, limitMs, onTimeout }: TimeoutOptions<Late>,
): Promise<Value | Late> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(limitMs, resolve);
  }).then(onTimeout);
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}
