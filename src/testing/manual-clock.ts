import type { Clock } from '../shared/clock.ts';

/** A clock whose time moves only by `advance`. */
export interface ManualClock extends Clock {
  /**
   * Moves time on by `ms`. Runs the timers and frames that fall due, in order, and promise callbacks in between.
   */
  advance(ms: number): Promise<void>;
  /** Runs the callbacks that wait for the next frame. Time stays. */
  frame(): void;
  /** The number of timers and frames that wait. Zero when everything was cleaned up. */
  readonly waiting: number;
}

/** Turns of the microtask queue between two timers: more than any chain of promises here needs. */
const MICROTASK_TURNS = 50;

/** Makes a {@link ManualClock} that starts at `startAt`, milliseconds since the epoch (default 2026-01-01T00:00:00Z). */
export function createManualClock(startAt: number = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startAt;
  const timers = new Set<{ readonly due: number; readonly run: () => void }>();
  const frames = new Set<() => void>();

  const runFrames = () => {
    const due = [...frames];
    frames.clear();
    for (const frame of due) frame();
  };

  const settle = async () => {
    for (let turn = 0; turn < MICROTASK_TURNS; turn += 1) await Promise.resolve();
  };

  return {
    now: () => now,
    after(delayMs, callback) {
      const timer = { due: now + Math.max(0, delayMs), run: callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    nextFrame(callback) {
      const frame = () => callback();
      frames.add(frame);
      return () => frames.delete(frame);
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        runFrames();
        const [next] = [...timers]
          .filter((timer) => timer.due <= end)
          .sort((left, right) => left.due - right.due);
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.due);
        next.run();
        await settle();
      }
      now = end;
      runFrames();
      await settle();
    },
    frame: runFrames,
    get waiting() {
      return timers.size + frames.size;
    },
  };
}
