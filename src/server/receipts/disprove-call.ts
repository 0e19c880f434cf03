/** Checks the receipts of a call before its tool runs: somebody may have changed the store since a person answered. */
import type { CallRecord, CallRecords } from '../store/call-record.ts';
import { verifyReceipt } from './answer-receipt.ts';
import { toAnswerRecord } from './answer-record.ts';
import type { Receipts } from './receipts.ts';

/**
 * Returns a sentence that says why the call may not run, or undefined if the receipts prove each answer that it runs by, and that each was
 * given to the arguments that it runs with. `calls` are in their stored form.
 */
export async function disproveCall(
  receipts: Receipts,
  sessionId: string,
  calls: CallRecords,
  key: string,
): Promise<string | undefined> {
  const call = calls[key] as CallRecord;
  const questions = Object.values(calls).filter(({ askedBy }) => askedBy === key);
  for (const asked of [call, ...questions]) {
    if (asked.answer === undefined) continue;
    if (asked.digest !== call.digest)
      return `The question '${asked.toolCallId}' was asked about other arguments.`;
    const proof = await verifyReceipt(toAnswerRecord(sessionId, asked, asked.answer), receipts);
    if (!proof.valid) return proof.reason;
  }
  return undefined;
}
