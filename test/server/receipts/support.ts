import type { ToolResult } from '../../../src/core/protocol/events.ts';
import { signAnswer } from '../../../src/server/receipts/answer-receipt.ts';
import type { AnswerRecord } from '../../../src/server/receipts/answer-record.ts';
import { issueReceipt } from '../../../src/server/receipts/question-receipt.ts';
import type { QuestionClaims, Receipts } from '../../../src/server/receipts/receipts.ts';
import type { CallRecord } from '../../../src/server/store/call-record.ts';
import { digestArguments } from '../../../src/shared/digest-json.ts';

export const createSecret = (name: string) => name.padEnd(32, '.');

/** The claims of some question. */
export const claims: QuestionClaims = {
  type: 'question',
  sessionId: 'session-1',
  executionId: 'execution-1',
  toolCallId: 'call-1',
  toolName: 'refund',
  args: 'digest',
  askedAt: 1_000,
};

const args = { orderId: 'ord_1', amount: 80, lines: [{ sku: 'lamp' }] };

/** A call that is asked about. */
export const call: CallRecord = {
  toolCallId: 'call-1',
  executionId: 'execution-1',
  turnId: 'execution-1',
  toolName: 'refund',
  args,
  digest: await digestArguments(args),
  executedBy: 'client',
  stage: 'asked',
  askedAt: 1_000,
  deadline: 60_000,
};

const place = { sessionId: 'session-1', executionId: 'execution-1' };

/** A call that was asked, and an answer to it. */
export async function askAndAnswer(receipts: Receipts, asked: CallRecord = call) {
  const receipt = await issueReceipt(receipts, place.sessionId, asked);
  const answer: ToolResult = { toolCallId: asked.toolCallId, result: { confirmed: true }, receipt };
  return { call: { ...asked, receipt }, answer };
}

/** The record of an answer as a session stores it. */
export async function recordAnswer(
  receipts: Receipts,
  change: Partial<AnswerRecord> = {},
): Promise<AnswerRecord> {
  const receipt = await issueReceipt(receipts, place.sessionId, call);
  const record: AnswerRecord = {
    ...place,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    args: call.args,
    outcome: 'submitted',
    result: { confirmed: true, reason: 'broken' },
    answeredBy: { id: 'kim', name: 'Kim' },
    askedAt: 1_000,
    answeredAt: 2_000,
    receipt,
    shown: 'digest',
    ...change,
  };
  return { ...record, answerReceipt: await signAnswer(receipts, record) };
}
