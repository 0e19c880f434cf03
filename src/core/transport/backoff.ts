/** Waits before another attempt: exponential, capped, with jitter, cancelled by a signal. */
import type { Clock } from '../../shared/clock.ts';
import { onNetworkHint } from './network-hints.ts';
import type { ReconnectPolicy } from './reconnect-policy.ts';

/**
 * Returns the milliseconds before an attempt (0 is the first): between half and all of the exponential delay, so that the
 * clients of a restarted server do not come back all at once.
 */
export function backoffDelay(policy: ReconnectPolicy, attempt: number, random: () => number): number {
  // Doubling 0 gives 0: with `initialDelayMs: 0` only the first attempt may be made at once.
  const first = Math.max(policy.initialDelayMs, Math.min(attempt, 1));
  // 2 ** 1024 is Infinity, and Math.min still returns the cap.
  const delay = Math.min(policy.maxDelayMs, first * 2 ** attempt);
  return delay * (0.5 + random() / 2);
}

/**
 * Resolves after the delay, or at once when the signal aborts. When the network or the person is back, resolves early, but not before
 * `minDelayMs`, the delay that the server asked for. Never rejects, so check the signal afterwards.
 */
export function wait(clock: Clock, delayMs: number, signal: AbortSignal, minDelayMs = 0): Promise<void> {
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
      const left = startedAt + minDelayMs - clock.now();
      if (left <= 0) return end();
      cancel();
      cancel = clock.after(left, end);
    });
    signal.addEventListener('abort', end);
  });
}
