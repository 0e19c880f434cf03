import { deepEqual } from '../../shared/deep-equal.ts';
import { parseJson } from '../../shared/json.ts';
import { type AgUiEvent, currentTurn, unansweredCalls } from './messages.ts';
import type { ThreadBuilder } from './thread-builder.ts';

interface HeldCall {
  readonly start: AgUiEvent;
  readonly deltas: AgUiEvent[];
}

/**
 * Holds calls back that are announced under an id of this turn, until their arguments are known. The same call again has its answer, which the
 * agent seems not to have got. With other arguments it is another call: some providers count their ids anew in each step.
 */
export class RepeatedCalls {
  readonly #thread: ThreadBuilder;
  readonly #isAnswered: (toolCallId: string) => boolean;
  readonly #held = new Map<string, HeldCall>();
  /** The calls whose arguments are still arriving. */
  readonly #begun = new Set<string>();
  /** The calls that were announced again, and have the answer of the page: their ids on the page. */
  readonly answered = new Set<string>();
  /** The calls that were announced again, and have no answer. */
  readonly open = new Set<string>();
  /** The ids that were announced again, since the last look. */
  #told: string[] = [];

  /** @param isAnswered returns true for a call of this turn that the page has answered, by its id on the page */
  constructor(thread: ThreadBuilder, isAnswered: (toolCallId: string) => boolean) {
    this.#thread = thread;
    this.#isAnswered = isAnswered;
  }

  /** Returns the events to read in place of this one. */
  take(event: AgUiEvent): readonly AgUiEvent[] {
    const id = String(event.toolCallId);
    const held = this.#held.get(id);
    if (event.type === 'TOOL_CALL_START') {
      // A network that doubles an event begins no other call.
      if (this.#begun.has(id)) return [];
      this.#begun.add(id);
      if (this.#thread.isOfTurn(id)) {
        this.#held.set(id, { start: event, deltas: [] });
        return [];
      }
    }
    if (event.type === 'TOOL_CALL_END') this.#begun.delete(id);
    if (held === undefined) return [event];
    if (event.type === 'TOOL_CALL_ARGS') {
      held.deltas.push(event);
      return [];
    }
    if (event.type !== 'TOOL_CALL_END') return [event];
    this.#held.delete(id);
    this.#told.push(id);
    return this.#isSame(id, held) ? [] : [held.start, ...held.deltas, event];
  }

  /** Returns the ids that were announced again, once. */
  takeTold(): readonly string[] {
    const told = this.#told;
    this.#told = [];
    return told;
  }

  #isSame(id: string, { start, deltas }: HeldCall): boolean {
    const call = this.#thread.findCall(id);
    const json = deltas.map(({ delta }) => String(delta ?? '')).join('');
    const isSame =
      call?.function.name === start.toolCallName &&
      deepEqual(toValue(call?.function.arguments ?? ''), toValue(json));
    if (!isSame) return false;
    const isOpen = unansweredCalls(currentTurn(this.#thread.messages)).some((other) => other.id === id);
    if (isOpen) this.open.add(id);
    if (isOpen) return true;
    // The agent does its own calls as often as it wants.
    const pageId = this.#thread.pageIdOf(id);
    if (!this.#isAnswered(pageId)) return false;
    this.answered.add(pageId);
    return true;
  }
}

function toValue(json: string): unknown {
  return parseJson(json || '{}', json);
}
