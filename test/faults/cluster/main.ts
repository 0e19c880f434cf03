/** Plays every fault at every event of a conversation on a cluster of three processes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findRedisServer } from '../../../.scripts/find-servers.mjs';
import { bundleNode } from './bundle-node.ts';
import { type Cluster, type ClusterFault, openCluster } from './open-cluster.ts';
import { type ClusterPlay, playOnCluster } from './play-on-cluster.ts';

const FAULTS: readonly ClusterFault[] = ['kill', 'suspend', 'restart-redis'];

/** Each has a cluster of its own. A process mostly waits for a lease to end. */
const WORKERS = 3;

const NAME = 'cluster of three processes with Redis';

/**
 * Returns true if nothing was lost, doubled, stuck or paid twice. `HANDRAIL_RUNS=3` plays each fault three times.
 */
export async function playClusterFaults(print: (line: string) => void, only: string): Promise<boolean> {
  if (!NAME.includes(only)) return true;
  if (findRedisServer() === undefined) {
    print(`${NAME}: not played, because there is no redis-server (Debian: "apt-get install redis-server")`);
    return true;
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'handrail-cluster-'));
  const program = await bundleNode(folder);
  const clusters = await Promise.all(Array.from({ length: WORKERS }, () => openCluster(program)));
  try {
    return await playAll(clusters, print);
  } finally {
    await Promise.all(clusters.map((cluster) => cluster.close()));
    await rm(folder, { recursive: true });
  }
}

async function playAll(clusters: readonly Cluster[], print: (line: string) => void): Promise<boolean> {
  const [first] = clusters;
  if (first === undefined) return false;
  const undisturbed = await playOnCluster(first, { fault: 'none', at: -1 });
  print(`${NAME}: ${undisturbed.events} events undisturbed ${undisturbed.account.details.join('; ')}`);
  const places = Array.from({ length: undisturbed.events }, (_, at) => at);
  const runs = Number(process.env.HANDRAIL_RUNS ?? 1);
  let wrong = undisturbed.account.details.length;
  for (const fault of FAULTS) {
    const plays = Array.from({ length: runs }, () => places.map((at): ClusterPlay => ({ fault, at }))).flat();
    wrong += await playFault(clusters, fault, plays, print);
  }
  return wrong === 0;
}

async function playFault(
  clusters: readonly Cluster[],
  fault: ClusterFault,
  plays: readonly ClusterPlay[],
  print: (line: string) => void,
): Promise<number> {
  const total = { lost: 0, doubled: 0, stuck: 0 };
  const next = plays.values();
  const work = async (cluster: Cluster) => {
    for (const play of next) {
      const { account } = await playOnCluster(cluster, play);
      for (const key of ['lost', 'doubled', 'stuck'] as const) total[key] += account[key];
      for (const detail of account.details) print(`  ${NAME}, ${fault} at event ${play.at}: ${detail}`);
    }
  };
  await Promise.all(clusters.map(work));
  const { lost, doubled, stuck } = total;
  print(`${NAME}, ${fault}: ${plays.length} faults: ${lost} lost, ${doubled} doubled, ${stuck} stuck`);
  return lost + doubled + stuck;
}
