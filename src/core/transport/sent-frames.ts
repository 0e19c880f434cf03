/**
 * Counts the frames that were sent over a connection. A proxy may swallow one of them and pass all others, heartbeats included: a server that
 * says in its heartbeats how many frames it has received shows that.
 */
import type { Clock } from '../../shared/clock.ts';

/** How long a frame, or what acknowledges it, may be on its way. Milliseconds. */
export const ARRIVAL_MS = 10_000;

export class SentFrames {
  readonly #clock: Clock;
  #received = 0;
  /** When the frames were sent that are not known to have been received. */
  #sentAt: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(): void {
    this.#sentAt.push(this.#clock.now());
  }

  /**
   * Takes the count of a heartbeat. Returns true if a frame is missing in it that should have arrived long ago.
   *
   * A heartbeat without a count says nothing, and neither does a value that counts nothing, such as -1.
   */
  isMissing(received: unknown): boolean {
    if (!isCount(received)) return false;
    this.#sentAt.splice(0, received - this.#received);
    this.#received = received;
    const [first] = this.#sentAt;
    return first !== undefined && this.#clock.now() - first >= ARRIVAL_MS;
  }

  /** There is another connection, or none. */
  reset(): void {
    this.#received = 0;
    this.#sentAt = [];
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
