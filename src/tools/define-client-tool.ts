import type { StandardSchemaV1 } from '@standard-schema/spec';
import { invalidOptions } from '../shared/errors.ts';
import { describeIssues, validate } from '../shared/validate.ts';
import {
  type AutomaticToolDefinition,
  type DefinedTool,
  DIALOG_KINDS,
  type InteractiveToolDefinition,
  toolRules,
} from './client-tool.ts';
import { judge } from './judge.ts';
import { allowOthers, permissionsOf } from './permissions-of.ts';
import { redactResult } from './redact-result.ts';
import type { ToolRules } from './tool-rules.ts';
import type { ArgsOf, AutomaticToolOptions, InteractiveToolOptions, ResultOf, Typed } from './typed-tools.ts';

const RULES: ToolRules = {
  validate,
  describeIssues,
  shownResult: redactResult,
  permissionsOf,
  allowOthers,
  judge,
};

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
): (InteractiveToolDefinition | AutomaticToolDefinition) & DefinedTool {
  const fault = faultOf(definition ?? {});
  if (fault !== undefined) throw invalidOptions(fault);
  // What it inherits stays: it may be an instance of a class.
  const tool = Object.create(Object.getPrototypeOf(definition));
  return Object.assign(tool, definition, { [toolRules]: RULES });
}

const DIALOG_NAMES: readonly string[] = DIALOG_KINDS;

/** What the types refuse, for those who write without them: here it is told to who can mend it, later to the agent. */
function faultOf(
  definition: Partial<InteractiveToolDefinition & AutomaticToolDefinition>,
): string | undefined {
  const { interactive, execute, timeoutMs = 0, ui = 'confirm' } = definition;
  if (interactive !== true && typeof execute !== 'function') {
    return 'defineClientTool needs interactive: true, for a tool that waits for a person, or execute, the function that runs it.';
  }
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 0)) {
    return `timeoutMs of a client tool must be a number of milliseconds, 0 or more, not ${String(timeoutMs)}.`;
  }
  // A component may be an object: what `memo` and `lazy` return.
  if (typeof ui === 'string' ? !DIALOG_NAMES.includes(ui) : !ui) {
    return `ui of a client tool must be ${DIALOG_NAMES.map((name) => `'${name}'`).join(', ')} or a component, not ${JSON.stringify(ui)}.`;
  }
  for (const name of ['input', 'output'] as const) {
    const schema = definition[name];
    if (schema !== undefined && typeof schema?.['~standard']?.validate !== 'function') {
      return `${name} of a client tool must be a Standard Schema: one of zod, valibot or arktype, for instance.`;
    }
  }
  return undefined;
}
