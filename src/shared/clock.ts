/**
 * Time as the engine sees it. Everything that waits takes a clock, so tests move time by hand
 * (`createManualClock` of `handrail/testing`) and never sleep.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `delayMs`; the returned function calls it off. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls back once before the next paint, or soon when nothing is painted; the returned function calls it off. */
  nextFrame(callback: () => void): () => void;
}

/** `setTimeout` keeps its delay in 32 bits; anything longer would fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
/** The duration of a frame if nothing paints (Node, a hidden page). */
const FRAME_MS = 16;
/** A page hidden while a frame is awaited never gets it, so a timer stands behind every frame. */
const LATE_FRAME_MS = 100;

/** The real clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const due = Date.now() + delayMs;
    let timer: ReturnType<typeof setTimeout>;
    const arm = () => {
      const left = Math.max(0, due - Date.now());
      timer = setTimeout(left > LONGEST_TIMEOUT_MS ? arm : callback, Math.min(left, LONGEST_TIMEOUT_MS));
    };
    arm();
    return () => clearTimeout(timer);
  },
  nextFrame(callback) {
    // Looked up now: a test environment may be torn down before the timer fires.
    const { requestAnimationFrame: request, cancelAnimationFrame: callOff, document } = globalThis;
    const isPainted = typeof request === 'function' && document?.visibilityState !== 'hidden';
    const cancel = () => {
      if (frame !== undefined) callOff(frame);
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
