import type { ToolDescription } from '../core/protocol/commands.ts';

/** All tools that a page describes, those with one of these names, or those for which a function returns true. */
export type ClientToolRule =
  | 'all'
  | readonly string[]
  | ((tool: ToolDescription) => boolean | Promise<boolean>);
