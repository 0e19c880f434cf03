import type { Position } from './consumer.ts';
import { createStatusMessage, type NatsMessage } from './nats-message.ts';

/** Creates the sign of life that a client expects while there is no message for it. */
export function createHeartbeat(address: string, { consumer_seq, stream_seq }: Position): NatsMessage {
  const fields = { 'Nats-Last-Consumer': consumer_seq, 'Nats-Last-Stream': stream_seq };
  return createStatusMessage(address, '100 Idle Heartbeat', fields);
}
