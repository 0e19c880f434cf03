/** The error object of UTP, and the result of a failed call that repeats it. */
import { describeThrown } from '../../shared/errors.ts';
import { compact, hasOwn, isRecord } from '../../shared/json.ts';
import { UtpToolError } from './tool-error.ts';

/** The `error` of a `tool.result` card. */
export interface UtpErrorObject {
  readonly code: string;
  readonly message: string;
  /** The kind of component that failed. Ours is always `tool`. */
  readonly source: string;
  readonly detail?: unknown;
  readonly retryable?: boolean;
  readonly http_status?: number;
}

/** The result that a failed call has besides its `error`, for agents that read only results. */
export interface UtpFailedResult {
  readonly error_code: string;
  readonly error_message: string;
  readonly error: UtpErrorObject;
  readonly error_detail?: unknown;
}

const HTTP_STATUS: Readonly<Record<string, number>> = {
  bad_request: 400,
  auth_failed: 403,
  not_found: 404,
  conflict: 409,
  internal_error: 500,
  upstream_unavailable: 503,
  tool_timeout: 504,
};

const NO_MESSAGE = 'unknown error';

/**
 * Returns the error object for a thrown value, or for an object in one of the two forms `{ code, message }` and
 * `{ error_code, error_message }`.
 *
 * A `UtpToolError` keeps its code. An error named `TimeoutError`, as `AbortSignal.timeout` makes it, becomes `tool_timeout`, and any
 * other error `internal_error`.
 */
export function normalizeError(error: unknown): UtpErrorObject {
  if (error instanceof UtpToolError) {
    const { code, message, detail, retryable } = error;
    return withStatus({ code, message, source: 'tool', detail, retryable });
  }
  if (error instanceof Error) {
    const code = error.name === 'TimeoutError' ? 'tool_timeout' : 'internal_error';
    return withStatus({ code, message: describeThrown(error, NO_MESSAGE), source: 'tool' });
  }
  if (isRecord(error) && 'code' in error && 'message' in error) {
    return {
      source: 'tool',
      ...error,
      code: String(error.code),
      message: String(error.message),
    };
  }
  if (isRecord(error) && ('error_code' in error || 'error_message' in error)) {
    return compact({
      code: String(error.error_code || 'internal_error'),
      message: String(error.error_message || NO_MESSAGE),
      source: 'tool',
      detail: error.detail,
    });
  }
  return withStatus({ code: 'internal_error', message: describeThrown(error, NO_MESSAGE), source: 'tool' });
}

function withStatus(error: {
  readonly code: string;
  readonly message: string;
  readonly source: string;
  readonly detail?: unknown;
  readonly retryable?: boolean | undefined;
}): UtpErrorObject {
  // A code is any word of the tool, such as "constructor".
  const http_status = hasOwn(HTTP_STATUS, error.code) ? HTTP_STATUS[error.code] : undefined;
  return compact({ ...error, http_status });
}

/** Returns the result of a call that failed with this error. */
export function toFailedResult(error: UtpErrorObject): UtpFailedResult {
  return compact({
    error_code: error.code,
    error_message: error.message,
    error,
    error_detail: error.detail,
  });
}
