import type { AgentEvent } from '../../core/protocol/events.ts';

/** The events that a page has once it saw them. They are not repeated when a step is taken back. */
const PASSING: readonly AgentEvent['type'][] = [
  'error',
  'notice',
  'resource-update',
  'tool-result-acknowledged',
  'usage',
];

/** The events of a response that the page was shown: a step that is taken back is over, and what stood before it is shown again. */
export class ShownEvents {
  readonly #events: AgentEvent[] = [];
  /** The number of events before the current step. */
  #before = 0;

  add(events: readonly AgentEvent[]): void {
    for (const event of events) if (!PASSING.includes(event.type)) this.#events.push(event);
  }

  beginStep(): void {
    this.#before = this.#events.length;
  }

  /** Forgets the events of the step, and returns those before it. */
  resetStep(): readonly AgentEvent[] {
    this.#events.length = this.#before;
    return [...this.#events];
  }
}
