import { isRedacted } from '../state/tool-call.ts';
import { deliverWithoutReply, type ResponseContext, requestStop } from './open-response.ts';
import { isResumed, type Turn } from './turn.ts';

/**
 * Delivers the answers that earlier turns left undelivered, before `turn` sends its message.
 *
 * @param before the turn that `turn` took over from while its answers were in transit. Its requests stay open until the backend has
 * acknowledged them; only answers that did not arrive are sent again.
 */
export async function deliverLeftovers(
  turn: Turn,
  context: ResponseContext,
  before: Turn | undefined,
): Promise<void> {
  const { delivery, store } = context;
  const requests = [...(before?.requests ?? [])];
  const abort = new AbortController();
  const leave = () => before?.abort.abort();
  turn.abort.signal.addEventListener('abort', () => abort.abort());
  abort.signal.addEventListener('abort', leave);
  const { undelivered } = store.read();
  try {
    for (const request of requests) {
      if (request.isOpen && !request.isAcknowledged && request.answers.length > 0) {
        await request.acknowledged;
      }
    }
    const arrived = requests.flatMap(({ isAcknowledged, answers }) => (isAcknowledged ? answers : []));
    const left = undelivered.filter(({ key, answer }) => !arrived.includes(key) && !isRedacted(answer));
    for (const command of delivery.toCommands(left)) {
      // The turn was stopped, and its run with it. Whether the answers arrived is unknown, so they stay undelivered.
      if (turn.isOver) return;
      if (before && isResumed(before) && delivery.readsRun(command)) leave();
      await deliverWithoutReply(context, command, abort.signal);
    }
    if (turn.isOver) return;
  } finally {
    abort.abort();
  }
  store.change({ type: 'undelivered-delivered' });
  requestStop(context, { executionId: undelivered[0]?.executionId });
}
