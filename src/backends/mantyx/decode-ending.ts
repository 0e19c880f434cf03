/** Decodes the end of a run (Mantyx protocol 0.11, section 5). The documents describe `result` in two ways; both are supported. */
import type { ErrorEvent, FinishReason, TokenUsage } from '../../core/protocol/events.ts';
import type { AgentChatError, ErrorSource, ErrorType } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';

type Payload = Readonly<Record<string, unknown>>;

interface ErrorClass {
  readonly errorType: ErrorType;
  readonly source: ErrorSource;
  readonly retryable: boolean;
}

/** The wire may have further classes; a class that is not in this list counts as `unknown`. */
const ERROR_CLASSES: ReadonlyMap<unknown, ErrorClass> = /* @__PURE__ */ new Map<unknown, ErrorClass>([
  ['rate_limit', { errorType: 'rate_limit_error', source: 'provider', retryable: true }],
  ['overloaded', { errorType: 'provider_overloaded', source: 'provider', retryable: true }],
  ['timeout', { errorType: 'provider_timeout', source: 'provider', retryable: true }],
  ['upstream_deadline', { errorType: 'provider_timeout', source: 'provider', retryable: true }],
  ['server', { errorType: 'provider_error', source: 'provider', retryable: true }],
  ['unknown', { errorType: 'provider_error', source: 'provider', retryable: false }],
  ['truncation', { errorType: 'execution_error', source: 'provider', retryable: false }],
  ['context_window', { errorType: 'validation_error', source: 'provider', retryable: false }],
  ['auth', { errorType: 'authentication_error', source: 'provider', retryable: false }],
  ['invalid_request', { errorType: 'validation_error', source: 'platform', retryable: false }],
  ['local_timeout', { errorType: 'tool_error', source: 'tool', retryable: true }],
]);
const UNKNOWN_CLASS: ErrorClass = { errorType: 'provider_error', source: 'provider', retryable: false };
const FAILED_RESULT: ErrorClass = { errorType: 'execution_error', source: 'platform', retryable: false };

/** Returns false for a `result` that reports a failure. */
export function isSuccess({ subtype, ok }: Payload): boolean {
  return (subtype ?? (ok === false ? 'error' : 'success')) === 'success';
}

/** The usage of the run; undefined if the server has no usage data. */
export function readUsage({ tokens, turns, model }: Payload): TokenUsage | undefined {
  if (!isRecord(model) || !model.provider) return undefined;
  const counts = isRecord(tokens) ? tokens : {};
  const inputTokens = toCount(counts.inputTokens);
  const outputTokens = toCount(counts.outputTokens);
  const bothKnown = inputTokens !== undefined && outputTokens !== undefined;
  const usage = {
    inputTokens,
    outputTokens,
    totalTokens: bothKnown ? inputTokens + outputTokens : undefined,
    reasoningTokens: toCount(counts.reasoningTokens),
    cachedInputTokens: toCount(counts.cachedTokens),
    turns: toCount(turns),
    model: typeof model.id === 'string' ? model.id : undefined,
  };
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined));
}

/** The finish reasons of providers. A turn without a reason, or before its tools ran, ended as usual. */
const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = /* @__PURE__ */ new Map<unknown, FinishReason>([
  [undefined, 'stop'],
  [null, 'stop'],
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'stop'],
  ['max_tokens', 'length'],
  ['refusal', 'content-filter'],
]);

/** @param finishReason the provider's finish reason of the last turn */
export function toFinishReason(finishReason: unknown): FinishReason {
  return FINISH_REASONS.get(finishReason) ?? 'other';
}

/** Decodes a terminal `error`. Its `raw` has the class, the reason and the partial text. */
export function decodeError(payload: Payload): ErrorEvent {
  const { errorClass, code, retryable } = payload;
  const known = ERROR_CLASSES.get(errorClass ?? code) ?? UNKNOWN_CLASS;
  return {
    type: 'error',
    ...known,
    retryable: typeof retryable === 'boolean' ? retryable : known.retryable,
    message: textOf(payload.error) ?? 'The run failed without saying why.',
    ...codeOf(errorClass ?? code),
    ...providerOf(payload),
    raw: payload,
  };
}

/** Decodes a `result` that reports a failure. */
export function decodeFailedResult(payload: Payload): ErrorEvent {
  const isTimeout = payload.subtype === 'error_local_tool_timeout';
  const known = (isTimeout && ERROR_CLASSES.get('local_timeout')) || FAILED_RESULT;
  const fallback = isTimeout
    ? 'A tool of this page was not answered in time.'
    : 'The run failed without saying why.';
  return {
    type: 'error',
    ...known,
    message: textOf(payload.error) ?? fallback,
    ...codeOf(payload.subtype),
    ...providerOf(payload),
    raw: payload,
  };
}

/** The error for a final text that does not match `outputSchema`. */
export function decodeInvalidOutput(payload: Payload, issues: string): ErrorEvent {
  return {
    type: 'error',
    errorType: 'execution_error',
    source: 'provider',
    retryable: true,
    message: `The answer does not match outputSchema (${issues}), so it is not taken for one. retry() asks again.`,
    code: 'invalid_output',
    ...providerOf(payload),
    raw: payload,
  };
}

/** Details of a failed run, for an error whose `code` is `backend_error`. */
export interface MantyxFailure {
  readonly errorClass: string | undefined;
  readonly finishReason: string | undefined;
  /** The text before the failure. Show it if you like, but never as a complete text. */
  readonly partialText: string | undefined;
}

/** The class, reason and partial text of a run that failed. */
export function readMantyxFailure({ cause }: AgentChatError): MantyxFailure {
  const payload = isRecord(cause) ? cause : {};
  return {
    errorClass: textOf(payload.errorClass),
    finishReason: textOf(payload.finishReason),
    partialText: textOf(payload.partialText),
  };
}

function codeOf(code: unknown): { code?: string } {
  return typeof code === 'string' ? { code } : {};
}

function providerOf({ model }: Payload): Pick<ErrorEvent, 'provider'> {
  if (!isRecord(model) || typeof model.provider !== 'string' || model.provider === '') return {};
  const vendorModel = textOf(model.vendorModelId);
  return { provider: { name: model.provider, ...(vendorModel === undefined ? {} : { model: vendorModel }) } };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function toCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
