import { compact } from '../../shared/json.ts';
import { signRecord } from '../receipts/answer-receipt.ts';
import type { RequestContext } from '../sessions/session-requests.ts';
import type { AnswerRecord, ExecutionRecord } from '../store/session-store.ts';
import { toOutcome } from './check-question-answer.ts';
import type { AnsweredCall } from './refuse-answer.ts';

/** Returns what the session keeps of an answer: without secrets, and signed where the session has receipts. */
export async function toAnswerRecord(
  { settings, principal }: RequestContext,
  execution: ExecutionRecord,
  { call, answer }: AnsweredCall,
): Promise<AnswerRecord> {
  const { redactStored } = settings;
  const { error, shown } = answer;
  const result = error || !redactStored ? answer.result : redactStored(answer.result, call);
  const now = settings.clock.now();
  const record: AnswerRecord = compact({
    sessionId: settings.id,
    executionId: execution.id,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    args: call.args,
    isApproval: call.executedBy === 'server' || undefined,
    outcome: toOutcome(answer),
    result: error === undefined ? (result ?? null) : undefined,
    error,
    answeredBy: principal && compact({ id: principal.id, name: principal.name }),
    askedAt: execution.askedAt ?? now,
    answeredAt: now,
    receipt: call.receipt,
    shown,
  });
  return signRecord(settings.receipts, record);
}
