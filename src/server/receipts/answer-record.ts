/** The answers of a conversation, each complete in itself: for audit trails, exports and `verifyReceipt`. */
import type { ResultFile } from '../../core/protocol/events.ts';
import { compact } from '../../shared/json.ts';
import type { Answerer } from '../../shared/principal.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import { type CallRecord, isApproval, type StoredAnswer } from '../store/call-record.ts';
import type { SessionRecord } from '../store/session-store.ts';
import { upgradeRecord } from '../store/upgrade-record.ts';

/** The answer to a call, with what was asked. JSON. It has no secrets, and `verifyReceipt` proves it where the session has `receipts`. */
export interface AnswerRecord {
  readonly sessionId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** The arguments that were asked about. */
  readonly args: Readonly<Record<string, unknown>>;
  /** True if the question was whether a call of a server tool may run. */
  readonly isApproval?: true;
  readonly outcome: ToolOutcome;
  readonly result?: unknown;
  readonly error?: string;
  /** The words of the person about the answer, such as why not. */
  readonly reason?: string;
  /** Files that the tool of the page made. */
  readonly files?: readonly ResultFile[];
  /** Absent where the app gave no principal, and for a question that expired. */
  readonly answeredBy?: Answerer;
  /** Milliseconds since the epoch, both. */
  readonly askedAt: number;
  readonly answeredAt: number;
  /** Signed when the call was asked. */
  readonly receipt?: string;
  /** Signed when it was answered: over `receipt`, the answer and the person. */
  readonly answerReceipt?: string;
  /** The digest of what the person saw, as the page sent it. */
  readonly shown?: string;
  /** The earlier answer that the person wanted to have remembered: nobody was asked about this call. */
  readonly remembered?: NonNullable<StoredAnswer['remembered']>;
}

/** Returns all answers of a stored session, over all of its turns, the earliest first. */
export function readAnswers(sessionId: string, record: SessionRecord): AnswerRecord[] {
  return Object.values(upgradeRecord(record).calls)
    .flatMap((call) => (call.answer ? [toAnswerRecord(sessionId, call, call.answer)] : []))
    .sort((one, other) => one.answeredAt - other.answeredAt);
}

/** The answer to a call on its own. `call` must be in its stored form. */
export function toAnswerRecord(sessionId: string, call: CallRecord, answer: StoredAnswer): AnswerRecord {
  const { executionId, toolCallId, toolName, args, receipt } = call;
  const { outcome, result, error, reason, files, answeredBy, at, shown, remembered } = answer;
  return compact({
    ...{ sessionId, executionId, toolCallId, toolName, args },
    isApproval: isApproval(call) || undefined,
    ...{ outcome, result, error, reason, files, answeredBy },
    ...{
      askedAt: call.askedAt ?? at,
      answeredAt: at,
      receipt,
      answerReceipt: answer.receipt,
      shown,
      remembered,
    },
  }) as AnswerRecord;
}
