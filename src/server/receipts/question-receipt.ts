/** The receipt of a question: issued when a call is asked, checked when an answer brings it back. */
import type { ToolResult } from '../../core/protocol/events.ts';
import { digestJson } from '../../shared/digest-json.ts';
import { type CallRecord, hasAskedArguments, isApproval } from '../store/call-record.ts';
import { findDifference } from './find-difference.ts';
import type { QuestionClaims, Receipts } from './receipts.ts';

/** Returns the signed receipt of a call that is about to be asked. */
export async function issueReceipt(receipts: Receipts, sessionId: string, call: CallRecord): Promise<string> {
  const claims = { ...toClaims(sessionId, call), question: await digestShown(call) };
  return receipts.sign({ type: 'question', ...claims, askedAt: call.askedAt ?? 0 });
}

function toClaims(sessionId: string, call: CallRecord) {
  const { executionId, toolCallId, toolName, digest = '', deadline } = call;
  return {
    ...{ sessionId, executionId, toolCallId, toolName, args: digest, deadline },
    isApproval: isApproval(call) || undefined,
  };
}

/** The digest of the texts, the schema and the severity that a person is shown. */
async function digestShown({ question }: CallRecord): Promise<string | undefined> {
  return question && digestJson(question);
}

/**
 * Returns a sentence that says why an answer is refused, or undefined if its receipt proves that this call was asked. The call comes from
 * the store: a receipt also shows that nobody changed it there since it was asked.
 */
export async function checkReceipt(
  receipts: Receipts,
  sessionId: string,
  call: CallRecord,
  answer: Pick<ToolResult, 'receipt' | 'shown'>,
): Promise<string | undefined> {
  const { toolCallId, receipt } = call;
  if (receipt === undefined) {
    return `The call '${toolCallId}' has no receipt, because it was asked before the session had \`receipts\`. Stop the run and ask again.`;
  }
  if (typeof answer.receipt !== 'string') {
    return `The answer to the call '${toolCallId}' has no receipt. Send the \`receipt\` of the call with it.`;
  }
  if (!(await hasAskedArguments(call))) {
    return `The arguments of the call '${toolCallId}' in the store are not those that were asked about.`;
  }
  const claims = await receipts.verify(answer.receipt);
  if (claims?.type !== 'question')
    return `The receipt of the call '${toolCallId}' was not signed by this server.`;
  // A question that was asked before 0.2 was signed without its texts.
  const question = claims.question === undefined ? undefined : await digestShown(call);
  const difference = findDifference<QuestionClaims>({ ...toClaims(sessionId, call), question }, claims);
  if (difference !== undefined) {
    return `The receipt of the call '${toolCallId}' is for another question: it has another '${difference}'.`;
  }
  return checkShown(call, answer);
}

/** Returns a sentence that says why an answer is refused, or undefined if the page showed what was asked, or does not say what it showed. */
export function checkShown(
  { toolCallId, digest }: CallRecord,
  { shown }: Pick<ToolResult, 'shown'>,
): string | undefined {
  if (shown === undefined || shown === digest) return undefined;
  return `The page showed other arguments of the call '${toolCallId}' than the server asked about. Load the question again.`;
}
