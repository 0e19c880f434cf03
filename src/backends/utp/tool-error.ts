/**
 * The code of a failed tool call, by the error table of UTP: what a caller may do about the failure. Other services may send other
 * words.
 */
export type UtpErrorCode =
  | 'bad_request'
  | 'auth_failed'
  | 'not_found'
  | 'conflict'
  | 'internal_error'
  | 'upstream_unavailable'
  | 'tool_timeout'
  | (string & {});

/** Further fields of a {@link UtpToolError}. */
export interface UtpToolErrorDetails {
  /** A JSON value for the agent, such as the id that was not found. */
  readonly detail?: unknown;
  /** True if the same call can succeed later. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * A failure with a code. A tool throws one to tell the agent more than `internal_error`, the code of every other error:
 * `throw new UtpToolError('not_found', 'There is no order 42.')`.
 */
export class UtpToolError extends Error {
  declare readonly name: 'UtpToolError';
  readonly code: UtpErrorCode;
  readonly detail: unknown;
  readonly retryable: boolean | undefined;

  constructor(code: UtpErrorCode, message: string, { detail, retryable, cause }: UtpToolErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UtpToolError';
    this.code = code;
    this.detail = detail;
    this.retryable = retryable;
  }
}
