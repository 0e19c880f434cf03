import { orInvalid } from '../shared/errors.ts';

/**
 * The JSON text of a payload.
 *
 * @throws AgentChatError `invalid_options` when JSON cannot carry it.
 */
export function toPayloadText(payload: object): string {
  return orInvalid(() => JSON.stringify(payload), 'The request cannot be written as JSON');
}
