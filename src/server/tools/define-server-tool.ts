/** Tools that run on the server and may ask people: in the middle of their work, or whether they may run at all. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { invalidOptions } from '../../shared/errors.ts';
import type { Answerer } from '../../shared/principal.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import type { DefinedToolContext, ServerToolDefinition } from './server-tool.ts';

type ArgsOf<Input> = Input extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Input>
  : Readonly<Record<string, unknown>>;

/**
 * Defines a tool that runs on the server and may ask people. Pass it in `tools` of `createAgentSession`.
 *
 * @throws AgentChatError `invalid_options` when `execute` is not a function, or `approval` or `mayAnswer` is none of what it may be.
 */
export function defineServerTool<Input extends StandardSchemaV1 | undefined = undefined>(
  definition: Omit<ServerToolDefinition, 'input' | 'approval' | 'execute'> & {
    readonly input?: Input;
    readonly approval?: 'always' | 'never' | ((args: ArgsOf<Input>) => boolean | Promise<boolean>);
    readonly execute: (args: ArgsOf<Input>, context: DefinedToolContext) => unknown;
  },
): ServerToolDefinition {
  const { execute, approval = 'never', mayAnswer } = definition ?? {};
  if (typeof execute !== 'function') fail('execute must be a function of the arguments');
  if (approval !== 'always' && approval !== 'never' && typeof approval !== 'function')
    fail(`approval must be 'always', 'never' or a function, not ${String(approval)}`);
  if (mayAnswer !== undefined && typeof mayAnswer !== 'function')
    fail('mayAnswer must be a function of the principal and the call');
  return definition as ServerToolDefinition;
}

function fail(message: string): never {
  throw invalidOptions(`defineServerTool: ${message}.`);
}

/** `ask` throws it for a question that got no answer. Uncaught, its message is what the agent reads. */
export class QuestionNotAnswered extends Error {
  override readonly name = 'QuestionNotAnswered';
  readonly outcome: Exclude<ToolOutcome, 'submitted'>;
  /** What the person said, if anything. */
  readonly reason: string | undefined;
  readonly answeredBy: Answerer | undefined;

  constructor(outcome: QuestionNotAnswered['outcome'], reason?: string, answeredBy?: Answerer) {
    super(
      `The question was ${outcome === 'expired' ? 'not answered in time' : outcome}${reason ? `: ${reason}` : ''}`,
    );
    this.outcome = outcome;
    this.reason = reason;
    this.answeredBy = answeredBy;
  }
}

/** `once` throws it for a step that began before a crash, and of which nobody knows whether it was done. */
export class StepInterrupted extends Error {
  override readonly name = 'StepInterrupted';

  constructor(key: string) {
    super(
      `The step '${key}' began and was interrupted. It is not known whether it was done, so it was not done again.`,
    );
  }
}
