/**
 * The wakeup that follows an accepted report (CommonGround v1r4, `L0Engine.publish_wakeup_signals`). It is a doorbell: the result is in
 * the agent's inbox already, and a second ring does no harm.
 */
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import type { CallIdentity } from './call.ts';
import { createWakeupHeaders, toNatsHeaders } from './headers.ts';
import { formatSubject } from './subject.ts';
import { createChildSpan } from './traceparent.ts';

export interface Wakeup {
  readonly identity: CallIdentity;
  /** From the answer of L0: the worker of an agent may change while a call waits. */
  readonly workerTarget: string;
  readonly traceparent: string;
  readonly sender: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Publishes the wakeup. Resolves when the stream has it. */
export async function wakeWorker(nats: NatsConnection, wakeup: Wakeup): Promise<void> {
  const { identity, workerTarget, sender, now } = wakeup;
  const { projectId, channelId } = identity;
  const subject = formatSubject({
    projectId,
    channelId,
    category: 'cmd',
    component: 'agent',
    target: workerTarget,
    suffix: 'wakeup',
  });
  const traceparent = createChildSpan(wakeup.traceparent);
  const headers = toNatsHeaders(createWakeupHeaders(identity, { traceparent, sender, now }));
  await jetstream(nats).publish(subject, '{}', { headers });
}
