import type { AgentEvent } from '../../core/protocol/events.ts';
import type { AiSdkChunk } from './ui-message.ts';

/**
 * The texts of the step that is going on. `reset-step` takes them off the page, as the AI SDK removes them from the message: the end of a
 * text may replace it, so the end is held back until the next step or the end of the response.
 */
export class StepTexts {
  readonly #ids = new Set<string>();
  /** The ends that are held back, by the id of their text. */
  readonly #ends = new Map<string, readonly AgentEvent[]>();

  /** Returns the events of a chunk as the page gets them: without the end of a text, or after the ends that were held back. */
  pass(chunk: AiSdkChunk, events: readonly AgentEvent[]): readonly AgentEvent[] {
    const id = String(chunk.id);
    switch (chunk.type) {
      case 'text-start':
      case 'text-delta': {
        // A text under the id of one that has ended is another text.
        const end = this.#ends.get(id) ?? [];
        this.#ends.delete(id);
        this.#ids.add(id);
        return [...end, ...events];
      }
      case 'text-end':
        this.#ends.set(id, events);
        return [];
      case 'start-step':
        return [...this.takeEnds(), ...events];
      case 'reset-step':
        return this.#removeTexts();
      default:
        return events;
    }
  }

  /** Returns the ends that were held back: the step is over. */
  takeEnds(): readonly AgentEvent[] {
    const ends = [...this.#ends.values()].flat();
    this.#ends.clear();
    this.#ids.clear();
    return ends;
  }

  /** A text without a word is not shown. */
  #removeTexts(): readonly AgentEvent[] {
    const texts = [...this.#ids];
    this.#ends.clear();
    this.#ids.clear();
    return texts.map((id) => ({ type: 'text-end', id, text: '' }));
  }
}
