/** The wait before another attempt: exponential with a cap and jitter. A signal cancels it. */
import type { Clock } from '../shared/clock.ts';
import { onNetworkHint } from './network-hints.ts';
import type { ReconnectPolicy } from './reconnect-policy.ts';

/**
 * Milliseconds before the attempt (0 is the first): between half and all of the exponential delay, so that the
 * clients of a restarted server do not come back all at once.
 */
export function backoffDelay(policy: ReconnectPolicy, attempt: number, random: () => number): number {
  // Doubling 0 gives 0, so a first attempt without delay would make all later attempts immediate as well.
  const first = Math.max(policy.initialDelayMs, Math.min(attempt, 1));
  // 2 ** 1024 is Infinity, which the cap still handles.
  const delay = Math.min(policy.maxDelayMs, first * 2 ** attempt);
  return delay * (0.5 + random() / 2);
}

/**
 * Resolves after the delay, at once when the signal aborts, and early when the network or the person is back: but not
 * before `leastMs`, which is what the server asked for. Never rejects: look at the signal.
 */
export function wait(clock: Clock, delayMs: number, signal: AbortSignal, leastMs = 0): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const startedAt = clock.now();
    const end = () => {
      cancel();
      ignoreHints();
      signal.removeEventListener('abort', end);
      resolve();
    };
    let cancel = clock.after(delayMs, end);
    const ignoreHints = onNetworkHint(() => {
      const left = startedAt + leastMs - clock.now();
      if (left <= 0) return end();
      cancel();
      cancel = clock.after(left, end);
    });
    signal.addEventListener('abort', end);
  });
}
