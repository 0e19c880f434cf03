import type { Clock } from '../../shared/clock.ts';

/** The same limit as on a socket: more than two of the heartbeats that `handrail/server` sends. */
const MIN_LIMIT_MS = 35_000;
/** A limit in heartbeat intervals, so that one heartbeat may get lost. */
const LIMIT_INTERVALS = 2.5;
/** A timer that fires this late shows that the page stood still. */
const LATE_MS = 1_000;

/**
 * Calls `onSilent` when a response has brought nothing for two and a half heartbeat intervals, but not before 35 seconds.
 *
 * A laptop that slept or a network that changed leaves a response that neither brings bytes nor ends. Only a server that sends
 * `: heartbeat` comments makes silence a sign of that, so the watch begins with the first heartbeat. After the page itself stood still,
 * the unread bytes come first: the watch waits once more.
 */
export function watchSilence(clock: Clock, onSilent: () => void) {
  let lastByteAt = clock.now();
  let intervalMs = 0;
  /** 0 until the first heartbeat. */
  let limitMs = 0;
  let cancelTimer = () => {};

  const wait = (from: number, stoodStill = false) => {
    const due = from + limitMs;
    cancelTimer = clock.after(due - clock.now(), () => {
      const now = clock.now();
      if (lastByteAt > from) wait(lastByteAt);
      else if (now - due > LATE_MS && !stoodStill) wait(now, true);
      else onSilent();
    });
  };

  return {
    /** Called for each chunk of bytes. */
    reset() {
      const now = clock.now();
      intervalMs = now - lastByteAt;
      lastByteAt = now;
    },
    /** Comes after the `reset` of the chunk that has the heartbeat. */
    onHeartbeat() {
      if (limitMs > 0) return;
      limitMs = Math.max(MIN_LIMIT_MS, intervalMs * LIMIT_INTERVALS);
      wait(lastByteAt);
    },
    stop: () => cancelTimer(),
  };
}
