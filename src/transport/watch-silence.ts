/**
 * A connection that died without a word (a laptop that slept, a network that changed) leaves a response that never ends.
 * Only for a server that sends `: heartbeat` comments between events does silence mean that the connection is dead.
 */
import type { Clock } from '../shared/clock.ts';

/** As on a socket: more than two of the heartbeats our server sends. */
const LEAST_MS = 35_000;
/** A timer that is this late shows that the page was suspended. */
const LATE_MS = 1_000;

/**
 * Calls back after two heartbeats and a margin without data, at least 35 seconds. After the page was suspended,
 * data that arrived meanwhile is read first. Returns the function that ends the watch.
 *
 * @param before when something was received before the heartbeat, which tells how often they come
 * @param heardAt when something was received last
 */
export function watchSilence(
  clock: Clock,
  before: number,
  heardAt: () => number,
  onSilent: () => void,
): () => void {
  const limitMs = Math.max(LEAST_MS, (heardAt() - before) * 2.5);
  let stop = () => {};
  const wait = (from: number, stoodStill = false) => {
    const due = from + limitMs;
    stop = clock.after(due - clock.now(), () => {
      const now = clock.now();
      if (heardAt() > from) wait(heardAt());
      else if (now - due > LATE_MS && !stoodStill) wait(now, true);
      else onSilent();
    });
  };
  wait(heardAt());
  return () => stop();
}
