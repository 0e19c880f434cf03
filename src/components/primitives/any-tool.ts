import type { InteractiveTool } from '../../tools/client-tool.ts';

/** A call of any tool. The kit looks at arguments and results only through schemas and guards. */
// biome-ignore lint/suspicious/noExplicitAny: methods of a narrower tool take narrower results
export type AnyTool = InteractiveTool<any, any>;

/** Names a call on a page. Some backends count their calls anew in each run, so an id alone would name several. */
export function callKey({ toolCallId, requestedAt }: AnyTool): string {
  return `${toolCallId} ${+requestedAt}`;
}
