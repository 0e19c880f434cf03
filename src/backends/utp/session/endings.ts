/** The ends of a turn: a task that is over, and an action that was refused (CommonGround v1r4, `evt.agent.{id}.task`, `action_ack`). */
import type { ErrorEvent, FinishEvent } from '../../../core/protocol/events.ts';
import { isReadable } from '../../../shared/errors.ts';
import { compact, isRecord } from '../../../shared/json.ts';
import type { CardStore } from '../cards.ts';

type Payload = Readonly<Record<string, unknown>>;

/** Returns the event that ends the run of a task. */
export function toEnding({ status, error, error_code: code }: Payload): FinishEvent | ErrorEvent {
  if (status === 'success' || status === 'partial') return { type: 'finish', finishReason: 'stop' };
  const details = isRecord(error) ? error : { message: error };
  return compact({
    type: 'error' as const,
    errorType: status === 'timeout' ? 'provider_timeout' : 'execution_error',
    message: isReadable(details.message) ? details.message : `The task of the agent ended as ${status}.`,
    source: 'platform' as const,
    retryable: status === 'timeout',
    code: [code, details.code, status].find(isReadable),
  });
}

/** Returns the error for an action that was not accepted. */
export function toRefusal({ status, error_code: code, error }: Payload): ErrorEvent | undefined {
  // The tool may have ended with an error: the action is done then, and the message was not taken.
  if ((status === 'accepted' || status === 'done') && !isReadable(code)) return undefined;
  const isBusy = status === 'busy' || code === 'agent_busy';
  return compact({
    type: 'error' as const,
    errorType: isBusy ? 'provider_overloaded' : 'validation_error',
    message: isReadable(error) ? error : `CommonGround did not take the message: ${code ?? status}.`,
    source: 'platform' as const,
    retryable: isBusy,
    code: [code, status].find(isReadable),
  });
}

/** Returns the text of the card that a task delivers, if it is a text. A card that cannot be read costs no turn. */
export async function readDeliverable(
  cards: CardStore,
  project: string,
  { deliverable_card_id: cardId }: Payload,
): Promise<string | undefined> {
  if (typeof cardId !== 'string') return undefined;
  const card = await cards.get(project, cardId).catch(() => undefined);
  const { content } = card ?? {};
  const text = isRecord(content) ? (content.text ?? content.content) : content;
  return isReadable(text) ? text : undefined;
}
