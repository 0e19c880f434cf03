import type { StandardSchemaV1 } from '@standard-schema/spec';
import { invalidOptions } from '../shared/errors.ts';
import type {
  AutomaticToolDefinition,
  ClientToolContext,
  ClientTools,
  InteractiveTool,
  InteractiveToolDefinition,
  ToolApproval,
} from './client-tools.ts';

type ArgsOf<Input> = Input extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Input>
  : Record<string, unknown>;
type ResultOf<Output> = Output extends StandardSchemaV1 ? StandardSchemaV1.InferInput<Output> : unknown;

/** What {@link defineClientTool} takes for a tool that waits for a person. */
export interface InteractiveToolOptions<
  Input extends StandardSchemaV1 | undefined,
  Output extends StandardSchemaV1 | undefined,
> extends Omit<InteractiveToolDefinition, 'input' | 'output' | 'ui'> {
  readonly input?: Input;
  readonly output?: Output;
  readonly ui?:
    | 'confirm'
    | 'form'
    | 'choice'
    | ((props: { tool: InteractiveTool<ArgsOf<Input>, ResultOf<Output>> }) => unknown);
}

/** What {@link defineClientTool} takes for a tool that runs by itself. */
export interface AutomaticToolOptions<
  Input extends StandardSchemaV1 | undefined,
  Output extends StandardSchemaV1 | undefined,
> extends Omit<AutomaticToolDefinition, 'input' | 'output' | 'execute' | 'approval'> {
  readonly input?: Input;
  readonly output?: Output;
  readonly approval?: ToolApproval<ArgsOf<Input>>;
  readonly execute: (
    args: ArgsOf<Input>,
    context: ClientToolContext,
  ) => ResultOf<Output> | Promise<ResultOf<Output>>;
}

/** Remembers the types of a definition, so that `pendingClientTools` and `submit` know them. */
declare const types: unique symbol;
export interface Typed<Args, Result> {
  readonly [types]?: { args: Args; result: Result };
}

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
  const fault = faultOf(definition);
  if (fault === undefined) return definition;
  throw invalidOptions(fault);
}

const UI_WORDS: readonly string[] = ['confirm', 'form', 'choice'];

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
  if (typeof ui === 'string' ? !UI_WORDS.includes(ui) : !ui) {
    return `ui of a client tool must be ${UI_WORDS.map((word) => `'${word}'`).join(', ')} or a component, not ${JSON.stringify(ui)}.`;
  }
  for (const name of ['input', 'output'] as const) {
    const schema = definition[name];
    if (schema !== undefined && typeof schema?.['~standard']?.validate !== 'function') {
      return `${name} of a client tool must be a Standard Schema: one of zod, valibot or arktype, for instance.`;
    }
  }
  return undefined;
}

type ToolOf<Tool> = Tool extends 'interactive'
  ? InteractiveTool
  : Tool extends Typed<infer Args, infer Result>
    ? InteractiveTool<Args, Result>
    : InteractiveTool;

type InteractiveName<Tools> = {
  [Name in keyof Tools]: Tools[Name] extends 'interactive' | { interactive: true } ? Name : never;
}[keyof Tools];

/** The pending calls of a set of tools, each with its own argument and result types. */
export type PendingClientTools<Tools extends ClientTools> = string extends keyof Tools
  ? Readonly<Record<string, readonly InteractiveTool[]>>
  : { readonly [Name in InteractiveName<Tools>]: readonly ToolOf<Tools[Name]>[] };
