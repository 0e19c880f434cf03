/** Answers that go from one turn to the next: the agent gets them before the message of the turn that follows. */
import type { Conversation } from '../state/conversation.ts';
import type { AgentTransport, TransportIO } from '../transport/agent-transport.ts';
import { createRespondCommand, selectUndelivered } from './deliveries.ts';
import { deliverWithoutReply, requestStop } from './requests.ts';
import { type AnswerLeg, createLeg, type Handover, isUnheard, type Turn } from './turn.ts';

/** Answers the agent still has to get when the turn gives way to a new message. */
export function takeHandover(turn: Turn, conversation: Conversation): Handover | undefined {
  const legs = [...turn.legs].filter((leg): leg is AnswerLeg => leg.open && isUnheard(leg));
  const calls = selectUndelivered(conversation);
  if (calls.length > 0) legs.push(createLeg(createRespondCommand(calls, conversation)));
  return legs.length > 0 ? { legs, requests: turn.abort } : turn.handover;
}

/** Delivers the answers of the turn before. What the agent would say to them is not wanted: the message follows. */
export async function handOver(
  turn: Turn,
  { legs, requests }: Handover,
  transport: AgentTransport,
  onUnknownEvent: TransportIO['onUnknownEvent'],
): Promise<void> {
  const isOpen = requests?.signal.aborted === false;
  const abort = isOpen ? requests : new AbortController();
  const { signal } = abort;
  turn.abort.signal.addEventListener('abort', () => abort.abort(), { once: true });
  try {
    for (const leg of legs) {
      // It is on its way.
      if (isOpen && leg.open && !leg.heard) await new Promise<void>((resolve) => (leg.onHeard = resolve));
      if (!leg.heard) await deliverWithoutReply(transport, leg.command, { signal, onUnknownEvent });
      // Called off: whether the answers arrived is not known, and the run was told to stop with the turn.
      if (turn.over) return;
      leg.heard = true;
    }
  } finally {
    abort.abort();
  }
  turn.handover = undefined;
  requestStop(transport, (legs[0] as AnswerLeg).command);
}
