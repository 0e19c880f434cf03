/** Sends a message of a person to an agent: the UI action `delegate_async` (CommonGround v1r4, `services/ui_worker` and `services/pmo`). */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { isReadable } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/json.ts';
import type { CardStore } from '../cards.ts';
import { createMessageHeaders, toNatsHeaders } from '../headers.ts';
import { COMMAND_STREAM, formatSubject } from '../subject.ts';
import { createChildSpan } from '../traceparent.ts';

export interface OutgoingMessage {
  /** Names the action. An action that is published again under its id is stored once. */
  readonly actionId: string;
  readonly project: string;
  readonly channel: string;
  /** The agent that gets the message. */
  readonly agent: string;
  /** The actor that sends it. */
  readonly actor: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Publishes the action. Resolves to the time at which it was first published, since everything about it comes later, and to whether that
 * was an earlier attempt.
 */
export async function sendMessage(
  nats: NatsConnection,
  message: OutgoingMessage,
): Promise<{ readonly time: Date; readonly isRepeated: boolean }> {
  const { actionId, project, channel, agent, actor, text, now } = message;
  const route = { projectId: project, channelId: channel, category: 'cmd', component: 'sys' };
  const subject = formatSubject({ ...route, target: 'ui', suffix: 'action' });
  const identity = { projectId: project, channelId: channel, agentId: actor, agentTurnId: `ui_${actionId}` };
  const origin = { sender: actor, now, traceparent: createChildSpan(undefined) };
  const headers = toNatsHeaders({
    ...createMessageHeaders(identity, { ...origin, messageType: 'UiActionPayload' }),
    'CG-Recursion-Depth': '0',
  });
  const payload = {
    action_id: actionId,
    agent_id: actor,
    tool_name: 'delegate_async',
    args: { target_strategy: 'reuse', target_ref: agent, instruction: text },
    message_id: actionId,
  };
  const { seq, duplicate } = await jetstream(nats).publish(subject, JSON.stringify(payload), {
    headers,
    msgID: actionId,
  });
  const manager = await jetstreamManager(nats);
  const stored = await manager.streams.getMessage(COMMAND_STREAM, { seq });
  if (stored === null) throw new Error(`The stream ${COMMAND_STREAM} does not keep its messages.`);
  return { time: stored.time, isRepeated: duplicate };
}

/**
 * Returns the turn that an action began. The first acknowledgement only says that CommonGround took the action. A later one names the card
 * with the result of `delegate_async`, and that result names the turn.
 *
 * @throws Error if the card does not name it, or the card store failed.
 */
export async function readTurnId(
  cards: CardStore,
  project: string,
  { tool_result_card_id: cardId }: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  if (typeof cardId !== 'string') return undefined;
  const { content } = (await cards.get(project, cardId)) ?? {};
  const result = isRecord(content) ? content.result : undefined;
  const turnId = isRecord(result) ? result.agent_turn_id : undefined;
  if (isReadable(turnId)) return turnId;
  throw new Error(`The card ${cardId} does not say which turn the message began.`);
}
