/** Describes one call of the imported conversation. */

import { CLOSING } from '../../../server/runs/history.ts';
import type { CallEnd, CallRecord, StoredAnswer } from '../../../server/store/call-record.ts';
import { createApprovalYes, toDeclinedResult } from '../../../shared/approval-answers.ts';
import { compact } from '../../../shared/json.ts';
import { toArgs } from '../decode-chunk.ts';
import { isOver } from '../tool-parts.ts';
import { type AiSdkToolPart, toolNameOf } from '../ui-message.ts';

export interface ImportedCall {
  readonly call: CallRecord;
  /** True for a call that has to be asked again. */
  readonly isOpen: boolean;
  /** Why the call ended without the result that it waited for. */
  readonly why?: string;
}

interface CallContext {
  readonly executionId: string;
  /** It was answered at this time, or is taken to have been. Milliseconds since the epoch. */
  readonly at: number;
  readonly mayStayOpen: boolean;
  /** A later message has taken its place. */
  readonly isSuperseded: boolean;
  isOfPage(toolName: string): boolean;
}

/**
 * The definition that an imported approval was asked about. No tool has this one, so the tool asks anew when a page opens the session, and
 * a yes to the earlier question does not count.
 */
const EARLIER_DEFINITION = 'imported';

export function importCall(part: AiSdkToolPart, context: CallContext): ImportedCall {
  const { toolCallId, approval, title, state, input } = part;
  const { executionId, at, isSuperseded } = context;
  const toolName = toolNameOf(part);
  const isOfPage = approval === undefined && context.isOfPage(toolName);
  const known = compact({
    ...{ toolCallId, executionId, turnId: executionId, toolName, title, args: toArgs(input ?? {}) },
    executedBy: isOfPage ? 'client' : 'server',
    stage: 'ended',
  }) as CallRecord;
  const answer = readApprovalAnswer(part, at);
  const end = readEnd(part);
  if (end !== undefined) return { call: { ...known, ...(answer && { answer }), end }, isOpen: false };
  if (context.mayStayOpen && state === 'approval-requested') {
    const question = { question: { ui: 'confirm' as const }, definition: EARLIER_DEFINITION };
    return { call: { ...known, ...question }, isOpen: true };
  }
  if (context.mayStayOpen && state === 'input-available' && isOfPage) return { call: known, isOpen: true };
  const call = { ...known, end: CLOSING[isSuperseded ? 'superseded' : 'interrupted'] };
  return { call, isOpen: false, why: describeEnd(part, context) };
}

/** Returns how the call ended for the agent; undefined while it has no result. */
function readEnd(part: AiSdkToolPart): CallEnd | undefined {
  const { state, output, errorText, approval } = part;
  if (approval?.approved === false)
    return { result: toDeclinedResult({ confirmed: false }, approval.reason) };
  if (!isOver(part)) return undefined;
  if (state === 'output-available') return { result: output ?? null };
  return { error: String(errorText || 'The call failed without a message.') };
}

/** Returns the answer to the question whether the call may run. The AI SDK does not say who gave it. */
function readApprovalAnswer({ approval }: AiSdkToolPart, at: number): StoredAnswer | undefined {
  // `isAutomatic`: a rule of the server has decided, and no person.
  if (approval?.approved === undefined || approval.isAutomatic) return undefined;
  const { approved, reason } = approval;
  if (!approved)
    return compact({
      outcome: 'declined' as const,
      result: { confirmed: false },
      reason,
      at,
    }) as StoredAnswer;
  return compact({ outcome: 'submitted' as const, result: createApprovalYes(), reason, at }) as StoredAnswer;
}

function describeEnd({ state, approval }: AiSdkToolPart, { isSuperseded }: CallContext): string {
  if (isSuperseded) return 'Ended: a later message has taken the place of its answer.';
  if (approval?.approved)
    return 'Ended with an error for the agent: it was allowed, and nobody knows whether it has run. Look it up before you allow it again.';
  if (state === 'input-streaming')
    return 'Ended with an error for the agent: its arguments were not complete.';
  return 'Ended with an error for the agent: nobody knows whether it has run. If the page answers this tool, name it in `clientTools`.';
}
