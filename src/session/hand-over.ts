/** Answers that go from one turn to the next: the agent gets them before the message of the turn that follows. */
import type { Conversation } from '../state/conversation.ts';
import type { AgentTransport, TransportIO } from '../transport/agent-transport.ts';
import { createRespondCommand, selectUndelivered } from './deliveries.ts';
import { deliverWithoutReply, requestStop } from './requests.ts';
import type { Handover, Turn } from './turn.ts';

/** Answers the agent still has to get when the turn gives way to a new message. */
export function takeHandover(turn: Turn, conversation: Conversation): Handover | undefined {
  const calls = selectUndelivered(conversation);
  if (calls.length === 0) return turn.handover;
  return { command: createRespondCommand(calls, conversation), requests: turn.abort };
}

/** Delivers the answers of the turn before. What the agent would say to them is not wanted: the message follows. */
export async function handOver(
  turn: Turn,
  { command, requests }: Handover,
  transport: AgentTransport,
  onUnknownEvent: TransportIO['onUnknownEvent'],
): Promise<void> {
  const abort = new AbortController();
  turn.abort.signal.addEventListener('abort', () => abort.abort(), { once: true });
  try {
    await deliverWithoutReply(transport, command, { signal: abort.signal, onUnknownEvent });
  } finally {
    abort.abort();
    requests?.abort();
  }
  // Called off: whether the answers arrived is not known, and the run was told to stop with the turn.
  if (turn.over) return;
  turn.handover = undefined;
  requestStop(transport, command);
}
