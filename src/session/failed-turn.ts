/** What follows from a turn that failed: where its run can be read on, and whether it is. */
import type { ResumeCommand } from '../protocol/commands.ts';
import type { AgentChatError } from '../shared/errors.ts';
import type { Conversation } from '../state/conversation.ts';
import type { AgentTransport } from '../transport/agent-transport.ts';
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
  if (error.code === 'stream_interrupted' || error.code === 'connection_lost') return true;
  // A login that ran out says nothing of the run, which is still there: asked for again, it would be a second one.
  const together = transport.capabilities.results === 'together';
  if (isLoginOver(error) && !(together && command.type === 'respond')) return true;
  if (!error.retryable) return false;
  // Reading on failed on its way. What the run says itself, or the server of it, is its end, and the request is repeated; of
  // answers one by one that would be a single one, to a run that is over.
  if (command.type === 'resume')
    return (
      error.code === 'http_error' ||
      error.code === 'connection_failed' ||
      (!together && request?.type === 'respond')
    );
  // Whether the answers arrived is unknown. The run knows, and asks for them again if they did not, where it can be asked.
  const isAsked = error.code !== 'tool_rounds_exceeded' && error.code !== 'not_resumable';
  return command.type === 'respond' && !heard && (isAsked || !together);
}

/** By the answer to a request: a run that ended with such an error is over. */
function isLoginOver({ code, errorType }: AgentChatError): boolean {
  return code === 'http_error' && errorType === 'authentication_error';
}
