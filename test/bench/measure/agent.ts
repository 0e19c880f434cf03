/** A server in the same process: what it sends arrives piece by piece, each in a task of its own, as from a network. */
import { getHeapStatistics } from 'node:v8';
import type { Workload } from '../workloads.ts';
import type { Candidate, Socket } from './candidate.ts';

export interface Agent {
  readonly fetch: () => Promise<Response>;
  readonly connect: () => Socket;
  /** Most bytes of heap seen while streaming. */
  peakHeap(): number;
}

const SAMPLE_EVERY = 100;

/** The encoding happens here, before anything is measured. */
export function createAgent(
  workload: Workload,
  { wire, isBare }: Candidate,
  onSample: () => void,
): () => Agent {
  const datas = Array.from({ length: workload.turns ?? 1 }, (_, turn) =>
    workload.legs.map((leg, index) => wire(leg, turn * workload.legs.length + index, turn)),
  ).flat();
  const toChunk = isBare?.(workload) ? (data: string) => data : (data: string) => `data: ${data}\n\n`;
  const responses = workload.socket
    ? datas.map((events) => events.filter((data) => data !== '[DONE]'))
    : datas.map((events) => toChunks(events.map(toChunk), workload.eventsPerChunk));
  return () => {
    let next = 0;
    let sent = 0;
    let peak = 0;
    const nextResponse = () => {
      const response = responses[next++];
      if (response === undefined) throw new Error('More requests than the workload has responses');
      return response;
    };
    const sample = () => {
      if (sent++ % SAMPLE_EVERY !== 0) return;
      peak = Math.max(peak, getHeapStatistics().used_heap_size);
      onSample();
    };
    return {
      fetch: async () =>
        new Response(toBody(nextResponse() as Uint8Array[], sample), {
          headers: { 'content-type': 'text/event-stream' },
        }),
      connect: () => createSocket(() => nextResponse() as string[], sample),
      peakHeap: () => peak,
    };
  };
}

function toChunks(events: readonly string[], perChunk: number): Uint8Array[] {
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [];
  for (let from = 0; from < events.length; from += perChunk)
    chunks.push(encoder.encode(events.slice(from, from + perChunk).join('')));
  return chunks;
}

function toBody(chunks: readonly Uint8Array[], sample: () => void): ReadableStream<Uint8Array> {
  let next = 0;
  let cancelled = false;
  return new ReadableStream<Uint8Array>({
    pull: (controller) =>
      new Promise((resolve) => {
        setImmediate(() => {
          sample();
          const chunk = chunks[next++];
          if (cancelled) return resolve();
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
          resolve();
        });
      }),
    cancel() {
      cancelled = true;
    },
  });
}

/** An open socket: each frame it is sent is a request, and gets the next response. */
function createSocket(nextResponse: () => readonly string[], sample: () => void): Socket {
  let frames: readonly string[] = [];
  let next = 0;
  const sendOne = () => {
    sample();
    const data = frames[next++];
    if (next < frames.length) setImmediate(sendOne);
    socket.onmessage?.({ data });
  };
  const socket: Socket = {
    readyState: 1,
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
    send() {
      if (next === frames.length) setImmediate(sendOne);
      frames = [...frames.slice(next), ...nextResponse()];
      next = 0;
    },
    close() {},
  };
  return socket;
}
