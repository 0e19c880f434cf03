/** Answers that go from one turn to the next: the agent gets them before the message of the turn that follows. */

import { isWithheld } from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type { AgentTransport, TransportIO } from '../transport/agent-transport.ts';
import { createRespondCommand, groupByRun } from './deliveries.ts';
import { deliverWithoutReply, requestStop } from './requests.ts';
import type { OnItsWay, Turn } from './turn.ts';

/** Delivers what turns before still owe. What the agent would say to it is not wanted: the message follows. */
export async function handOver(
  turn: Turn,
  transport: AgentTransport,
  store: ChatStore,
  onUnknownEvent: TransportIO['onUnknownEvent'],
): Promise<void> {
  const { legs = [], requests = new AbortController() }: Partial<OnItsWay> = turn.onItsWay ?? {};
  const { signal } = requests;
  turn.abort.signal.addEventListener('abort', () => requests.abort(), { once: true });
  const { owed } = store.read();
  try {
    for (const leg of legs) {
      if (leg.open && !leg.heard && leg.answers.length > 0)
        await new Promise<void>((resolve) => (leg.onHeard = resolve));
    }
    const arrived = legs.flatMap(({ heard, answers }) => (heard ? answers : []));
    const left = owed.filter(({ key, answer }) => !arrived.includes(key) && !isWithheld(answer));
    for (const calls of groupByRun(left)) {
      // Called off: whether the answers arrived is not known, and the run was told to stop with the turn.
      if (turn.over) return;
      await deliverWithoutReply(transport, createRespondCommand(calls), { signal, onUnknownEvent });
    }
    if (turn.over) return;
  } finally {
    requests.abort();
  }
  store.change({ type: 'calls-handed-over' });
  requestStop(transport, { executionId: owed[0]?.executionId });
}
