import { compact } from '../../shared/json.ts';
import type { Answerer } from '../../shared/principal.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import { toShownArguments } from '../state/reduce-calls.ts';
import { type ToolCall, type ToolCallAnswer, visibleResult } from '../state/tool-call.ts';
import type { ClientToolDefinition } from './client-tool.ts';
import { redactArgs } from './redact-result.ts';

/**
 * Names the giver of an answer.
 *
 * - `person`: somebody answered, declined or cancelled it
 * - `remembered`: what a person had said earlier, see `createRememberedChoices`
 * - `automatic`: its handler, or the check that refused it
 * - `nobody`: its time ran out, its turn ended, or its question could not be shown
 */
export type AnsweredBy = 'person' | 'remembered' | 'automatic' | 'nobody';

/** A call that has its outcome, as `onCallSettled` hears of it. */
export interface SettledCall {
  /** The same for the same call, whatever happens to the page; differs between runs that count their calls anew. */
  readonly key: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /**
   * As the agent sent them, or as a person corrected them before allowing them; before any schema parsed them. Without what is secret by
   * the tool's `input`.
   */
  readonly args: unknown;
  /** As the agent sent them. Only where a person corrected them. */
  readonly originalArgs?: unknown;
  readonly outcome: ToolOutcome;
  /** Without what is secret by the tool's schema. */
  readonly result?: unknown;
  readonly error?: string;
  /** The words of the person about it, such as why not. */
  readonly reason?: string;
  readonly requestedAt: Date;
  readonly settledAt: Date;
  readonly answeredBy: AnsweredBy;
  /** Who let the handler of a tool with `approval` run; absent where nobody had to. */
  readonly allowedBy?: 'person' | 'remembered';
  /**
   * The person who answered on another device, as the server names them. Absent for an answer of this page: the page does not know who is
   * in front of it.
   */
  readonly person?: Answerer;
  /** The server signed it when it asked. It proves what was asked. */
  readonly receipt?: string;
  /** The tab where a person allowed or answered it, when that is not the one that runs the conversation. */
  readonly tabId?: string;
}

/**
 * @param tool the definition of the tool; undefined if the app has none of this name
 * @param now milliseconds since the epoch
 */
export function toSettledCall(
  call: ToolCall,
  answer: ToolCallAnswer,
  tool: ClientToolDefinition | undefined,
  by: AnsweredBy,
  now: number,
  tabId = call.approval?.tabId,
): SettledCall {
  const { key, request, requestedAt, stage, approval, answeredBy } = call;
  const { toolCallId, toolName } = request;
  const { args, originalArgs } = toShownArguments({ ...call, answer });
  const { outcome } = answer;
  // The late answer of a person may be what shows that the time of a call is over. It does not answer the call.
  const isNobodys = outcome === 'expired' || (outcome === 'timed-out' && stage === 'waiting');
  const settled: SettledCall = compact({
    key,
    toolCallId,
    toolName,
    args: redactArgs(args, tool),
    originalArgs: originalArgs && redactArgs(originalArgs, tool),
    outcome,
    result: visibleResult(answer),
    error: answer.error,
    reason: answer.reason,
    requestedAt: new Date(requestedAt),
    settledAt: new Date(now),
    answeredBy: isNobodys ? 'nobody' : by,
    allowedBy: approval?.by,
    person: answeredBy,
    receipt: request.receipt,
    tabId,
  });
  return Object.freeze(settled);
}
