/** A tool call: who asked for it, and for what. */
import type { Subject } from './subject.ts';
import type { UtpToolError } from './tool-error.ts';

/** What the agent does with a result: it goes on with its turn, or the turn ends. */
export type AfterExecution = 'suspend' | 'terminate';

/** Returns true for one of the two words. */
export function isAfterExecution(value: unknown): value is AfterExecution {
  return value === 'suspend' || value === 'terminate';
}

/** The identity of a call. It comes from the subject and the headers of the command, never from its payload. */
export interface CallIdentity {
  readonly projectId: string;
  readonly channelId: string;
  readonly toolCallId: string;
  /** The agent that waits for the result. */
  readonly agentId: string;
  readonly agentTurnId: string;
  /** Counts the turns of the agent. A report for another epoch is refused. */
  readonly turnEpoch: number;
  readonly recursionDepth: number;
  /** The header as it came. Undefined if the command has none. */
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly stepId?: string;
  readonly parentStepId?: string;
}

/** The payload of a command. Arguments never travel in it. */
export interface CommandPayload {
  readonly toolCallCardId?: string;
  readonly toolName?: string;
  readonly afterExecution?: AfterExecution;
}

/** A call together with what its `tool.call` card says. JSON. */
export interface UtpToolCall extends CallIdentity {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Environment variables by argument, see `withEnvs`. Names alone: values are stored nowhere. */
  readonly envs?: Readonly<Record<string, string>>;
  /** The wish of the command. The result may overrule it. */
  readonly afterExecution: AfterExecution;
  /** The `step_id`, `trace_id` and `parent_step_id` that the result card must repeat. */
  readonly lineage: Readonly<Record<string, unknown>>;
}

/** A command as the executor takes it. */
export interface ToolCommand {
  readonly subject: Subject;
  readonly identity: CallIdentity;
  /** All headers of the message. */
  readonly headers: Readonly<Record<string, string>>;
  /** The payload, or the error that the agent gets because the payload breaks the protocol. */
  readonly payload: CommandPayload | UtpToolError;
}
