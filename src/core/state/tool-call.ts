/** The life of a tool call that this client has to answer. */

import type { Answerer } from '../../shared/principal.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import type { PendingToolCall, ResultFile, ToolResult } from '../protocol/events.ts';
import type { ToolCallPart } from './message.ts';

/**
 * `announced`: requested by the agent, nothing done yet. `running`: its handler runs. `waiting`: a person is asked.
 * `settled`: it has its one outcome. `delivered`: the answer was sent. `acknowledged`: the backend has taken it.
 */
export type ToolCallStage = 'announced' | 'running' | 'waiting' | 'settled' | 'delivered' | 'acknowledged';

/** The answer of a call. Exactly one of `result` and `error` is set, and neither for outcomes that are not delivered. */
export interface ToolCallAnswer {
  readonly outcome: ToolOutcome;
  /** A frozen JSON value. */
  readonly result?: unknown;
  readonly error?: string;
  /** The words of the person about it, such as why not. */
  readonly reason?: string;
  /**
   * The result without its secrets, if it has any. Messages and storages have only this form; the agent alone gets
   * the result itself. A restored answer has no result any more, see {@link isRedacted}.
   */
  readonly redactedResult?: unknown;
  /** Files that the handler has attached. */
  readonly files?: readonly ResultFile[];
}

/** Who let the handler of a call run that had to be allowed; `tabId` when it was in another tab. */
export interface CallApproval {
  readonly by: 'person' | 'remembered';
  readonly tabId?: string;
  /** The tool as the person knew it, see `describeTool`. The yes is about no other tool. */
  readonly definition?: string;
  /** The comment of the person. */
  readonly reason?: string;
}

export interface ToolCall {
  readonly key: string;
  readonly executionId: string;
  readonly request: PendingToolCall;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly expiresAt?: number;
  readonly stage: ToolCallStage;
  /** A person decides whether its handler runs: again, after the page went away meanwhile, or at all. */
  readonly approvalReason?: 'policy' | 'interrupted';
  /** Its handler was allowed to run. */
  readonly approval?: CallApproval;
  /** The corrected arguments as messages show them, where the person typed a secret into them. The secret never leaves the page. */
  readonly redactedArgs?: PendingToolCall['args'] | undefined;
  /** The input that the person has typed so far. */
  readonly savedInput?: unknown;
  readonly answer?: ToolCallAnswer;
  /** Who gave the answer, if it was not this page. */
  readonly answeredBy?: Answerer;
  /** Why the server did not take the answer that was given before. */
  readonly refusal?: string;
  /** The server takes the answer of another call of the request while this one has none. */
  readonly partial?: true;
  /** A person gave the answer here. That of a handler which a person allowed is not one. */
  readonly byPerson?: true;
  /** The answer that was given here did not count: it came too late, or after that of another person. */
  readonly overruled?: true;
  /** Its answer went out before; whether it arrived is known when it is acknowledged. */
  readonly sent?: true;
  /** Results of server tools that came with the same request. */
  readonly serverToolResults: readonly ToolResult[];
}

/** A call is the same call only within its execution: some providers count `call_1`, `call_2` anew in each. */
export function toolCallKey(executionId: string, toolCallId: string): string {
  return JSON.stringify([executionId, toolCallId]);
}

/** True if a call still has no outcome. */
export function isOpen(call: ToolCall): boolean {
  return call.answer === undefined;
}

/** True if the call waits for the person in front of this page. */
export function isAskedHere({ stage, request }: ToolCall): boolean {
  return stage === 'waiting' && request.mayAnswer !== false;
}

/** Returns the result as messages show it. */
export function visibleResult(answer: ToolCallAnswer): unknown {
  return 'redactedResult' in answer ? answer.redactedResult : answer.result;
}

/** True if the answer was restored without its result, so that it cannot be delivered (again). */
export function isRedacted(answer: ToolCallAnswer | undefined): boolean {
  return answer !== undefined && 'redactedResult' in answer && !('result' in answer);
}

/** True if the answer must be delivered and may not have arrived. An answer without result and error is not deliverable. */
export function isUndelivered({ stage, answer }: ToolCall): boolean {
  return stage !== 'acknowledged' && (answer?.result !== undefined || answer?.error !== undefined);
}

/** Returns the status that an outcome leaves on the part of the call. */
export function partStatusOf(outcome: ToolOutcome): ToolCallPart['status'] {
  switch (outcome) {
    case 'submitted':
    case 'declined':
      return 'done';
    case 'timed-out':
    case 'failed':
      return 'error';
    default:
      outcome satisfies 'cancelled' | 'aborted' | 'expired' | 'superseded';
      return 'cancelled';
  }
}
