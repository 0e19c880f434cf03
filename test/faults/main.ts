/**
 * `npm run test:faults [part of a backend's name] [number of mixes]` plays every fault at every event of a conversation on every backend,
 * mixes of faults, and then random conversations. It prints a line for each. `npm run test:faults AG-UI 2000` plays two thousand mixes over
 * AG-UI. `HANDRAIL_SEED=$RANDOM npm run test:faults random` plays other random conversations.
 */
import { agUiBackend } from '../integration/ag-ui-backend.ts';
import { aiSdkBackend } from '../integration/ai-sdk-backend.ts';
import type { BackendKind } from '../integration/backend.ts';
import { mantyxBackend } from '../integration/mantyx-backend.ts';
import { octavusBackend } from '../integration/octavus-backend.ts';
import { ownBackend } from '../integration/own-backend.ts';
import { standardAgentsBackend } from '../integration/standard-agents-backend.ts';
import { utpBackend } from '../integration/utp-backend.ts';
import { startNatsServer } from '../support/nats-server.ts';
import { playClusterFaults } from './cluster/main.ts';
import type { FaultyCarrier } from './faulty-carrier.ts';
import { FAULTS, type FaultName, isOfRequests, isOfSockets } from './plan-fault.ts';
import { play } from './play.ts';
import { playAtRandom } from './play-at-random.ts';
import { sampleConversations } from './random-conversation.ts';

const WORKERS = 8;
const RANDOM_CONVERSATIONS = 150;
const DEFAULT_MIXES = 400;
const CARRIERS: readonly FaultyCarrier[] = [
  ...(['http', 'ws', 'fallback', 'mantyx', 'ai-sdk', 'ai-sdk-socket', 'ag-ui', 'standard-agents'] as const),
];

/** Returns true if no answer was lost or doubled, and no conversation was stuck or got an answer of another turn. */
export async function main(
  print: (line: string) => void,
  only = '',
  mixes = DEFAULT_MIXES,
): Promise<boolean> {
  const total = { faults: 0, lost: 0, doubled: 0, stuck: 0, wrongTurn: 0 };
  const nats = await startNatsServer();
  for (const carrier of CARRIERS) {
    for (const kind of kindsOver(carrier, nats.url)) {
      if (!kind.name.includes(only)) continue;
      const undisturbed = await play({ kind, carrier, fault: 'none', at: -1 });
      print(
        `${kind.name}: ${undisturbed.events} events undisturbed ${undisturbed.account.details.join('; ')}`,
      );
      for (const fault of FAULTS) {
        // The server of a platform, or of another package, cannot be restarted here.
        if (fault.startsWith('restart') && !kind.name.startsWith('handrail/')) continue;
        // A run of Mantyx has one response, which lasts as long as the run: nothing in it is complete before.
        if (fault === 'swallow-response' && carrier === 'mantyx') continue;
        if (isOfSockets(fault) && !(kind.numbersEvents && kind.name.includes('ws'))) continue;
        // A login is checked with a request. A socket keeps the login with which it was opened.
        if (fault === 'second-login' && ['ws', 'fallback', 'ai-sdk-socket'].includes(carrier)) continue;
        const row = await playAll(kind, carrier, fault, placesOf(fault, undisturbed, mixes), print);
        for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += row[key];
        print(`${kind.name}, ${fault}: ${describe(row)}`);
      }
    }
  }
  await nats.stop();
  print(describe(total));
  const isRight = await playRandomConversations(print, only);
  const isRightOnCluster = await playClusterFaults(print, only);
  return isRight && isRightOnCluster && total.lost + total.doubled + total.stuck + total.wrongTurn === 0;
}

/**
 * Plays random conversations on `handrail/server`, the only backend that records an answer whoever ended the run. Over one transport at a
 * time, so that requests cannot overtake each other.
 */
async function playRandomConversations(print: (line: string) => void, only: string): Promise<boolean> {
  const seed = Number(process.env.HANDRAIL_SEED ?? 1);
  let wrong = 0;
  for (const carrier of ['http', 'ws'] as const) {
    const kind = { ...ownBackend(carrier), name: `random conversations over ${carrier}` };
    if (!kind.name.includes(only)) continue;
    const conversations = sampleConversations(RANDOM_CONVERSATIONS, seed).entries();
    let count = 0;
    const work = async () => {
      for (const [index, conversation] of conversations) {
        const lines = await playAtRandom(kind, carrier, conversation);
        for (const line of lines) print(`  ${kind.name}, number ${index} of seed ${seed}: ${line}`);
        count += lines.length;
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    print(
      `${kind.name}: ${RANDOM_CONVERSATIONS} played, ${count} answers lost, doubled or shown otherwise than the agent got them`,
    );
    wrong += count;
  }
  return wrong === 0;
}

/** Returns the backends of a carrier. The backend of `fallback` serves HTTP and the socket. */
function kindsOver(carrier: FaultyCarrier, natsUrl: string): readonly BackendKind[] {
  if (carrier === 'mantyx') return [mantyxBackend()];
  if (carrier === 'ai-sdk') return [aiSdkBackend(), aiSdkBackend('ended')];
  if (carrier === 'ai-sdk-socket') return [{ ...aiSdkBackend('ended'), name: 'AI SDK over a socket' }];
  if (carrier === 'standard-agents') return [standardAgentsBackend()];
  if (carrier === 'ag-ui') return [agUiBackend(), agUiBackend(true)];
  if (carrier === 'http') return [ownBackend(carrier), octavusBackend(carrier), utpBackend(natsUrl)];
  if (carrier === 'ws') return [ownBackend(carrier), octavusBackend(carrier)];
  return [{ ...ownBackend('ws'), name: 'handrail/server over ws, else http' }];
}

/** Returns the places at which a fault is played: every event, or every request, of the conversation without faults. */
function placesOf(
  fault: FaultName,
  { events, requests }: { readonly events: number; readonly requests: number },
  mixes: number,
) {
  const length = fault === 'mix' ? mixes : isOfRequests(fault) ? requests : events;
  return Array.from({ length }, (_, at) => at);
}

async function playAll(
  kind: BackendKind,
  carrier: FaultyCarrier,
  fault: FaultName,
  places: readonly number[],
  print: (line: string) => void,
) {
  const row = { faults: 0, lost: 0, doubled: 0, stuck: 0, wrongTurn: 0 };
  const next = places.values();
  const work = async () => {
    for (const at of next) {
      const { account } = await play({ kind, carrier, fault, at });
      row.faults += 1;
      row.lost += account.lost;
      row.doubled += account.doubled;
      row.stuck += account.stuck;
      row.wrongTurn += account.wrongTurn;
      for (const detail of account.details) print(`  ${kind.name}, ${fault} at event ${at}: ${detail}`);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return row;
}

function describe({ faults, lost, doubled, stuck, wrongTurn }: Awaited<ReturnType<typeof playAll>>): string {
  return `${faults} faults: ${lost} lost, ${doubled} doubled, ${stuck} stuck, ${wrongTurn} wrong turn`;
}
