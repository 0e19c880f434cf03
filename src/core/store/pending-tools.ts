import type { ToolCall } from '../state/tool-call.ts';
import type { InteractiveTool } from '../tools/client-tool.ts';
import { hasSameItems } from './has-same-items.ts';

/**
 * The objects by which people settle the calls that wait. They stand beside the state and not in it, because they have functions and
 * parsed arguments, which survive neither a storage nor the way to another tab.
 */
export class PendingTools {
  #tools: ReadonlyMap<string, InteractiveTool> = new Map();
  #list: readonly InteractiveTool[] = Object.freeze([]);

  get(key: string): InteractiveTool | undefined {
    return this.#tools.get(key);
  }

  put(key: string, tool: InteractiveTool, calls: readonly ToolCall[]): void {
    this.#tools = new Map(this.#tools).set(key, tool);
    this.update(calls);
  }

  /** Drops the tools of calls that wait no longer. */
  update(calls: readonly ToolCall[]): void {
    const waiting = calls.filter(({ key, stage }) => stage === 'waiting' && this.#tools.has(key));
    this.#tools = new Map(waiting.map(({ key }) => [key, this.#tools.get(key) as InteractiveTool]));
    const list = [...this.#tools.values()];
    if (!hasSameItems(list, this.#list)) this.#list = Object.freeze(list);
  }

  /** The tools in the order in which their calls were requested. The same list until it changes. */
  list(): readonly InteractiveTool[] {
    return this.#list;
  }
}
