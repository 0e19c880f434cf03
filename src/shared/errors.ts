/** Why something failed, in the words of the Octavus error taxonomy (protocol 2.0, section 8). */
export type ErrorType =
  | 'authentication_error'
  | 'permission_error'
  | 'validation_error'
  | 'not_found_error'
  | 'rate_limit_error'
  | 'quota_exceeded_error'
  | 'provider_error'
  | 'provider_overloaded'
  | 'provider_timeout'
  | 'execution_error'
  | 'tool_error'
  | 'protocol_error'
  | 'internal_error'
  | 'unknown_error';

/** Where the failure arose: the agent platform, the model provider, a tool, or this client. */
export type ErrorSource = 'platform' | 'provider' | 'tool' | 'client';

/**
 * The kind of failure, as a closed list to switch over.
 *
 * The first five are rejections of a call you made: nothing was sent and the state is as before.
 * The others describe a turn that failed after it was sent; they land in `state.error` and `onError`.
 */
export type AgentChatErrorCode =
  | 'awaiting_input'
  | 'upload_failed'
  | 'upload_not_configured'
  | 'invalid_options'
  | 'destroyed'
  | 'http_error'
  | 'invalid_response'
  | 'invalid_event'
  | 'stream_interrupted'
  | 'connection_failed'
  | 'connection_lost'
  | 'backend_error'
  | 'finish_error'
  | 'tool_rounds_exceeded'
  | 'not_resumable'
  | 'persistence_failed';

/** The details of a failure of the model provider that the backend passes on. */
export interface ProviderErrorInfo {
  name: string;
  model?: string;
  statusCode?: number;
  errorType?: string;
  requestId?: string;
}

/** The tool a failure belongs to. */
export interface ToolErrorInfo {
  name: string;
  callId?: string;
}

/** The fields of an {@link AgentChatError}; `errorType` defaults to `unknown_error`, `source` to `client`. */
export interface AgentChatErrorInit {
  code: AgentChatErrorCode;
  message: string;
  errorType?: ErrorType;
  source?: ErrorSource;
  retryable?: boolean;
  /** Seconds to wait before a retry is worth it. */
  retryAfter?: number | undefined;
  /** HTTP status of the response that failed. */
  status?: number | undefined;
  /** The backend's own error code, such as `SESSION_BUSY`. */
  backendCode?: string | undefined;
  provider?: ProviderErrorInfo | undefined;
  tool?: ToolErrorInfo | undefined;
  cause?: unknown;
}

/**
 * Every failure of handrail: rejections of `send` and `connect`, `state.error`, and the argument of `onError`.
 *
 * Switch over `code` to decide what to do, over `errorType` to decide which message the user gets. When an event of
 * the backend caused the error, `cause` is that raw event.
 */
export class AgentChatError extends Error {
  declare readonly name: 'AgentChatError';
  declare readonly code: AgentChatErrorCode;
  declare readonly errorType: ErrorType;
  declare readonly source: ErrorSource;
  /** True if `retry()` can succeed without anything else being changed. */
  declare readonly retryable: boolean;
  /** Seconds to wait before a retry is worth it. */
  declare readonly retryAfter: number | undefined;
  /** HTTP status, when the failure was an HTTP response. */
  declare readonly status: number | undefined;
  /** The backend's own error code, such as `SESSION_BUSY`. */
  declare readonly backendCode: string | undefined;
  declare readonly provider: ProviderErrorInfo | undefined;
  declare readonly tool: ToolErrorInfo | undefined;

  constructor({ message, cause, ...fields }: AgentChatErrorInit) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(
      this,
      { name: 'AgentChatError', errorType: 'unknown_error', source: 'client', retryable: false },
      fields,
    );
  }

  /** True if a value is an `AgentChatError`, also one made by another copy of this package. */
  static isInstance(value: unknown): value is AgentChatError {
    try {
      return value instanceof Error && value.name === 'AgentChatError';
    } catch {
      // A revoked proxy, or a getter that throws.
      return false;
    }
  }
}

/** Narrower than the class, so that an `AgentChatError` for which a guard returns false is still an `AgentChatError`. */
type WithType<Type extends ErrorType> = AgentChatError & { readonly errorType: Type };

/** A rate limit or an exhausted quota; `retryAfter` may say how long to wait. */
export function isRateLimitError(
  error: unknown,
): error is WithType<'rate_limit_error' | 'quota_exceeded_error'> {
  return hasType(error, 'rate_limit_error', 'quota_exceeded_error');
}

/** Missing or insufficient credentials. */
export function isAuthenticationError(
  error: unknown,
): error is WithType<'authentication_error' | 'permission_error'> {
  return hasType(error, 'authentication_error', 'permission_error');
}

/** The model provider failed; `provider` may say which. */
export function isProviderError(error: unknown): error is AgentChatError & { readonly source: 'provider' } {
  return AgentChatError.isInstance(error) && error.source === 'provider';
}

/** A tool failed; `tool` may say which. */
export function isToolError(
  error: unknown,
): error is AgentChatError & ({ readonly source: 'tool' } | { readonly errorType: 'tool_error' }) {
  return AgentChatError.isInstance(error) && (error.source === 'tool' || error.errorType === 'tool_error');
}

/** `retry()` can succeed without anything else being changed. */
export function isRetryableError(error: unknown): error is AgentChatError & { readonly retryable: true } {
  return AgentChatError.isInstance(error) && error.retryable;
}

/** The backend refused the request as malformed. */
export function isValidationError(error: unknown): error is WithType<'validation_error'> {
  return hasType(error, 'validation_error');
}

function hasType<Type extends ErrorType>(error: unknown, ...types: readonly Type[]): error is WithType<Type> {
  return AgentChatError.isInstance(error) && types.some((type) => type === error.errorType);
}

/** The error of a call with invalid options: it had no effect, and the message says what to pass instead. */
export function invalidOptions(message: string, cause?: unknown): AgentChatError {
  return new AgentChatError({ code: 'invalid_options', errorType: 'validation_error', message, cause });
}

/** @throws AgentChatError `invalid_options`: the complaint, and what was wrong. */
export function orInvalid<Value>(make: () => Value, complaint: string): Value {
  try {
    return make();
  } catch (thrown) {
    throw invalidOptions(`${complaint}: ${describeThrown(thrown)}.`, thrown);
  }
}

/**
 * A non-empty text for anything that can be thrown: an `Error`, a string, an object with a `message`
 * (such as `GeolocationPositionError`), or else the fallback.
 */
export function describeThrown(thrown: unknown, fallback = 'Tool execution failed'): string {
  try {
    const { message, name } = thrown as { message?: unknown; name?: unknown };
    const kind = thrown instanceof Error && name !== 'Error' && name;
    return [thrown, message, kind].find(isReadable) ?? fallback;
  } catch {
    // Null, undefined, or a getter that throws: nothing readable in there.
    return fallback;
  }
}

function isReadable(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== '';
}
