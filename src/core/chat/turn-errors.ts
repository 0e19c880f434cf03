/** The errors with which a call of the chat is rejected, or a turn fails. */

import { AgentChatError, describeThrown } from '../../shared/errors.ts';
import type { ErrorEvent } from '../protocol/events.ts';

export function backendError(event: ErrorEvent): AgentChatError {
  const { type: _, cursor: __, code: backendCode, raw, ...fields } = event;
  return new AgentChatError({ ...fields, code: 'backend_error', backendCode, cause: raw ?? event });
}

export function finishError(cause: unknown): AgentChatError {
  return new AgentChatError({
    code: 'finish_error',
    message: 'The agent ended with an error. retry() asks again.',
    errorType: 'execution_error',
    source: 'platform',
    retryable: true,
    cause,
  });
}

export function streamInterrupted(): AgentChatError {
  return new AgentChatError({
    code: 'stream_interrupted',
    message: 'The response ended before the agent was finished. retry() asks again.',
    errorType: 'protocol_error',
    retryable: true,
  });
}

export function toolRoundsExceeded(limit: number): AgentChatError {
  return new AgentChatError({
    code: 'tool_rounds_exceeded',
    message: `The agent called tools ${limit} times in a row, the limit of maxToolRounds. retry() goes on.`,
    errorType: 'execution_error',
    retryable: true,
  });
}

export function notResumable(): AgentChatError {
  return new AgentChatError({
    code: 'not_resumable',
    message: 'The backend gave no position in the run, so it cannot be resumed. retry() asks again.',
    errorType: 'not_found_error',
  });
}

export function destroyed(): AgentChatError {
  return new AgentChatError({
    code: 'destroyed',
    message: 'This chat was destroyed, so nothing was sent. Create another.',
    errorType: 'validation_error',
  });
}

export function awaitingInput(toolNames: readonly string[]): AgentChatError {
  return new AgentChatError({
    code: 'awaiting_input',
    message:
      `The agent waits for an answer (${toolNames.join(', ')}), so nothing was sent. Settle the call first, or pass ` +
      "whilePending: 'cancel' or 'queue'.",
    errorType: 'validation_error',
  });
}

/** Converts whatever a transport threw into an AgentChatError. */
export function transportError(thrown: unknown): AgentChatError {
  if (AgentChatError.isInstance(thrown)) return thrown;
  return new AgentChatError({
    code: 'connection_failed',
    message: describeThrown(thrown, 'The request failed without saying why.'),
    errorType: 'internal_error',
    retryable: true,
    cause: thrown,
  });
}
