/** The receipt of a question: issued when a call is asked, checked when an answer brings it back. */
import type { PendingToolCall, ToolResult } from '../../core/protocol/events.ts';
import { digestArguments } from '../../shared/digest-json.ts';
import { findDifference } from './find-difference.ts';
import type { QuestionClaims, Receipts } from './receipts.ts';

/** A call that is asked, and where. */
interface AskedCall {
  readonly sessionId: string;
  readonly executionId: string;
  readonly call: PendingToolCall;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
}

/** Returns the signed receipt of a call that is about to be asked. */
export async function issueReceipt(
  receipts: Receipts,
  { call, askedAt, ...place }: AskedCall,
): Promise<string> {
  return receipts.sign({ type: 'question', ...place, ...(await toClaims(call)), askedAt });
}

async function toClaims({ toolCallId, toolName, args, executedBy, deadline }: PendingToolCall) {
  const isApproval = executedBy === 'server' || undefined;
  return { toolCallId, toolName, args: await digestArguments(args), isApproval, deadline };
}

/** An answer to a call of the store. */
interface ReceivedAnswer extends Omit<AskedCall, 'askedAt'> {
  readonly answer: ToolResult;
}

/**
 * Returns a sentence that says why the answer is refused, or undefined if its receipt proves that this call was asked. The call comes from
 * the store: a receipt also shows that nobody changed it there since it was asked.
 */
export async function checkReceipt(
  receipts: Receipts,
  { call, answer, ...place }: ReceivedAnswer,
): Promise<string | undefined> {
  const { toolCallId } = call;
  const subject = `The receipt of the call '${toolCallId}'`;
  if (call.receipt === undefined) {
    return `The call '${toolCallId}' has no receipt, because it was asked before the session had \`receipts\`. Stop the run and ask again.`;
  }
  if (typeof answer.receipt !== 'string') {
    return `The answer to the call '${toolCallId}' has no receipt. Send the \`receipt\` of the call with it.`;
  }
  const claims = await receipts.verify(answer.receipt);
  if (claims?.type !== 'question') return `${subject} was not signed by this server.`;
  const expected = { ...place, ...(await toClaims(call)) };
  const difference = findDifference<QuestionClaims>(expected, claims);
  if (difference !== undefined) return `${subject} is for another question: it has another '${difference}'.`;
  if (answer.shown !== undefined && answer.shown !== expected.args) {
    return `The page showed other arguments of the call '${toolCallId}' than the server asked about. Load the question again.`;
  }
  return undefined;
}
