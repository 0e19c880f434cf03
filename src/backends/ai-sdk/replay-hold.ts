import type { AgentEvent } from '../../core/protocol/events.ts';
import type { AiSdkPart } from './ui-message.ts';

/** Holds the events of a replay back until it has caught up with what is here: a person may read, or answer, while it comes. */
export class ReplayHold {
  readonly #before: readonly AiSdkPart[] | undefined;
  #held: AgentEvent[] | undefined;

  /** @param before the parts that are here; undefined for a response that is no replay */
  constructor(before: readonly AiSdkPart[] | undefined) {
    this.#before = before;
    this.#held = before && [];
  }

  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /**
   * Returns the events for the page: all that were held once the replay has caught up.
   *
   * @param parts the parts that the replay has brought
   */
  pass(
    events: readonly AgentEvent[],
    parts: readonly AiSdkPart[],
    isComplete: boolean,
  ): readonly AgentEvent[] {
    if (this.#held === undefined) return events;
    for (const event of events) this.#held.push(event);
    if (!isComplete && !hasReached(parts, this.#before ?? [])) return [];
    const held = this.#held;
    this.#held = undefined;
    return held;
  }
}

/** A replay may come in other pieces, so that neither its chunks nor its bytes can be counted. */
function hasReached(parts: readonly AiSdkPart[], before: readonly AiSdkPart[]): boolean {
  return parts.length > before.length || JSON.stringify(parts).length >= JSON.stringify(before).length;
}
