import type { Engine } from './create-engine.ts';

/** Share of the running time that measuring may take: the engine walks its whole heap for it. */
const SHARE = 1 / 20;

export interface HeapGauge {
  /** Measures when it is time to. */
  sample(): void;
  /** Bytes. Measures once more. */
  largest(): number;
}

export function createHeapGauge({ runtime, context, isOutOfMemory }: Engine, limit: number): HeapGauge {
  let peak = 0;
  let next = 0;

  return {
    sample() {
      const start = performance.now();
      if (start < next) return;
      measure();
      const end = performance.now();
      next = end + (end - start) / SHARE;
    },
    largest() {
      measure();
      return peak;
    },
  };

  function measure(): void {
    if (isOutOfMemory()) {
      // Not even for the answer itself is there room.
      peak = Math.max(peak, limit);
      return;
    }
    try {
      const usage = runtime.computeMemoryUsage();
      const bytes = context.getProp(usage, 'memory_used_size');
      peak = Math.max(peak, context.getNumber(bytes));
      bytes.dispose();
      usage.dispose();
    } catch {
      peak = Math.max(peak, limit);
    }
  }
}
