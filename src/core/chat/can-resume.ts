import type { ResumeCommand } from '../protocol/commands.ts';
import type { Conversation } from '../state/conversation.ts';
import type { AgentTransport } from '../transport/agent-transport.ts';
import type { AnswerDelivery } from './answer-delivery.ts';
import type { TurnRequest } from './turn.ts';

/** Returns the command that resumes the run of the turn, or undefined if the backend gave no position or cannot resume. */
export function toResumeCommand(
  { executionId, cursor }: Conversation,
  { capabilities }: AgentTransport,
): ResumeCommand | undefined {
  return executionId && cursor && capabilities.resume ? { type: 'resume', executionId, cursor } : undefined;
}

/** True if `retry()` should resume the run of the failed request instead of sending the request again. */
export function canResume(
  { command, isAcknowledged }: TurnRequest,
  conversation: Conversation,
  transport: AgentTransport,
  delivery: AnswerDelivery,
): boolean {
  const { error, request } = conversation;
  if (!error || !toResumeCommand(conversation, transport)) return false;
  const { code, errorType, retryable } = error;
  if (code === 'stream_interrupted' || code === 'connection_lost') return true;
  // The run that was left with the failure must be read on, and gets the answer again.
  if (!delivery.readsRun(command)) return true;
  const isAnswer = command.type === 'respond';
  // A login that ran out says nothing about the run, which still exists: sent again, the trigger would start a second run.
  // An answer was refused with the rest of the run, so it has to be sent again.
  if (code === 'http_error' && errorType === 'authentication_error') return !isAnswer;
  if (!retryable) return false;
  if (command.type === 'resume') {
    // Resuming failed in transit: resume again. If the backend itself reported the error, the run is over and the original
    // request is sent again. One exception: that request is a single answer, which a run that is over cannot take.
    const failedInTransit = code === 'http_error' || code === 'connection_failed';
    return failedInTransit || (request !== null && !delivery.readsRun(request));
  }
  // It is unknown whether the answers arrived. The run knows: resumed, it asks for them again if they did not.
  const reachedTheRun = code !== 'tool_rounds_exceeded' && code !== 'not_resumable';
  return isAnswer && !isAcknowledged && reachedTheRun;
}
