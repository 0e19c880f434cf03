import type { Clock } from '../shared/clock.ts';

/** The same limit as on a socket: more than two of the heartbeats that `handrail/server` sends. */
const MIN_LIMIT_MS = 35_000;
/** The number of heartbeats that may be missing. */
const MISSED_HEARTBEATS = 2.5;
/** A timer that fires this late shows that the page stood still. */
const LATE_MS = 1_000;

export interface WatchSilenceOptions {
  readonly clock: Clock;
  /** Milliseconds between the heartbeat and the bytes before it: the interval of the server's heartbeats. */
  readonly intervalMs: number;
  /** Returns the time of the latest byte. */
  readonly lastByteAt: () => number;
  readonly onSilent: () => void;
}

/**
 * Calls `onSilent` after two and a half heartbeat intervals without a byte, but not before 35 seconds. Returns the function that
 * ends the watch.
 *
 * A laptop that slept or a network that changed leaves a response that neither brings bytes nor ends. Only a server that sends
 * `: heartbeat` comments makes silence a sign of that. After the page itself stood still, its unread bytes come first: the watch
 * waits once more.
 */
export function watchSilence({ clock, intervalMs, lastByteAt, onSilent }: WatchSilenceOptions): () => void {
  const limitMs = Math.max(MIN_LIMIT_MS, intervalMs * MISSED_HEARTBEATS);
  let cancelTimer = () => {};
  const wait = (from: number, stoodStill = false) => {
    const due = from + limitMs;
    cancelTimer = clock.after(due - clock.now(), () => {
      const now = clock.now();
      if (lastByteAt() > from) wait(lastByteAt());
      else if (now - due > LATE_MS && !stoodStill) wait(now, true);
      else onSilent();
    });
  };
  wait(lastByteAt());
  return () => cancelTimer();
}
