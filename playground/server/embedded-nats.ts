/** The NATS server of the playground. */
import { startNatsServer } from '../../test/support/nats-server.ts';

/** Starts a server with JetStream. `url` is its address for `connect` of `@nats-io/transport-node`. */
export async function startEmbeddedNats(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  return startNatsServer();
}
