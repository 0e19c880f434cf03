/** Tools of an agent (Standard Agents specification 0.15, section "Tools"). */
import type { z } from 'zod';
import { checkDefinition } from './check-definition.ts';
import type { AttachmentRef } from './thread-message.ts';
import type { ThreadState } from './thread-state.ts';

/** The schema of a tool's arguments: a `z.object()` of the kinds that `defineTool` allows. */
export type ToolArgs = z.ZodObject;

/** The outcome of a tool, as the model reads it. */
export interface ToolResult {
  readonly status: 'success' | 'error';
  readonly result?: string | undefined;
  readonly error?: string | undefined;
  readonly attachments?: readonly AttachmentRef[] | undefined;
}

/** A tool that a runtime of the standard can run. */
export interface ToolDefinition<
  Args extends ToolArgs | undefined = ToolArgs | undefined,
  State = ThreadState,
> {
  readonly description: string;
  readonly args?: Args;
  readonly execute: (
    state: State,
    args: Args extends ToolArgs ? z.infer<Args> : Record<string, never>,
  ) => ToolResult | Promise<ToolResult>;
}

/** The tools of an agent by name, whatever their arguments. */
// biome-ignore lint/suspicious/noExplicitAny: the parameter of `execute` is contravariant, so no other type takes every tool.
export type ToolSet = Readonly<Record<string, ToolDefinition<any>>>;

/**
 * Defines a tool. The arguments are checked here, so that a tool that some runtime would refuse fails when the program starts and
 * not in a conversation. Allowed are strings, numbers, booleans, null, literals, enums of strings and unknown; and, up to seven
 * levels deep, optional, nullable, default, arrays, objects, records with string keys and unions of two or more.
 *
 * @throws TypeError if the description is empty, or names the path and the kind of the first node that is not allowed.
 */
export function defineTool<const Args extends ToolArgs | undefined = undefined, State = ThreadState>(
  definition: ToolDefinition<Args, State>,
): ToolDefinition<Args, State> {
  checkDefinition('defineTool', definition, {
    description: 'tells the model what the tool does',
    execute: '(state, args) => ({ status, result })',
  });
  return definition;
}
