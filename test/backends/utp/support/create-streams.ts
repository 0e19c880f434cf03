import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

/** Creates the streams of CommonGround where they are missing. */
export async function createStreams(nats: NatsConnection): Promise<void> {
  const { streams } = await jetstreamManager(nats);
  await streams.add({ name: 'cg_cmd_v1r4', subjects: ['cg.v1r4.*.*.cmd.*.*.>'] });
  await streams.add({ name: 'cg_evt_v1r4', subjects: ['cg.v1r4.*.*.evt.*.*.>'] });
}
