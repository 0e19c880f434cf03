import type { StandardSchemaV1 } from '@standard-schema/spec';
import { invalidOptions } from '../../shared/errors.ts';
import { isStandardSchema } from '../../shared/read-standard-json-schema.ts';
import { type AutomaticToolDefinition, DIALOG_KINDS, type InteractiveToolDefinition } from './client-tool.ts';
import type { ArgsOf, AutomaticToolOptions, InteractiveToolOptions, ResultOf, Typed } from './typed-tools.ts';

/**
 * Declares a tool of the browser with its types: `input` (any Standard Schema) checks and parses the arguments
 * before anybody sees them, `output` checks the result before it is sent. Both must validate synchronously.
 *
 * @throws AgentChatError `invalid_options` for a tool that nobody could run, a `timeoutMs` that is no time, a `ui` that is
 * unknown and a schema that is none.
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

/**
 * Says why the engine could not use a definition, or returns undefined. Types refuse these faults; apps without types get this
 * error.
 */
function findDefinitionFault(
  definition: Partial<InteractiveToolDefinition & AutomaticToolDefinition>,
): string | undefined {
  const { interactive, execute, timeoutMs = 0, ui = 'confirm' } = definition;
  if (interactive !== true && typeof execute !== 'function') {
    return 'A client tool needs interactive: true, for a tool that waits for a person, or execute, the function that runs it.';
  }
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 0)) {
    return `timeoutMs of a client tool must be a number of milliseconds, 0 or more, not ${String(timeoutMs)}.`;
  }
  // A component may be an object: `memo` and `lazy` return one.
  if (typeof ui === 'string' ? !isDialogKind(ui) : !ui) {
    return `ui of a client tool must be ${DIALOG_KINDS.map((kind) => `'${kind}'`).join(', ')} or a component, not ${JSON.stringify(ui)}.`;
  }
  for (const name of ['input', 'output'] as const) {
    if (definition[name] !== undefined && !isStandardSchema(definition[name])) {
      return `${name} of a client tool must be a Standard Schema: one of zod, valibot or arktype, for instance.`;
    }
  }
  return undefined;
}

function isDialogKind(ui: string): boolean {
  return DIALOG_KINDS.some((kind) => kind === ui);
}
