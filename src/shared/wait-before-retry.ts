/**
 * Waits before another attempt: exponential, capped, with jitter, not before the server wants it, and not while the browser is offline.
 * Cancelled by a signal.
 */
import type { Clock } from './clock.ts';
import { AgentChatError } from './errors.ts';
import { isOffline, onNetworkHint } from './network.ts';

export interface BackoffPolicy {
  /** Milliseconds before the first attempt. Each further attempt waits twice as long. 0: at once, then 2, 4, 8… */
  readonly initialDelayMs: number;
  /** Longest wait in milliseconds, unless the server asks for a longer one. */
  readonly maxDelayMs: number;
}

export interface RetryContext {
  readonly policy: BackoffPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Resolves when the next attempt is due, or at once when the signal aborts. When the network or the person is back, resolves early, but
 * not before the time that the server asked for with `retryAfter`. While the browser is offline no attempt is due. Never rejects, so check
 * the signal afterwards.
 *
 * @param failedAttempts attempts that failed before this wait, without the first one: 0 before the first repetition
 * @param failure the thrown value of the last attempt
 */
export function waitBeforeRetry(
  failedAttempts: number,
  failure: unknown,
  { policy, clock, random, signal }: RetryContext,
): Promise<void> {
  const minDelayMs = AgentChatError.isInstance(failure) ? (failure.retryAfter ?? 0) * 1_000 : 0;
  const delayMs = Math.max(minDelayMs, backoffDelay(policy, failedAttempts, random));
  return wait(clock, delayMs, signal, minDelayMs);
}

/** Counts a failed attempt. One that fails while the browser is offline says nothing about the server, and does not count. */
export function countFailure(failedAttempts: number): number {
  return isOffline() ? failedAttempts : failedAttempts + 1;
}

/** Returns true if there is another attempt. While the browser is offline none is spent, so there is one when the network is back. */
export function hasAttemptLeft(failedAttempts: number, maxAttempts: number): boolean {
  return isOffline() || failedAttempts < maxAttempts;
}

/** Returns true if the same request may succeed a little later. */
export function mayPass({ retryable, code }: AgentChatError): boolean {
  return retryable && (code === 'connection_failed' || code === 'http_error');
}

/**
 * Returns the milliseconds before an attempt (0 is the first): between half and all of the exponential delay, so that the
 * clients of a restarted server do not come back all at once.
 */
function backoffDelay(policy: BackoffPolicy, attempt: number, random: () => number): number {
  // Doubling 0 gives 0: with `initialDelayMs: 0` only the first attempt may be made at once.
  const first = Math.max(policy.initialDelayMs, Math.min(attempt, 1));
  // 2 ** 1024 is Infinity, and Math.min still returns the cap.
  const delay = Math.min(policy.maxDelayMs, first * 2 ** attempt);
  return delay * (0.5 + random() / 2);
}

function wait(clock: Clock, delayMs: number, signal: AbortSignal, minDelayMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const startedAt = clock.now();
    const end = () => {
      cancel();
      ignoreHints();
      signal.removeEventListener('abort', end);
      resolve();
    };
    // The return of the network is a hint, too.
    const endOnline = () => {
      if (!isOffline()) end();
    };
    let cancel = clock.after(delayMs, endOnline);
    const ignoreHints = onNetworkHint(() => {
      const left = startedAt + minDelayMs - clock.now();
      if (left <= 0) return endOnline();
      cancel();
      cancel = clock.after(left, endOnline);
    });
    signal.addEventListener('abort', end);
  });
}
