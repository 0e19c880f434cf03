import type { Engine } from './create-engine.ts';

/** Share of the running time that measuring may take: the engine walks its whole heap for it. */
const SHARE = 1 / 20;

export interface HeapGauge {
  /** Measures when it is time to. */
  sample(): void;
  /** Bytes. Measures once more. */
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
      next = end + (end - start) / SHARE;
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
      // An engine that broke cannot tell, nor one that has no room for the answer.
    }
  }
}
