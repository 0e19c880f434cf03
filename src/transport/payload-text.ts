import { AgentChatError, describeThrown } from '../shared/errors.ts';

/**
 * The JSON text of a payload.
 *
 * @throws AgentChatError `invalid_options` when JSON cannot carry it.
 */
export function toPayloadText(payload: object): string {
  try {
    return JSON.stringify(payload);
  } catch (thrown) {
    throw new AgentChatError({
      code: 'invalid_options',
      errorType: 'validation_error',
      message: `The request cannot be written as JSON: ${describeThrown(thrown, 'unknown reason')}. Check the input of send() and the transport's body.`,
      cause: thrown,
    });
  }
}
