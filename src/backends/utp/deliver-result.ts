/** Delivers a result: saves the card, ends the claim, reports to L0, wakes the worker. Each step may be repeated after a crash. */
import type { Clock } from '../../shared/clock.ts';
import { type CallbackPayload, toCallbackPayload } from './build-tool-result.ts';
import type { CallIdentity } from './call.ts';
import type { Card, CardStore } from './cards.ts';
import type { Claims } from './claim.ts';
import type { L0 } from './l0.ts';
import { inStep, StepFailure, type UtpFailureListener } from './step-failure.ts';
import { retry } from './timing.ts';
import { createChildSpan } from './traceparent.ts';
import type { Wakeup } from './wake-worker.ts';

/** The parts that results pass on their way to the agent. */
export interface DeliverySettings {
  /** The actor that writes result cards and reports them. */
  readonly actor: string;
  readonly cards: CardStore;
  readonly l0: L0;
  readonly claims: Claims;
  readonly wake: (wakeup: Wakeup) => Promise<void>;
  readonly clock: Clock;
  readonly onFailure: UtpFailureListener;
  /** Aborts when the service stops. */
  readonly signal: AbortSignal;
}

/**
 * - `delivered`: the card is saved, and L0 accepted its report
 * - `answered-elsewhere`: the store has another result of this call, such as the watchdog's timeout
 * - `refused`: L0 refused the report for good; the agent will not see the result
 */
export type Delivered =
  | { readonly status: 'delivered' | 'answered-elsewhere' }
  | { readonly status: 'refused'; readonly reason: string };

/**
 * Delivers a result card. The store and L0 both refuse a second result of a call, so the function may run again after any crash.
 *
 * @throws StepFailure if the store, NATS or L0 failed. The result can be delivered later.
 */
export async function deliverResult(
  settings: DeliverySettings,
  identity: CallIdentity,
  key: string,
  card: Card,
): Promise<Delivered> {
  const stored = await inStep('save', () => settings.cards.saveResult(card));
  const payload = toCallbackPayload(stored.card);
  if (payload) await inStep('claim', () => settings.claims.finish(key, payload));
  // The author of a foreign result reports it. L0 would refuse our report of it.
  if (payload === undefined || stored.card.author_id !== settings.actor)
    return { status: 'answered-elsewhere' };
  const reported = await reportResult(settings, identity, payload);
  return stored.card.card_id === card.card_id ? reported : { status: 'answered-elsewhere' };
}

/**
 * Reports a result and wakes the worker. L0 answers a second report of a call with `rejected`, as it does for a report that breaks its
 * rules; neither can succeed later. A second one wakes the worker again: a call has one result, so it is the result that was reported.
 *
 * @throws StepFailure if L0 could not be reached, or is busy.
 */
export async function reportResult(
  settings: DeliverySettings,
  identity: CallIdentity,
  payload: CallbackPayload,
): Promise<Delivered> {
  const traceparent = createChildSpan(identity.traceparent);
  const { projectId, channelId, agentId, agentTurnId, turnEpoch, toolCallId, recursionDepth, stepId } =
    identity;
  const answer = await inStep('report', () =>
    settings.l0.report({
      projectId,
      channelId,
      sourceAgentId: settings.actor,
      targetAgentId: agentId,
      agentTurnId,
      turnEpoch,
      toolCallId,
      recursionDepth,
      traceparent,
      ...(stepId === undefined ? {} : { stepId }),
      messageType: 'tool_result',
      payload,
    }),
  );
  if (answer.wakeup) await ring(settings, identity, answer.wakeup.workerTarget, traceparent);
  if (answer.ack === 'accepted') return { status: 'delivered' };
  const reason = `L0 answered the report of call ${toolCallId} with ${answer.ack} (${answer.code}): ${answer.message}`;
  if (answer.ack === 'rejected') return { status: 'refused', reason };
  throw new StepFailure('report', new Error(reason));
}

/**
 * Rings until the stream has the wakeup. A wakeup that cannot be sent is given up when the service stops. The watchdog of CommonGround
 * finds results that no worker was woken for.
 */
async function ring(
  settings: DeliverySettings,
  identity: CallIdentity,
  workerTarget: string,
  traceparent: string,
): Promise<void> {
  const { wake, clock, signal, actor } = settings;
  const { projectId, toolCallId } = identity;
  const onFailure = (thrown: unknown) =>
    settings.onFailure(thrown, { step: 'wakeup', projectId, toolCallId });
  const send = () => wake({ identity, workerTarget, traceparent, sender: actor, now: clock.now() });
  await retry(send, { clock, signal, onFailure }).catch(onFailure);
}
