/** What each way of settling a call tells the agent. Texts are written for a model to read. */
import type { ToolAnswer } from '../protocol/commands.ts';
import { compact } from '../shared/json.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';

export const answers = {
  /** `shown` is for a result with secrets: it without them. */
  submitted: (result: unknown, redactedResult?: unknown): ToolCallAnswer =>
    compact({ outcome: 'submitted', result, redactedResult }),
  declined: (reason: string | undefined, details: unknown): ToolCallAnswer => ({
    outcome: 'declined',
    result: Object.freeze(compact({ ...(details as object | null), outcome: 'declined', reason })),
  }),
  cancelled: (reason = 'User cancelled'): ToolCallAnswer => ({ outcome: 'cancelled', error: reason }),
  timedOut: (timeoutMs: number): ToolCallAnswer => ({
    outcome: 'timed-out',
    error: `Timed out after ${timeoutMs / 1000} s without an answer`,
  }),
  superseded: (): ToolCallAnswer => ({ outcome: 'superseded', error: 'Superseded by a new message' }),
  aborted: (): ToolCallAnswer => ({ outcome: 'aborted' }),
  expired: (): ToolCallAnswer => ({ outcome: 'expired' }),
  failed: (error: string): ToolCallAnswer => ({ outcome: 'failed', error }),
} as const;

/** The answer of a call that has one, as a transport takes it. */
export function toToolAnswer(call: ToolCall): ToolAnswer {
  const { toolCallId, toolName, args: _args, source: _source, deadline: _deadline, ...echo } = call.request;
  const { redactedResult: _shown, ...told } = call.answer as ToolCallAnswer;
  return { toolCallId, toolName, ...told, ...(call.sent && { repeated: true }), echo };
}
