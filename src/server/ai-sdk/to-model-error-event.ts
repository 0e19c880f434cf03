/** Classifies failures of a model call by the Octavus error taxonomy (protocol 2.0, section 8). */
import type { LanguageModel } from 'ai';
import type { ErrorEvent } from '../../core/protocol/events.ts';
import { classifyHttpStatus } from '../../shared/classify-http-status.ts';
import { AgentChatError, describeThrown } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import { parseRetryAfter } from '../../shared/parse-retry-after.ts';

type AiSdk = Pick<typeof import('ai'), 'APICallError' | 'RetryError'>;

/** The `error` event for an error that a model call threw. */
export function toModelErrorEvent(ai: AiSdk, thrown: unknown, model: LanguageModel): ErrorEvent {
  const error = ai.RetryError.isInstance(thrown) ? thrown.lastError : thrown;
  const identity =
    typeof model === 'string' ? { name: 'gateway', model } : { name: model.provider, model: model.modelId };
  const message = describeThrown(error, 'The model call failed');
  if (!ai.APICallError.isInstance(error)) return toPlainErrorEvent(error, message, identity);

  const { statusCode, responseHeaders = {}, data } = error;
  if (statusCode === undefined) {
    const unreachable = `The model provider could not be reached: ${message}`;
    return { ...providerError(unreachable, identity), errorType: 'provider_error', retryable: true };
  }
  const detail = isRecord(data) && isRecord(data.error) ? data.error : {};
  const requestId = responseHeaders['x-request-id'] ?? responseHeaders['request-id'];
  const retryAfter = parseRetryAfter(responseHeaders['retry-after'], Date.now());
  const { errorType, retryable } = classify(statusCode, detail);
  return {
    ...providerError(message, {
      ...identity,
      statusCode,
      ...(typeof detail.type === 'string' ? { errorType: detail.type } : {}),
      ...(requestId === undefined ? {} : { requestId }),
    }),
    errorType,
    retryable,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

/** Follows the HTTP status map, except that a failure of the provider is not an internal error of this server. */
function classify(status: number, detail: Record<string, unknown>) {
  const quota = [detail.code, detail.type].includes('insufficient_quota');
  if (status === 429 && quota) return { errorType: 'quota_exceeded_error', retryable: false } as const;
  if (status === 529) return { errorType: 'provider_overloaded', retryable: true } as const;
  if (status === 408) return { errorType: 'provider_timeout', retryable: true } as const;
  const mapped = classifyHttpStatus(status);
  const isGeneral = mapped.errorType === 'internal_error' || mapped.errorType === 'unknown_error';
  return isGeneral ? ({ errorType: 'provider_error', retryable: mapped.retryable } as const) : mapped;
}

/** The event for an error without an HTTP response: a missing key, a broken stream, an error object inside a good response. */
function toPlainErrorEvent(
  error: unknown,
  message: string,
  identity: { name: string; model: string },
): ErrorEvent {
  if (AgentChatError.isInstance(error)) {
    return { ...providerError(message, identity), errorType: error.errorType, retryable: error.retryable };
  }
  const name = error instanceof Error ? error.name : '';
  if (name === 'AI_LoadAPIKeyError') {
    return { ...providerError(message, identity), errorType: 'authentication_error', retryable: false };
  }
  if (name === 'AI_InvalidPromptError' || name === 'AI_UnsupportedFunctionalityError') {
    return { ...providerError(message, identity), errorType: 'validation_error', retryable: false };
  }
  return { ...providerError(message, identity), errorType: 'provider_error', retryable: true };
}

function providerError(message: string, provider: NonNullable<ErrorEvent['provider']>) {
  return { type: 'error', source: 'provider', message, provider } as const;
}
