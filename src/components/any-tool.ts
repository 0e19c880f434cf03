import type { InteractiveTool } from '../core/tools/client-tool.ts';

/** A call of any tool. The kit reads arguments and results only through schemas and type guards. */
// biome-ignore lint/suspicious/noExplicitAny: methods of a narrower tool take narrower results
export type AnyTool = InteractiveTool<any, any>;

/** Identifies a call on a page. Some backends number their calls from 1 in each run, so an id alone is not unique. */
export function callKey({ toolCallId, requestedAt }: AnyTool): string {
  return `${toolCallId} ${+requestedAt}`;
}
