/** The types of tools, from what declares them to what a person is asked. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type {
  AutomaticToolDefinition,
  ClientToolContext,
  ClientTools,
  DialogKind,
  InteractiveTool,
  InteractiveToolDefinition,
  ToolApproval,
} from './client-tool.ts';

export type ArgsOf<Input> = Input extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Input>
  : Record<string, unknown>;
export type ResultOf<Output> = Output extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<Output>
  : unknown;

/** The definition of a tool that waits for a person, with its types. */
export interface InteractiveToolOptions<
  Input extends StandardSchemaV1 | undefined,
  Output extends StandardSchemaV1 | undefined,
> extends Omit<InteractiveToolDefinition, 'input' | 'output' | 'ui'> {
  readonly input?: Input;
  readonly output?: Output;
  readonly ui?: DialogKind | ((props: { tool: InteractiveTool<ArgsOf<Input>, ResultOf<Output>> }) => unknown);
}

/** The definition of a tool that runs by itself, with its types. */
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
