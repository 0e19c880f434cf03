import type { StandardSchemaV1 } from '@standard-schema/spec';
import { invalidOptions } from '../../shared/errors.ts';
import { findDefinitionFault } from './check-definition.ts';
import type { AutomaticToolDefinition, InteractiveToolDefinition } from './client-tool.ts';
import type { ArgsOf, AutomaticToolOptions, InteractiveToolOptions, ResultOf, Typed } from './typed-tools.ts';

/**
 * Declares a tool of the browser with its types: `input` (any Standard Schema) checks and parses the arguments
 * before anybody sees them, `output` checks the result before it is sent. Both must validate synchronously.
 *
 * @throws AgentChatError `invalid_options` for a tool that nobody could run, a `timeoutMs` that is no time, a schema that is none, and a
 * word that is not one of its option, such as a mistyped `severity`.
 *
 * @example
 * ```ts
 * const askRating = defineClientTool({
 *   description: 'Ask the user to rate the answer',
 *   input: z.object({ question: z.string() }),
 *   output: z.object({ rating: z.number().int().min(1).max(5) }),
 *   interactive: true,
 * });
 * ```
 */
export function defineClientTool<
  const Input extends StandardSchemaV1 | undefined = undefined,
  const Output extends StandardSchemaV1 | undefined = undefined,
>(
  definition: InteractiveToolOptions<Input, Output>,
): InteractiveToolDefinition & Typed<ArgsOf<Input>, ResultOf<Output>>;
export function defineClientTool<
  const Input extends StandardSchemaV1 | undefined = undefined,
  const Output extends StandardSchemaV1 | undefined = undefined,
>(
  definition: AutomaticToolOptions<Input, Output>,
): AutomaticToolDefinition & Typed<ArgsOf<Input>, ResultOf<Output>>;
export function defineClientTool(
  definition: InteractiveToolDefinition | AutomaticToolDefinition,
): InteractiveToolDefinition | AutomaticToolDefinition {
  const fault = findDefinitionFault(definition ?? {});
  if (fault !== undefined) throw invalidOptions(fault);
  return definition;
}
