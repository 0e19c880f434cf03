/** One case in a process of its own: warm up, measure, check that nothing was lost, print one line of JSON. */
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
}

const WARM_UPS = 2;

export async function runCase(candidate: Candidate): Promise<void> {
  const [name = '', size = '0'] = process.argv.slice(2);
  const kind = workloads[name];
  if (kind === undefined) throw new Error(`There is no workload ${name}`);
  const smallest = Math.min(...kind.full);
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) {
    await play(candidate, withFewTurns(kind.create(Math.min(smallest, Number(size)))));
  }
  globalThis.gc?.();
  const measured = await play(candidate, kind.create(Number(size)));
  process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit(0));
}

function withFewTurns(workload: Workload): Workload {
  return workload.turns === undefined ? workload : { ...workload, turns: 20 };
}

async function play(candidate: Candidate, workload: Workload): Promise<Measured> {
  const counts: Counts = { commits: 0, partRenders: 0 };
  const createOne = createAgent(workload, candidate.wire);
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
    agents.map((agent) => candidate.open({ workload, fetch: agent.fetch, runTool, history, counts })),
  );
  counts.commits = counts.partRenders = 0;

  const wall = performance.now();
  const cpu = process.cpuUsage();
  for (let turn = 0; turn < (workload.turns ?? 1); turn++)
    await Promise.all(chats.map((chat) => chat.send()));
  const { user, system } = process.cpuUsage(cpu);
  const wallMs = performance.now() - wall;

  const expected = expectedOf(workload);
  for (const chat of chats) {
    const received = chat.received();
    if (received.text !== expected.text || received.tools !== expected.tools)
      throw new Error(`Expected ${JSON.stringify(expected)}, received ${JSON.stringify(received)}`);
  }
  const peakHeapMb =
    Math.max(...agents.map((agent) => agent.peakHeap()), getHeapStatistics().used_heap_size) / 2 ** 20;
  for (const chat of chats) chat.close();
  return { cpuMs: (user + system) / 1000, wallMs, ...counts, peakHeapMb };
}
