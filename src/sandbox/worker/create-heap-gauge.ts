import type { Engine } from './create-engine.ts';

/** Measuring may take this share of the running time, because each measurement visits the whole heap. */
const MAX_TIME_SHARE = 1 / 20;

export interface HeapGauge {
  /** Measures if the last measurement is long enough ago. */
  sample(): void;
  /** Measures once more, and returns the largest heap in bytes. */
  largest(): number;
}

export function createHeapGauge({ runtime, context }: Engine): HeapGauge {
  let peak = 0;
  let next = 0;

  return {
    sample() {
      const start = performance.now();
      if (start < next) return;
      measure();
      const end = performance.now();
      next = end + (end - start) / MAX_TIME_SHARE;
    },
    largest() {
      measure();
      return peak;
    },
  };

  function measure(): void {
    try {
      const usage = runtime.computeMemoryUsage();
      const bytes = context.getProp(usage, 'memory_used_size');
      peak = Math.max(peak, context.getNumber(bytes));
      bytes.dispose();
      usage.dispose();
    } catch {
      // A broken or full engine cannot measure its heap. The earlier peak stays.
    }
  }
}
