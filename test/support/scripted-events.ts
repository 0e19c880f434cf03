/** Short forms of the events that tests of the engine send. */
import type { AgentEvent, ErrorEvent, PendingToolCall } from '../../src/core/protocol/events.ts';

export const start: AgentEvent = { type: 'start', executionId: 'run-1' };
export const stopped: AgentEvent = { type: 'finish', finishReason: 'stop' };
export const awaitingAnswers: AgentEvent = {
  type: 'finish',
  finishReason: 'client-tool-calls',
  executionId: 'run-1',
};
/** A failure of the run that can be retried. */
export const failure: ErrorEvent = {
  type: 'error',
  errorType: 'internal_error',
  message: 'Out of order',
  source: 'platform',
  retryable: true,
};

export function call(
  toolCallId: string,
  toolName: string,
  args: Record<string, unknown> = {},
): PendingToolCall {
  return { toolCallId, toolName, args };
}

export function request(...toolCalls: PendingToolCall[]): AgentEvent {
  return { type: 'client-tool-request', executionId: 'run-1', toolCalls };
}

export function text(id: string, delta: string): AgentEvent[] {
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta },
  ];
}
