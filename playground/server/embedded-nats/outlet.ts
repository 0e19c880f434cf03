import { createStatusMessage, type NatsMessage } from './nats-message.ts';

/** An outlet takes the messages that a consumer delivers. */
export interface Outlet {
  /** Returns the subject that gets the next message, or undefined if no client waits for one. */
  findAddress(): string | undefined;
  /** Called when the consumer sends a message to the address. */
  onDelivered(now: number): void;
  /** Sends signs of life, and ends what has run out of time. */
  tick(now: number, position: Position): void;
  /** Returns false if no client uses the consumer. */
  isInUse(): boolean;
  close(): void;
}

/** The numbers of the last delivery, by their names on the wire. */
export interface Position {
  readonly consumer_seq: number;
  readonly stream_seq: number;
}

/** Creates the sign of life that a client expects while there is no message for it. */
export function createHeartbeat(address: string, { consumer_seq, stream_seq }: Position): NatsMessage {
  const fields = { 'Nats-Last-Consumer': consumer_seq, 'Nats-Last-Stream': stream_seq };
  return createStatusMessage(address, '100 Idle Heartbeat', fields);
}
