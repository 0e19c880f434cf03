/** One run of a tool service, from its start to its stop. */
import { Kvm } from '@nats-io/kv';
import { reportFailure } from '../../server/report-failure.ts';
import { systemClock } from '../../shared/clock.ts';
import { createId } from '../../shared/ids.ts';
import { CLAIM_BUCKET, CLAIM_TTL_MS, createClaims } from './claim.ts';
import { consumeCommands } from './consume-commands.ts';
import { createExecutor, type ExecutorSettings } from './create-executor.ts';
import { handleMessage, type MessageSettings } from './handle-message.ts';
import { toNamePart } from './names.ts';
import { OpenCalls } from './open-calls.ts';
import { createKvPendingCalls, PENDING_BUCKET } from './pending-calls.ts';
import type { UtpToolServiceOptions } from './service-options.ts';
import { wakeWorker } from './wake-worker.ts';

export interface ServiceRun {
  readonly openCalls: OpenCalls;
  stop(): Promise<void>;
}

/**
 * Opens the buckets, or makes them with one replica where they are missing, reads the open calls, and then takes commands.
 *
 * @throws Error if NATS cannot be reached or lacks the stream of commands.
 */
export async function startServiceRun(
  options: UtpToolServiceOptions,
  notify: () => void,
): Promise<ServiceRun> {
  const { nats, target, projects } = options;
  const stopping = new AbortController();
  const settings = await openSettings(options, stopping.signal);
  const openCalls = new OpenCalls(settings, notify);
  const handling = new Set<Promise<void>>();
  const messages: MessageSettings = {
    ...settings,
    execute: createExecutor(settings),
  };
  const sources: (() => Promise<void>)[] = [];
  const stop = async () => {
    await Promise.all(sources.map((close) => close()));
    stopping.abort();
    await Promise.all(handling);
  };
  try {
    await openCalls.start();
    for (const project of projects ?? ['*']) {
      const source = {
        target,
        project,
        onFailure: settings.onFailure,
        onMessage: (message: Parameters<typeof handleMessage>[1]) => {
          const handled = handleMessage(messages, message);
          handling.add(handled);
          void handled.finally(() => handling.delete(handled));
        },
      };
      sources.push(await consumeCommands(nats, source));
    }
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return { openCalls, stop };
}

async function openSettings(options: UtpToolServiceOptions, signal: AbortSignal): Promise<ExecutorSettings> {
  const { nats, cards, l0, target, projects, tools, onError, clock = systemClock } = options;
  const buckets = new Kvm(nats);
  return {
    // The prefix lets L0 take reports of an actor that is in no roster.
    actor: `tool.${target}`,
    ...{ target, projects, cards, l0, tools, clock, signal },
    claims: createClaims(await buckets.create(CLAIM_BUCKET, { ttl: CLAIM_TTL_MS }), clock),
    pending:
      options.pending ??
      createKvPendingCalls(await buckets.create(PENDING_BUCKET), await toNamePart(target), nats),
    wake: (wakeup) => wakeWorker(nats, wakeup),
    createId: options.createId ?? createId,
    onFailure: (thrown, failure) => reportFailure(onError, thrown, failure),
  };
}
