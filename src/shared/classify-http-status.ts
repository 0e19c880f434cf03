import type { ErrorType } from './errors.ts';

/** The HTTP status map of the Octavus protocol (section 8), with 402 as later versions have it. */
const ERROR_TYPES: Readonly<Record<number, ErrorType>> = {
  400: 'validation_error',
  401: 'authentication_error',
  402: 'quota_exceeded_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  503: 'provider_overloaded',
  504: 'provider_timeout',
};

export function classifyHttpStatus(status: number): { errorType: ErrorType; retryable: boolean } {
  const isServerError = status >= 500;
  return {
    errorType: ERROR_TYPES[status] ?? (isServerError ? 'internal_error' : 'unknown_error'),
    retryable: isServerError || status === 429,
  };
}
