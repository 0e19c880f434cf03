/** Failures that are known without reading a response; `http-error.ts` is for those that are not. */
import { AgentChatError, describeThrown } from '../shared/errors.ts';

/** The error of a request that got no response. */
export function toConnectionError(thrown: unknown): AgentChatError {
  if (AgentChatError.isInstance(thrown)) return thrown;
  return new AgentChatError({
    code: 'connection_failed',
    message: `The agent could not be reached: ${describeThrown(thrown, 'the request failed')}. Check the network and the address, then retry.`,
    retryable: true,
    cause: thrown,
  });
}

/** The error of a response that is no event stream. */
export function toInvalidResponse(message: string, cause?: unknown): AgentChatError {
  return new AgentChatError({ code: 'invalid_response', errorType: 'protocol_error', message, cause });
}
