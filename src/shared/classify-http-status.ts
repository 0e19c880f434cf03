import type { ErrorType } from './errors.ts';

/** The HTTP status map of the Octavus protocol (section 8), with 402 as later versions have it. */
export function classifyHttpStatus(status: number): { errorType: ErrorType; retryable: boolean } {
  switch (status) {
    case 400:
      return { errorType: 'validation_error', retryable: false };
    case 401:
      return { errorType: 'authentication_error', retryable: false };
    case 402:
      return { errorType: 'quota_exceeded_error', retryable: false };
    case 403:
      return { errorType: 'permission_error', retryable: false };
    case 404:
      return { errorType: 'not_found_error', retryable: false };
    case 429:
      return { errorType: 'rate_limit_error', retryable: true };
    case 503:
      return { errorType: 'provider_overloaded', retryable: true };
    case 504:
      return { errorType: 'provider_timeout', retryable: true };
    default:
      return status >= 500
        ? { errorType: 'internal_error', retryable: true }
        : { errorType: 'unknown_error', retryable: false };
  }
}
