/**
 * The one closed union that leaves the engine. A transport translates it into the protocol of its backend;
 * `protocol/native.ts` does so for the native wire.
 */
import type { ToolOutcome } from '../shared/tool-outcome.ts';
import type { ToolResult } from './events.ts';

/** Start a turn. */
export interface TriggerCommand {
  readonly type: 'trigger';
  readonly triggerName: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

/**
 * The answer to one call, with its outcome in words so that protocols which can say more than
 * result-or-error do so. Exactly one of `result` and `error` is set; a declined call has a `result`.
 */
export interface ToolAnswer {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly outcome: ToolOutcome;
  /** A JSON value. */
  readonly result?: unknown;
  /** Never empty when present. */
  readonly error?: string;
  /** It was sent before, and whether it arrived is unknown. */
  readonly repeated?: true;
  /** Keys of the request that its result has to repeat, such as `outputVariable` and `blockIndex`. */
  readonly echo: Readonly<Record<string, unknown>>;
}

/**
 * Deliver answers. To a transport that takes results together: all calls of one request, in its order.
 * To one that takes them one by one: a single answer.
 */
export interface RespondCommand {
  readonly type: 'respond';
  readonly executionId: string;
  readonly answers: readonly ToolAnswer[];
  /** Results of server tools that came with the request and must go back with the answers. */
  readonly serverToolResults: readonly ToolResult[];
  /** Where the run stood when the calls settled, so that a drop before the first new event can be resumed. */
  readonly cursor?: string | undefined;
}

/** Go on reading a run after `cursor`. */
export interface ResumeCommand {
  readonly type: 'resume';
  readonly executionId: string;
  readonly cursor: string;
}

/** End the run on the server. */
export interface StopCommand {
  readonly type: 'stop';
  readonly executionId?: string | undefined;
  /** The cursor of the run, if the run can be resumed and so outlives its connection. */
  readonly cursor?: string | undefined;
}

/** The commands that open a response: everything but a stop. */
export type RunCommand = TriggerCommand | RespondCommand | ResumeCommand;

/** Everything the engine can ask of a backend. Switch over `type`. */
export type AgentCommand = TriggerCommand | RespondCommand | ResumeCommand | StopCommand;
