/** A server in the same process: bodies whose chunks arrive one by one, each in a task of its own, as from a network. */
import { getHeapStatistics } from 'node:v8';
import type { Workload } from '../workloads.ts';
import type { Candidate } from './candidate.ts';

export interface Agent {
  readonly fetch: () => Promise<Response>;
  /** Most bytes of heap seen while streaming. */
  peakHeap(): number;
}

const SAMPLE_EVERY = 2_000;

/** The encoding happens here, before anything is measured. */
export function createAgent(workload: Workload, wire: Candidate['wire']): () => Agent {
  const turns = Array.from({ length: workload.turns ?? 1 }, (_, turn) =>
    workload.legs.map((leg, index) =>
      toChunks(wire(leg, turn * workload.legs.length + index, turn), workload.eventsPerChunk),
    ),
  );
  const responses = turns.flat();
  return () => {
    let next = 0;
    let peak = 0;
    return {
      async fetch() {
        const chunks = responses[next++];
        if (chunks === undefined) throw new Error('More requests than the workload has responses');
        const body = toBody(chunks, () => {
          peak = Math.max(peak, getHeapStatistics().used_heap_size);
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      },
      peakHeap: () => peak,
    };
  };
}

function toChunks(datas: readonly string[], perChunk: number): Uint8Array[] {
  const encoder = new TextEncoder();
  const events = datas.map((data) => `data: ${data}\n\n`);
  const chunks: Uint8Array[] = [];
  for (let from = 0; from < events.length; from += perChunk)
    chunks.push(encoder.encode(events.slice(from, from + perChunk).join('')));
  return chunks;
}

function toBody(chunks: readonly Uint8Array[], sample: () => void): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream<Uint8Array>({
    pull: (controller) =>
      new Promise((resolve) => {
        setImmediate(() => {
          const chunk = chunks[next++];
          if (next % SAMPLE_EVERY === 0) sample();
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
          resolve();
        });
      }),
  });
}
