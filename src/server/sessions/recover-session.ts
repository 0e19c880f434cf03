/** Goes on with a session that nobody asks to: its process died in the middle of a run, or the time of a question is over. */
import type { PendingToolCall, ToolResult } from '../../core/protocol/events.ts';
import { compact } from '../../shared/json.ts';
import { acceptAll, acceptSome, restart } from '../answers/accept-answers.ts';
import { signRecord } from '../receipts/answer-receipt.ts';
import { waitingCalls } from '../runs/last-events.ts';
import type { AnswerRecord, ExecutionRecord, SessionRecord } from '../store/session-store.ts';
import { asInterrupted, type RequestContext } from './session-requests.ts';

/** Restarts the run of a process that died. Returns true if there was one; it runs without a reader, until one comes. */
export async function recoverRun(context: RequestContext): Promise<boolean> {
  const { execution } = context.state.getRecord();
  const isDead = execution?.state === 'running' && asInterrupted(context, execution)?.state === 'interrupted';
  if (!isDead) return false;
  const { acknowledge, lastSeq } = await restart(context, execution, []);
  void context.startRun(acknowledge, lastSeq).finishUnread();
  return true;
}

/** Settles the questions whose time is over. Returns true if there were any. The run goes on without a reader, if no call is left. */
export async function expireQuestions(context: RequestContext): Promise<boolean> {
  const record = context.state.getRecord();
  const now = context.settings.clock.now();
  const { execution } = record;
  const expired = expiringCalls(record).filter(({ deadline }) => deadline <= now);
  if (execution === null || expired.length === 0) return false;
  const results = expired.map(
    ({ toolCallId }): ToolResult => ({ toolCallId, error: 'Nobody answered in time' }),
  );
  const answers = await Promise.all(
    expired.map((call) =>
      signRecord(context.settings.receipts, toExpiredAnswer(context.settings.id, execution, call, now)),
    ),
  );
  const given = [...(execution.given ?? []), ...results];
  if (given.length < execution.open.length) {
    await acceptSome(context, execution, given, answers);
    return true;
  }
  const { acknowledge, lastSeq } = await acceptAll(context, execution, given, answers);
  void context.startRun(acknowledge, lastSeq).finishUnread();
  return true;
}

/** The questions of server tools that wait, and have a deadline. The deadlines of other calls are for their clients. */
export function expiringCalls({
  execution,
}: SessionRecord): readonly (PendingToolCall & { deadline: number })[] {
  const waiting = execution ? waitingCalls(execution) : [];
  return waiting.flatMap((call) =>
    call.question && call.deadline !== undefined ? { ...call, deadline: call.deadline } : [],
  );
}

function toExpiredAnswer(
  sessionId: string,
  { id: executionId, askedAt = 0 }: ExecutionRecord,
  { toolCallId, toolName, args, executedBy, receipt }: PendingToolCall,
  answeredAt: number,
): AnswerRecord {
  const isApproval = executedBy === 'server' || undefined;
  return compact({
    ...{ sessionId, executionId, toolCallId, toolName, args, isApproval },
    ...{ outcome: 'expired' as const, askedAt, answeredAt, receipt },
  });
}
