/** `pendingClientTools` groups calls by name; in which order they were asked goes along with it, out of sight. */

import type { InteractiveTool } from '../tools/client-tool.ts';
import type { AnyPendingClientTools } from './chat-state.ts';

const asked: unique symbol = /* @__PURE__ */ Symbol('asked');

export function keepOrder(pending: object, tools: readonly InteractiveTool[]): void {
  Object.defineProperty(pending, asked, { value: Object.freeze(tools) });
}

/** All calls that wait, in the order they were asked. */
export function inOrder(pending: AnyPendingClientTools): readonly InteractiveTool[] {
  const known = (pending as { readonly [asked]?: readonly InteractiveTool[] })[asked];
  return known ?? Object.values(pending).flat();
}
