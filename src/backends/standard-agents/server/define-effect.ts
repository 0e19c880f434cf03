/** Effects of an agent (Standard Agents specification 0.15, "Effects"): work that runs later, and of which the model learns nothing. */
import type { z } from 'zod';
import { checkDefinition } from './check-definition.ts';
import type { ToolArgs } from './define-tool.ts';
import type { ThreadState } from './thread-state.ts';

/** Work that `state.scheduleEffect` puts off. */
export interface EffectDefinition<
  Args extends ToolArgs | undefined = ToolArgs | undefined,
  State = ThreadState,
> {
  readonly description: string;
  readonly args?: Args;
  /** `state.execution` is null. An error goes to `onError` of the runtime. */
  readonly execute: (
    state: State,
    args: Args extends ToolArgs ? z.infer<Args> : Record<string, never>,
  ) => unknown;
}

/** The effects of an agent by name, whatever their arguments. */
// biome-ignore lint/suspicious/noExplicitAny: the parameter of `execute` is contravariant, so no other type takes every effect.
export type EffectSet = Readonly<Record<string, EffectDefinition<any>>>;

/**
 * Defines an effect. Its arguments are checked as those of a tool, see `defineTool`.
 *
 * @throws TypeError if the description is empty, or names the path and the kind of the first node that is not allowed.
 */
export function defineEffect<const Args extends ToolArgs | undefined = undefined, State = ThreadState>(
  definition: EffectDefinition<Args, State>,
): EffectDefinition<Args, State> {
  checkDefinition('defineEffect', definition, {
    description: 'says what the effect does',
    execute: '(state, args) => {}',
  });
  return definition;
}
