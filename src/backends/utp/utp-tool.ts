/** The tools of a tool service: functions, and questions that a person answers. */
import type { UtpToolCall } from './call.ts';

/** The second argument of a function. */
export interface UtpToolContext {
  readonly call: UtpToolCall;
  /** All headers of the command, such as `CG-Parent-Agent-Id`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts when another executor has taken over the call. The result of this run is dropped then. */
  readonly signal: AbortSignal;
}

/**
 * Runs a call. The returned JSON value is the result; a thrown error fails the call with the code of a `UtpToolError`, or else with
 * `internal_error`. A result with `__cg_control: { after_execution: 'terminate' }` ends the turn of the agent.
 *
 * A call runs once, except if the process ended before the result was saved: then it runs again. Use `context.call.toolCallId` as the idempotency key
 * of effects that must not happen twice.
 */
export type UtpToolFunction = (args: Readonly<Record<string, unknown>>, context: UtpToolContext) => unknown;

/** A tool whose calls wait for a person, see `UtpToolService.answer`. */
export interface UtpInteractiveTool {
  readonly interactive: true;
  /**
   * How long a call waits, from when its command arrived; then it ends as `timed-out`. Milliseconds. Default 30,000, as CommonGround
   * waits no longer for a tool whose definition has no `suspend_timeout_seconds`. Set both to the same time.
   */
  readonly timeoutMs?: number;
  /** Returns true if this person may answer the call. Default: whoever calls `answer` may. */
  readonly mayAnswer?: (principal: unknown, call: UtpToolCall) => boolean | Promise<boolean>;
}

export type UtpTool = UtpToolFunction | UtpInteractiveTool;

/** Tools by name. Only own properties count. */
export type UtpTools = Readonly<Record<string, UtpTool>>;

/** How long a call waits for a person if its tool does not say. Milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** Returns the tool of that name. */
export function findUtpTool(tools: UtpTools, name: string): UtpTool | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}
