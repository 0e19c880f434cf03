/** The receipt of an answer: signed when the answer is stored, verified when somebody audits the record. */
import { digestArguments, digestJson } from '../../shared/digest-json.ts';
import type { AnswerRecord } from './answer-record.ts';
import { findDifference } from './find-difference.ts';
import type { AnswerClaims, QuestionClaims, Receipts } from './receipts.ts';

/** The finding of {@link verifyReceipt}. `reason` is a sentence for people. */
export type ReceiptProof =
  | { readonly valid: true; readonly question: QuestionClaims; readonly answer: AnswerClaims }
  | { readonly valid: false; readonly reason: string };

/** Returns the signed receipt of an answer. The record must be as it is stored: without its secrets, and with the receipt of its question. */
export async function signAnswer(
  receipts: Receipts,
  record: Omit<AnswerRecord, 'answerReceipt'>,
): Promise<string> {
  return receipts.sign({ type: 'answer', ...(await toAnswerClaims(record)) });
}

/**
 * Proves an answer of a session's record, later and on any machine: that the server asked about these arguments, and that this person
 * gave this answer at this time. `receipts` needs the secret, or the public key, of the time of the answer.
 *
 * The record is not valid if any of its fields was changed, or if a receipt belongs to another question or answer.
 */
export async function verifyReceipt(record: AnswerRecord, receipts: Receipts): Promise<ReceiptProof> {
  const { receipt, answerReceipt, sessionId, executionId, toolCallId, toolName, isApproval, askedAt } =
    record;
  if (typeof receipt !== 'string') return invalid('The record has no receipt, so nothing proves it.');
  if (typeof answerReceipt !== 'string') {
    return invalid('The record has no answerReceipt, so nothing proves it.');
  }
  const [question, answer] = await Promise.all([receipts.verify(receipt), receipts.verify(answerReceipt)]);
  if (question?.type !== 'question') return invalid('The receipt of the question has no valid signature.');
  if (answer?.type !== 'answer') return invalid('The receipt of the answer has no valid signature.');
  const args = await digestArguments(record.args);
  const asked = { sessionId, executionId, toolCallId, toolName, args, isApproval, askedAt };
  const askedOther = findDifference<QuestionClaims>(asked, question);
  if (askedOther)
    return invalid(`The receipt of the question is for another question: it has another '${askedOther}'.`);
  const answeredOther = findDifference<AnswerClaims>(await toAnswerClaims(record), answer);
  if (answeredOther)
    return invalid(`The receipt of the answer is for another answer: it has another '${answeredOther}'.`);
  return { valid: true, question, answer };
}

async function toAnswerClaims(
  record: Omit<AnswerRecord, 'answerReceipt'>,
): Promise<Omit<AnswerClaims, 'type'>> {
  const { receipt, outcome, result, error, reason, files, answeredBy, answeredAt, shown, remembered } =
    record;
  // A record without a reason or files has the same digest as one of before there were any.
  const said = { result, error, reason, files };
  const [receiptDigest, value] = await Promise.all([digestJson(receipt), digestJson(said)]);
  return { receipt: receiptDigest, outcome, value, answeredBy, answeredAt, shown, remembered };
}

function invalid(reason: string): ReceiptProof {
  return { valid: false, reason };
}
