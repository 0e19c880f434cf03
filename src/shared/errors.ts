/** The kind of a failure, by the error taxonomy of Octavus (protocol 2.0, section 8). Later servers may send other words. */
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
  | 'unsupported_error'
  | 'execution_error'
  | 'tool_error'
  | 'protocol_error'
  | 'internal_error'
  | 'unknown_error'
  | (string & {});

/** The place of a failure: the agent platform, the model provider, a tool, or this client. */
export type ErrorSource = 'platform' | 'provider' | 'tool' | 'client';

/**
 * The failures, as a closed list to switch over.
 *
 * The first five are rejections of a call that the app made: nothing was sent, and the state is as before. The others are failures of a
 * turn after it was sent. They become `state.error` and the argument of `onError`.
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

/** The details of a failure of the model provider, as far as the backend passes them on. */
export interface ProviderErrorInfo {
  name: string;
  model?: string;
  statusCode?: number;
  errorType?: string;
  requestId?: string;
  /** The provider adds this to its message. The server may have shortened it. */
  details?: string;
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
  /** Seconds until a retry may succeed. */
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
 * Switch over `code` to decide what to do, over `errorType` to decide what to show to the person. When an event of the
 * backend caused the error, `cause` is that raw event.
 */
export class AgentChatError extends Error {
  declare readonly name: 'AgentChatError';
  declare readonly code: AgentChatErrorCode;
  declare readonly errorType: ErrorType;
  declare readonly source: ErrorSource;
  /** True if `retry()` can succeed without any other change. */
  declare readonly retryable: boolean;
  /** Seconds until a retry may succeed. */
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

  /** Returns true for an `AgentChatError`, also for one that another copy of this package made. */
  static isInstance(value: unknown): value is AgentChatError {
    try {
      return value instanceof Error && value.name === 'AgentChatError';
    } catch {
      // A revoked proxy, or a getter that throws.
      return false;
    }
  }
}

/** An intersection, so that an `AgentChatError` keeps its class in the branch where the guard is false. */
type WithType<Type extends ErrorType> = AgentChatError & { readonly errorType: Type };

/** Returns true for a rate limit or an exhausted quota. `retryAfter` may have the seconds until a retry may succeed. */
export function isRateLimitError(
  error: unknown,
): error is WithType<'rate_limit_error' | 'quota_exceeded_error'> {
  return hasType(error, 'rate_limit_error', 'quota_exceeded_error');
}

/** Returns true for an exhausted quota: a retry fails until the plan is changed, so offer that instead. */
export function isQuotaExceededError(error: unknown): error is WithType<'quota_exceeded_error'> {
  return hasType(error, 'quota_exceeded_error');
}

/** Returns true for missing or insufficient credentials. */
export function isAuthenticationError(
  error: unknown,
): error is WithType<'authentication_error' | 'permission_error'> {
  return hasType(error, 'authentication_error', 'permission_error');
}

/** Returns true for a failure of the model provider. `provider` may name it. */
export function isProviderError(error: unknown): error is AgentChatError & { readonly source: 'provider' } {
  return AgentChatError.isInstance(error) && error.source === 'provider';
}

/** Returns true for a failure of a tool. `tool` may name it. */
export function isToolError(
  error: unknown,
): error is AgentChatError & ({ readonly source: 'tool' } | { readonly errorType: 'tool_error' }) {
  return AgentChatError.isInstance(error) && (error.source === 'tool' || error.errorType === 'tool_error');
}

/** Returns true if `retry()` can succeed without any other change. */
export function isRetryableError(error: unknown): error is AgentChatError & { readonly retryable: true } {
  return AgentChatError.isInstance(error) && error.retryable;
}

/** Returns true if the backend refused the request as malformed. */
export function isValidationError(error: unknown): error is WithType<'validation_error'> {
  return hasType(error, 'validation_error');
}

function hasType<Type extends ErrorType>(error: unknown, ...types: readonly Type[]): error is WithType<Type> {
  return AgentChatError.isInstance(error) && types.some((type) => type === error.errorType);
}

/** Makes the error of a wrong call: nothing was done, and the message says what to pass instead. */
export function invalidOptions(message: string, cause?: unknown): AgentChatError {
  return new AgentChatError({ code: 'invalid_options', errorType: 'validation_error', message, cause });
}

/** Makes the error of a response that breaks its protocol. */
export function invalidResponse(message: string, cause?: unknown): AgentChatError {
  return new AgentChatError({ code: 'invalid_response', errorType: 'protocol_error', message, cause });
}

/** Returns the value. @throws AgentChatError `invalid_options` with the complaint and the thrown error. */
export function orInvalid<Value>(make: () => Value, complaint: string): Value {
  try {
    return make();
  } catch (thrown) {
    throw invalidOptions(`${complaint}: ${describeThrown(thrown)}.`, thrown);
  }
}

/**
 * Returns a non-empty text for any thrown value: an `Error`, a string, an object with a `message`
 * (such as `GeolocationPositionError`), or else the fallback.
 */
export function describeThrown(thrown: unknown, fallback = 'Tool execution failed'): string {
  try {
    const { message, name } = thrown as { message?: unknown; name?: unknown };
    const kind = thrown instanceof Error && name !== 'Error' && name;
    return [thrown, message, kind].find(isReadable) ?? fallback;
  } catch {
    // The value is null or undefined, or has a getter that throws.
    return fallback;
  }
}

/** Returns true for a text that a person can read: not empty, not blank. */
export function isReadable(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== '';
}
