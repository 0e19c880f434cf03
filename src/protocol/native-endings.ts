/**
 * The two events a run ends with. They are decoded whatever is missing in them: a run whose end was dropped for a
 * bad field would look cut.
 */
import type { ErrorSource, ErrorType, ProviderErrorInfo, ToolErrorInfo } from '../shared/errors.ts';
import { compact, isRecord } from '../shared/json.ts';
import type { AgentEvent, ErrorEvent, FinishEvent, FinishReason } from './events.ts';
import { isName, isNumber, isString, optionally, type Raw, wordOf } from './native-fields.ts';

const FINISH_REASONS: readonly FinishReason[] = [
  'stop',
  'tool-calls',
  'client-tool-calls',
  'length',
  'content-filter',
  'error',
];
const ERROR_SOURCES: readonly ErrorSource[] = ['platform', 'provider', 'tool', 'client'];
const ERROR_TYPES: readonly ErrorType[] = [
  'authentication_error',
  'permission_error',
  'validation_error',
  'not_found_error',
  'rate_limit_error',
  'quota_exceeded_error',
  'provider_error',
  'provider_overloaded',
  'provider_timeout',
  'execution_error',
  'tool_error',
  'protocol_error',
  'internal_error',
];

/** Whether nothing of the response can follow. (A server that works on holds its `finish{tool-calls}` back.) */
export function endsRun(event: AgentEvent): boolean {
  return event.type === 'finish' || event.type === 'error';
}

export function decodeFinish(raw: Raw): FinishEvent {
  return compact({
    type: 'finish',
    finishReason: wordOf(FINISH_REASONS, raw.finishReason, 'other'),
    executionId: optionally(raw.executionId, isString),
  }) as FinishEvent;
}

export function decodeErrorEvent(raw: Raw): ErrorEvent {
  return compact({
    type: 'error',
    errorType: wordOf(ERROR_TYPES, raw.errorType, 'unknown_error'),
    message: optionally(raw.message, isName) ?? 'The agent failed without saying why.',
    retryable: raw.retryable === true,
    source: wordOf(ERROR_SOURCES, raw.source, 'platform'),
    retryAfter: optionally(raw.retryAfter, isNumber),
    code: optionally(raw.code, isString),
    provider: decodeProvider(raw.provider),
    tool: decodeTool(raw.tool),
  }) as ErrorEvent;
}

function decodeProvider(raw: unknown): ProviderErrorInfo | undefined {
  if (!isRecord(raw) || !isName(raw.name)) return undefined;
  return compact({
    name: raw.name,
    model: optionally(raw.model, isString),
    statusCode: optionally(raw.statusCode, isNumber),
    errorType: optionally(raw.errorType, isString),
    requestId: optionally(raw.requestId, isString),
  }) as ProviderErrorInfo;
}

function decodeTool(raw: unknown): ToolErrorInfo | undefined {
  if (!isRecord(raw) || !isName(raw.name)) return undefined;
  return compact({ name: raw.name, callId: optionally(raw.callId, isString) }) as ToolErrorInfo;
}
