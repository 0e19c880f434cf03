/** What follows from a turn that failed: where its run can be read on, and whether it is. */
import type { ResumeCommand } from '../protocol/commands.ts';
import type { Conversation } from '../state/conversation.ts';
import type { AgentTransport } from '../transport/agent-transport.ts';
import { takesTogether } from './requests.ts';
import type { Leg } from './turn.ts';

/** Where the run can be read on. */
export function positionOf(
  { executionId, cursor }: Conversation,
  transport: AgentTransport,
): ResumeCommand | undefined {
  return executionId && cursor && transport.attach ? { type: 'resume', executionId, cursor } : undefined;
}

/** Whether to read on rather than to ask again. */
export function canReattach(
  { command, heard }: Leg,
  conversation: Conversation,
  transport: AgentTransport,
): boolean {
  const { error, request } = conversation;
  if (!error || !positionOf(conversation, transport)) return false;
  const { code, errorType, retryable } = error;
  if (code === 'stream_interrupted' || code === 'connection_lost') return true;
  const isAnswer = command.type === 'respond';
  const together = takesTogether(transport);
  // A login that ran out, by the answer to a request, says nothing of the run, which is still there: asked for again, it would
  // be a second one. (A run that ended with such an error is over.)
  if (code === 'http_error' && errorType === 'authentication_error' && !(together && isAnswer)) return true;
  if (!retryable) return false;
  // Reading on failed on its way. What the run says itself, or the server of it, is its end, and the request is repeated; of
  // answers one by one that would be a single one, to a run that is over.
  if (command.type === 'resume')
    return (
      code === 'http_error' || code === 'connection_failed' || (!together && request?.type === 'respond')
    );
  // Whether the answers arrived is unknown. The run knows, and asks for them again if they did not, where it can be asked.
  return isAnswer && !heard && (!together || (code !== 'tool_rounds_exceeded' && code !== 'not_resumable'));
}
