/**
 * Decodes `finish` and `error`, the two events that end a run. They are decoded whatever is missing in them: if an end were dropped
 * for one bad field, the run would look cut.
 */
import type { ErrorSource } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import type { AgentEvent, ErrorEvent, FinishEvent, FinishReason } from './events.ts';
import { isName, isNumber, isString, pickPassing, type Raw, wordOf } from './native-fields.ts';

const FINISH_REASONS: readonly FinishReason[] = [
  'stop',
  'tool-calls',
  'client-tool-calls',
  'length',
  'content-filter',
  'error',
];
const ERROR_SOURCES: readonly ErrorSource[] = ['platform', 'provider', 'tool', 'client'];

/** Returns true for the last event of a response. (A server that goes on after server tools sends no `finish{tool-calls}`.) */
export function endsRun(event: AgentEvent): boolean {
  return event.type === 'finish' || event.type === 'error';
}

export function decodeFinish(raw: Raw): FinishEvent {
  return {
    type: 'finish',
    finishReason: wordOf(FINISH_REASONS, raw.finishReason, 'other'),
    ...pickPassing(raw, { executionId: isString }),
  };
}

export function decodeErrorEvent(raw: Raw): ErrorEvent {
  const { provider, tool } = raw;
  return {
    type: 'error',
    errorType: isName(raw.errorType) ? raw.errorType : 'unknown_error',
    message: isName(raw.message) ? raw.message : 'The agent failed without saying why.',
    retryable: raw.retryable === true,
    source: wordOf(ERROR_SOURCES, raw.source, 'platform'),
    ...pickPassing(raw, { retryAfter: isNumber, code: isString }),
    ...(isNamed(provider) && { provider: { name: provider.name, ...pickPassing(provider, PROVIDER) } }),
    ...(isNamed(tool) && { tool: { name: tool.name, ...pickPassing(tool, { callId: isString }) } }),
  };
}

const PROVIDER = {
  model: isString,
  statusCode: isNumber,
  errorType: isString,
  requestId: isString,
  details: isString,
};

function isNamed(raw: unknown): raw is Raw & { readonly name: string } {
  return isRecord(raw) && isName(raw.name);
}
