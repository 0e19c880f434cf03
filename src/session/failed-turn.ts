/** What follows from a turn that failed: what it still owes the agent, and where its run can be read on. */
import type { ResumeCommand } from '../protocol/commands.ts';
import type { AgentChatError } from '../shared/errors.ts';
import type { Conversation } from '../state/conversation.ts';
import type { AgentTransport } from '../transport/agent-transport.ts';
import { createRespondCommand, selectUndelivered } from './deliveries.ts';
import { createLeg, type Handover, isUnheard, type Leg } from './turn.ts';

export interface FailedTurn {
  /** The request that failed. */
  readonly leg: Leg;
  /** Answers of the turn before that it had not passed on yet. */
  readonly handover: Handover | undefined;
}

/** Answers the agent never saw, where trying again can help. */
export function owedBy(
  { leg, handover }: FailedTurn,
  conversation: Conversation,
  together: boolean,
): Handover | undefined {
  if (handover !== undefined) return handover;
  if (!conversation.error?.retryable) return undefined;
  const calls = selectUndelivered(conversation);
  if (!together && calls.length > 0) return { legs: [createLeg(createRespondCommand(calls, conversation))] };
  return isUnheard(leg) ? { legs: [leg] } : undefined;
}

/** Where the run can be read on. */
export function positionOf(
  { executionId, cursor }: Conversation,
  transport: AgentTransport,
): ResumeCommand | undefined {
  const isKnown = executionId !== undefined && cursor !== undefined && transport.attach !== undefined;
  return isKnown ? { type: 'resume', executionId, cursor } : undefined;
}

/** Whether to read on rather than to ask again. */
export function canReattach(
  { leg: { command, heard } }: FailedTurn,
  conversation: Conversation,
  transport: AgentTransport,
): boolean {
  const { error } = conversation;
  if (!error || !positionOf(conversation, transport)) return false;
  if (error.code === 'stream_interrupted' || error.code === 'connection_lost') return true;
  // A login that ran out says nothing of the run, which is still there: asked for again, it would be a second one.
  const together = transport.capabilities.results === 'together';
  if (isLoginOver(error) && !(together && command.type === 'respond')) return true;
  // Whether the answers arrived is unknown. The run knows, and asks for them again if they did not.
  if (command.type !== 'respond' || heard || !error.retryable) return false;
  return error.code !== 'tool_rounds_exceeded' || !together;
}

/** By the answer to a request: a run that ended with such an error is over. */
function isLoginOver({ code, errorType }: AgentChatError): boolean {
  return code === 'http_error' && errorType === 'authentication_error';
}
