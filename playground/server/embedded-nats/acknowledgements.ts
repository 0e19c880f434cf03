/** The messages that a consumer delivered and that were not acknowledged: when they are due again, and how often they were delivered. */
import type { ConsumerConfig } from './consumer-config.ts';
import { toMilliseconds } from './nanoseconds.ts';
import type { Position } from './outlet.ts';

interface Unacknowledged {
  readonly consumerSequence: number;
  readonly deliveries: number;
  /** Milliseconds since the epoch. */
  due: number;
}

export class Acknowledgements {
  readonly #config: ConsumerConfig;
  /** By the number in the stream. */
  readonly #open = new Map<number, Unacknowledged>();

  constructor(config: ConsumerConfig) {
    this.#config = config;
  }

  get size(): number {
    return this.#open.size;
  }

  /** True if the consumer must wait for an acknowledgement before it delivers another message. */
  get isFull(): boolean {
    return this.#open.size >= this.#config.max_ack_pending;
  }

  /** Notes a delivery. Returns how often the message was delivered. */
  note(sequence: number, consumerSequence: number, now: number): number {
    const deliveries = (this.#open.get(sequence)?.deliveries ?? 0) + 1;
    if (this.#config.ack_policy === 'explicit') {
      const due = now + toMilliseconds(this.#config.ack_wait);
      this.#open.set(sequence, { consumerSequence, deliveries, due });
    }
    return deliveries;
  }

  /** Takes what a client sent about a message: `+ACK`, `-NAK` with a delay or without, `+WPI` or `+TERM`. */
  take(sequence: number, text: string, now: number): void {
    const message = this.#open.get(sequence);
    if (message === undefined) return;
    if (text === '+WPI') message.due = now + toMilliseconds(this.#config.ack_wait);
    else if (text.startsWith('-NAK')) message.due = now + readDelay(text);
    else this.#open.delete(sequence);
  }

  /** Lists the messages that are to be delivered again, in the order of the stream. */
  listDue(now: number): number[] {
    const { max_deliver } = this.#config;
    return [...this.#open]
      .filter(([, { due, deliveries }]) => due <= now && (max_deliver < 1 || deliveries < max_deliver))
      .map(([sequence]) => sequence)
      .sort((one, other) => one - other);
  }

  remove(sequence: number): void {
    this.#open.delete(sequence);
  }

  /** Returns the numbers up to which everything is acknowledged. */
  findFloor(delivered: Position): Position {
    if (this.#open.size === 0) return delivered;
    const numbers = [...this.#open.values()].map(({ consumerSequence }) => consumerSequence);
    return {
      consumer_seq: Math.min(...numbers) - 1,
      stream_seq: Math.min(...this.#open.keys()) - 1,
    };
  }
}

/** Returns the delay of `-NAK {"delay": nanoseconds}` in milliseconds. */
function readDelay(text: string): number {
  const json = text.slice('-NAK'.length).trim();
  return json === '' ? 0 : toMilliseconds(JSON.parse(json).delay);
}
