/** One case in a process of its own: warm up, measure, check that nothing was lost, print one line of JSON. */
import { writeSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { expectedOf, type Workload, workloads } from '../workloads.ts';
import { createAgent } from './agent.ts';
import type { Candidate, Counts } from './candidate.ts';

export interface Measured {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly commits: number;
  readonly partRenders: number;
  readonly peakHeapMb: number;
  /** What the chats hold when they are done, garbage collected. */
  readonly heldHeapMb: number;
}

const WARM_UPS = 2;
/** Whoever takes this long is warm after once. */
const WARM_MS = 1_500;
const LOOK_EVERY_MS = 1_000;

export async function runCase(candidate: Candidate): Promise<void> {
  const [name = '', size = '0', limitMs = '0'] = process.argv.slice(2);
  const kind = workloads[name];
  if (kind === undefined) throw new Error(`There is no workload ${name}`);
  const workload = kind.create(Number(size));
  const reason = candidate.cannot?.(workload);
  if (reason !== undefined) return report({ fault: reason });
  const warmUpSize = Math.min(kind.warmUp ?? Math.min(...kind.full), Number(size));
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) {
    const { cpuMs } = await play(candidate, kind.create(warmUpSize), Number(limitMs));
    if (cpuMs > WARM_MS) break;
  }
  report(await play(candidate, workload, Number(limitMs)));
}

/** Ends the process at once, in the middle of whatever it does. */
function report(outcome: Measured | { readonly fault: string }): never {
  writeSync(1, `${JSON.stringify(outcome)}\n`);
  process.exit(0);
}

/** Bytes in use, garbage collected. */
function heldHeap(): number {
  globalThis.gc?.();
  return getHeapStatistics().used_heap_size;
}

async function play(candidate: Candidate, workload: Workload, limitMs: number): Promise<Measured> {
  const counts: Counts = { commits: 0, partRenders: 0 };
  let cpu = process.cpuUsage();
  const cpuMs = () => {
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / 1_000;
  };
  let lookedAt = performance.now();
  const createOne = createAgent(workload, candidate, () => {
    // Asking costs up to a millisecond, which must not be measured a hundred times.
    if (performance.now() - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = performance.now();
    if (cpuMs() > limitMs) report({ fault: `> ${limitMs / 1_000} s, stopped` });
  });
  const agents = Array.from({ length: workload.conversations ?? 1 }, createOne);
  const runTool = async () => {
    if (workload.toolMs !== undefined) await new Promise((resolve) => setTimeout(resolve, workload.toolMs));
    return { ok: true };
  };
  const history = Array.from({ length: workload.history?.count ?? 0 }, (_, index) => ({
    id: `old-${index}`,
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text: 'x'.repeat(workload.history?.length ?? 0),
  }));
  const chats = await Promise.all(
    agents.map(({ fetch, connect }) =>
      candidate.open({ workload, fetch, connect, runTool, history, counts }),
    ),
  );
  counts.commits = counts.partRenders = 0;
  const heldBefore = heldHeap();

  const wall = performance.now();
  cpu = process.cpuUsage();
  for (let turn = 0; turn < (workload.turns ?? 1); turn++)
    await Promise.all(chats.map((chat) => chat.send()));
  const spentMs = cpuMs();
  const wallMs = performance.now() - wall;

  const expected = expectedOf(workload);
  for (const chat of chats) {
    const received = chat.received();
    if (received.text !== expected.text || received.tools !== expected.tools)
      throw new Error(`Expected ${JSON.stringify(expected)}, received ${JSON.stringify(received)}`);
  }
  const peakHeapMb =
    Math.max(...agents.map((agent) => agent.peakHeap()), getHeapStatistics().used_heap_size) / 2 ** 20;
  const heldHeapMb = (heldHeap() - heldBefore) / 2 ** 20;
  for (const chat of chats) chat.close();
  return { cpuMs: spentMs, wallMs, ...counts, peakHeapMb, heldHeapMb };
}
