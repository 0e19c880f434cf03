/** Answers that go from one turn to the next: the agent gets them before the message of the turn that follows. */

import { isRedacted } from '../state/tool-call.ts';
import { createRespondCommand, toBatches } from './deliveries.ts';
import type { LegsContext } from './legs.ts';
import { deliverWithoutReply, requestStop } from './requests.ts';
import { createTurn, type Turn } from './turn.ts';

/**
 * Delivers what turns before still owe. What the agent would say to it is not wanted: the message follows.
 *
 * @param before had answers on their way to the agent when this turn took over. They are waited for, and sent again only if
 * they did not arrive; its requests stay open until the agent has its answers.
 */
export async function handOver(turn: Turn, context: LegsContext, before = createTurn()): Promise<void> {
  const { transport, store } = context;
  const { legs, abort } = before;
  turn.abort.signal.addEventListener('abort', () => abort.abort());
  const { undelivered: owed } = store.read();
  try {
    for (const leg of legs) {
      if (leg.open && !leg.heard && leg.answers.length > 0)
        await new Promise<void>((resolve) => (leg.onHeard = resolve));
    }
    const arrived = [...legs].flatMap(({ heard, answers }) => (heard ? answers : []));
    const left = owed.filter(({ key, answer }) => !arrived.includes(key) && !isRedacted(answer));
    for (const calls of toBatches(left, transport)) {
      // Called off: whether the answers arrived is not known, and the run was told to stop with the turn.
      if (turn.over) return;
      await deliverWithoutReply(context, createRespondCommand(calls), abort.signal);
    }
    if (turn.over) return;
  } finally {
    abort.abort();
  }
  store.change({ type: 'undelivered-delivered' });
  requestStop(transport, owed[0] ?? {});
}
