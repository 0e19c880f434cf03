/**
 * The source of time. Everything that waits takes a clock, so tests move time by hand (`createManualClock` of `handrail/testing`)
 * and never sleep.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `delayMs`. The returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls back once before the next paint, or soon if nothing is painted. The returned function cancels it. */
  nextFrame(callback: () => void): () => void;
}

/** `setTimeout` stores its delay in 32 bits, and fires at once for a longer one. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** The length of a frame where nothing is painted (Node, a hidden page). */
const FRAME_MS = 16;
/** A page that is hidden while it awaits a frame never gets the frame, so a timer stands in for it. */
const LATE_FRAME_MS = 100;

/** The real clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const due = Date.now() + delayMs;
    let timer: ReturnType<typeof setTimeout>;
    const arm = () => {
      const left = Math.max(0, due - Date.now());
      timer = setTimeout(left > MAX_TIMEOUT_MS ? arm : callback, Math.min(left, MAX_TIMEOUT_MS));
    };
    arm();
    return () => clearTimeout(timer);
  },
  nextFrame(callback) {
    // A test environment may be torn down before the timer fires, and `cancelAnimationFrame` with it.
    const { requestAnimationFrame: request, cancelAnimationFrame: cancelFrame, document } = globalThis;
    const isPainted = typeof request === 'function' && document?.visibilityState !== 'hidden';
    const cancel = () => {
      if (frame !== undefined) cancelFrame(frame);
      clearTimeout(timer);
    };
    const run = () => {
      cancel();
      callback();
    };
    const frame = isPainted ? request(run) : undefined;
    const timer = setTimeout(run, isPainted ? LATE_FRAME_MS : FRAME_MS);
    return cancel;
  },
};
