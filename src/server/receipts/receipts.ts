/** Placeholder types until the receipts are merged. */
import type { PendingToolCall, ToolResult } from '../../protocol/events.ts';
import type { AnswerRecord } from '../sessions/session-store.ts';

export interface Receipts {
  sign(claims: Readonly<Record<string, unknown>>): string | Promise<string>;
  verify(
    receipt: string,
  ): Readonly<Record<string, unknown>> | null | Promise<Readonly<Record<string, unknown>> | null>;
}
export async function issueReceipt(
  receipts: Receipts,
  question: { sessionId: string; executionId: string; call: PendingToolCall; askedAt: number },
): Promise<string> {
  return receipts.sign({ ...question });
}
export async function checkReceipt(
  receipts: Receipts,
  given: { sessionId: string; executionId: string; call: PendingToolCall; answer: ToolResult; now: number },
): Promise<string | undefined> {
  return (await receipts.verify(given.answer.receipt ?? '')) ? undefined : 'no';
}
export async function signAnswer(receipts: Receipts, record: AnswerRecord): Promise<string> {
  return receipts.sign({ ...record });
}
