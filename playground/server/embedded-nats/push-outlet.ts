/** Delivers to a subject, as long as a client subscribes to it. It never asks for flow control, as the client is on this machine. */
import type { Broker } from './broker.ts';
import { toMilliseconds } from './nanoseconds.ts';
import { createHeartbeat, type Outlet, type Position } from './outlet.ts';

export class PushOutlet implements Outlet {
  readonly #broker: Broker;
  readonly #subject: string;
  /** Milliseconds. */
  readonly #heartbeat: number;
  /** When the client last heard from here. */
  #lastSign = Date.now();

  constructor(broker: Broker, subject: string, heartbeat = Number.POSITIVE_INFINITY) {
    this.#broker = broker;
    this.#subject = subject;
    this.#heartbeat = toMilliseconds(heartbeat);
  }

  findAddress(): string | undefined {
    return this.isInUse() ? this.#subject : undefined;
  }

  onDelivered(now: number): void {
    this.#lastSign = now;
  }

  tick(now: number, position: Position): void {
    if (!this.isInUse() || now - this.#lastSign < this.#heartbeat) return;
    this.#lastSign = now;
    this.#broker.publish(createHeartbeat(this.#subject, position));
  }

  isInUse(): boolean {
    return this.#broker.hasSubscriber(this.#subject);
  }

  close(): void {}
}
