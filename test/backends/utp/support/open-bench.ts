import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { vi } from 'vitest';
import {
  createUtpToolService,
  type UtpToolService,
} from '../../../../src/backends/utp/create-utp-tool-service.ts';
import type { UtpToolServiceOptions } from '../../../../src/backends/utp/service-options.ts';
import type { UtpFailure } from '../../../../src/backends/utp/step-failure.ts';
import { createManualClock, type ManualClock } from '../../../../src/testing/manual-clock.ts';
import { AgentWorker } from './agent-worker.ts';
import { createStreams } from './create-streams.ts';
import { createMemoryCards, type MemoryCards } from './memory-cards.ts';
import { createMemoryL0, type MemoryL0 } from './memory-l0.ts';
import { type Incident, type ServiceProcess, startProcess } from './service-process.ts';

/** A failure that a service reported. */
export interface NotedFailure extends UtpFailure {
  readonly message: string;
}

export interface StartedService {
  readonly service: UtpToolService;
  readonly process: ServiceProcess;
  readonly failures: NotedFailure[];
}

/** One agent of CommonGround and a tool service, over a real NATS server. Each bench has a project and a target of its own. */
export interface Bench {
  readonly target: string;
  readonly projectId: string;
  readonly clock: ManualClock;
  readonly cards: MemoryCards;
  readonly l0: MemoryL0;
  readonly worker: AgentWorker;
  readonly nats: NatsConnection;
  /** Starts another process of the service. */
  start(options?: Partial<UtpToolServiceOptions>, incident?: Incident): Promise<StartedService>;
  /** Waits until the check passes. Time stays. */
  until<Value>(check: () => Value): Promise<Value>;
  /** Waits until the check passes, and moves the clock on by a second at a time meanwhile. */
  advanceUntil<Value>(check: () => Value): Promise<Value>;
  /** Rejects if JetStream expects an acknowledgement. */
  expectAcknowledged(): Promise<void>;
  /** Waits until JetStream expects no acknowledgement any more, as the service has dealt with every command. */
  untilAcknowledged(): Promise<void>;
  end(): Promise<void>;
}

/** For hangs only. */
const LIMIT_MS = 30_000;

let benches = 0;

export async function openBench(
  url: string,
  fields: { readonly workerTarget?: string } = {},
): Promise<Bench> {
  benches += 1;
  const target = `tools${benches}`;
  const projectId = `project${benches}`;
  const nats = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
  await createStreams(nats);
  const clock = createManualClock();
  const cards = createMemoryCards();
  const l0 = createMemoryL0(cards);
  const { workerTarget = `worker${benches}` } = fields;
  const worker = new AgentWorker({
    ...{ nats, cards, l0, clock, projectId, workerTarget, target },
    ...{ channelId: 'public', agentId: `agent${benches}` },
  });
  const started: StartedService[] = [];
  const expectAcknowledged = async () => {
    const { consumers } = await jetstreamManager(nats);
    const info = await consumers.info('cg_cmd_v1r4', `utp_${target}`);
    if (info.num_ack_pending + info.num_pending > 0) throw new Error('commands are open');
  };
  return {
    ...{ target, projectId, clock, cards, l0, worker, nats },
    async start(options = {}, incident) {
      const process = await startProcess(url, { cards, l0 }, incident);
      const failures: NotedFailure[] = [];
      const onError = (thrown: unknown, failure: UtpFailure) => {
        failures.push({ ...failure, message: (thrown as Error).message });
      };
      const { nats: own, cards: ownCards, l0: ownL0 } = process;
      const service = createUtpToolService({
        ...{ nats: own, cards: ownCards, l0: ownL0, target, tools: {}, clock, onError },
        ...options,
      });
      await service.start();
      const entry = { service, process, failures };
      started.push(entry);
      return entry;
    },
    until: (check) => vi.waitFor(check, { timeout: LIMIT_MS, interval: 10 }),
    advanceUntil: (check) =>
      vi.waitFor(
        async () => {
          await clock.advance(1_000);
          return check();
        },
        { timeout: LIMIT_MS, interval: 10 },
      ),
    expectAcknowledged,
    untilAcknowledged: () => vi.waitFor(expectAcknowledged, { timeout: LIMIT_MS, interval: 10 }),
    async end() {
      for (const { service, process } of started) {
        if (!process.nats.isClosed()) await service.stop();
        await process.end();
      }
      await nats.close();
    },
  };
}
