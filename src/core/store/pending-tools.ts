import type { Validation } from '../../shared/validate.ts';
import type { ToolCall } from '../state/tool-call.ts';
import type { InteractiveTool } from '../tools/client-tool.ts';
import { hasSameItems } from './has-same-items.ts';

/** A waiting call as a person was shown it. */
export interface ShownCall {
  /** The object by which the person settles the call. */
  readonly tool: InteractiveTool;
  /** The tool as the person knows it, see `describeTool`. */
  readonly definition: string;
  /** The parsed arguments, for the handler that the person allows; or why the tool refuses them. */
  readonly parsed: Validation;
}

/**
 * Keeps what people were shown of the calls that wait. It stands beside the state and not in it: functions and parsed arguments survive
 * neither a storage nor the way to another tab.
 */
export class PendingTools {
  #shown: ReadonlyMap<string, ShownCall> = new Map();
  #list: readonly InteractiveTool[] = Object.freeze([]);

  get(key: string): ShownCall | undefined {
    return this.#shown.get(key);
  }

  put(key: string, shown: ShownCall, calls: readonly ToolCall[]): void {
    this.#shown = new Map(this.#shown).set(key, shown);
    this.update(calls);
  }

  /** Forgets the calls that wait no longer. */
  update(calls: readonly ToolCall[]): void {
    const waiting = calls.flatMap(({ key, stage }): [string, ShownCall][] => {
      const shown = this.#shown.get(key);
      return shown && stage === 'waiting' ? [[key, shown]] : [];
    });
    this.#shown = new Map(waiting);
    const list = waiting.map(([, { tool }]) => tool);
    if (!hasSameItems(list, this.#list)) this.#list = Object.freeze(list);
  }

  /** The tools in the order in which their calls were requested. The same list until it changes. */
  list(): readonly InteractiveTool[] {
    return this.#list;
  }
}
