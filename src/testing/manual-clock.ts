import type { Clock } from '../shared/clock.ts';

/** A clock that a test moves. */
export interface ManualClock extends Clock {
  /**
   * Moves time on by `ms`, and runs due timers and frames in order, with promise callbacks in between.
   */
  advance(ms: number): Promise<void>;
  /** Runs the callbacks of the next frame, without moving time. */
  frame(): void;
  /** How many timers and frames are waiting: zero when everything was cleaned up. */
  readonly waiting: number;
}

/** Callbacks of promises take turns; this many is plenty for any chain between two timers. */
const MICROTASK_TURNS = 50;

/** A {@link ManualClock} that starts at `startAt`, milliseconds since the epoch (default 2026-01-01T00:00:00Z). */
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
