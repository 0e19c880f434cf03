import { toDeclinedResult } from '../../shared/approval-answers.ts';
import { compact } from '../../shared/json.ts';
import type { ToolCallAnswer } from '../state/tool-call.ts';

/** The answer for each way in which a call can end. Error texts are written for a model to read. */
export const outcomes = {
  /** @param redactedResult the result without its secrets, if it has any */
  submitted: (result: unknown, redactedResult?: unknown): ToolCallAnswer =>
    compact({ outcome: 'submitted', result, redactedResult }),
  /**
   * @param details fields that the agent gets beside the no
   * @param redactedDetails the details without their secrets, if they have any
   */
  declined: (reason: string | undefined, details: unknown, redactedDetails?: unknown): ToolCallAnswer =>
    compact({
      outcome: 'declined' as const,
      // The agent, which sees the result alone, reads the answer in it.
      result: toDeclinedResult(details, reason),
      reason,
      redactedResult: redactedDetails === undefined ? undefined : toDeclinedResult(redactedDetails, reason),
    }),
  cancelled: (reason?: string): ToolCallAnswer =>
    compact({ outcome: 'cancelled' as const, error: reason ?? 'User cancelled', reason }),
  timedOut: (timeoutMs: number): ToolCallAnswer => ({
    outcome: 'timed-out',
    error: `Timed out after ${timeoutMs / 1000} s without an answer`,
  }),
  superseded: (): ToolCallAnswer => ({ outcome: 'superseded', error: 'Superseded by a new message' }),
  aborted: (): ToolCallAnswer => ({ outcome: 'aborted' }),
  expired: (): ToolCallAnswer => ({ outcome: 'expired' }),
  failed: (error: string): ToolCallAnswer => ({ outcome: 'failed', error }),
} as const;
