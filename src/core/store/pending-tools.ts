import type { ToolCall } from '../state/tool-call.ts';
import type { InteractiveTool } from '../tools/client-tool.ts';
import { hasSameItems } from './has-same-items.ts';

export type BindInteractiveTool = (call: ToolCall) => InteractiveTool;

/** The calls that wait for a person, each with the object by which the person settles it. */
export interface PendingTools {
  /** Binds the calls that wait now and did not before. */
  update(calls: readonly ToolCall[]): void;
  /** The waiting calls in the order in which they were requested. The same list until it changes. */
  list(): readonly InteractiveTool[];
}

export function createPendingTools(bindTool: BindInteractiveTool): PendingTools {
  let tools: ReadonlyMap<string, InteractiveTool> = new Map();
  let list: readonly InteractiveTool[] = Object.freeze([]);
  return {
    update(calls) {
      const waiting = calls.filter(({ stage }) => stage === 'waiting');
      const keys = waiting.map(({ key }) => key);
      if (hasSameItems(keys, [...tools.keys()])) return;
      tools = new Map(waiting.map((call) => [call.key, tools.get(call.key) ?? bindTool(call)]));
      list = Object.freeze([...tools.values()]);
    },
    list: () => list,
  };
}
