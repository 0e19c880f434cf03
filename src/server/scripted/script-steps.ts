/** The steps of a script, and the events of each step. */
import type { ErrorEvent } from '../../core/protocol/events.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import type { ModelEvent } from '../agent.ts';

/** Calls a tool. */
export interface CallStep {
  /** Name of the tool. */
  readonly call: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Display name. */
  readonly title?: string;
  /** Default: `call-N`, counted over the conversation. */
  readonly id?: string;
}

/**
 * One thing a scripted agent does. A string is text.
 *
 * - `text`, `reasoning`: streamed word by word
 * - `call`: calls a tool; calls in a row make one batch
 * - `pauseMs`: waits, by the clock
 * - `object`: streams structured output of the type `typeName`
 * - `error`: ends the turn in an error; a string is its message
 * - `event`: any event as it is
 */
export type ScriptStep =
  | string
  | { readonly text: string }
  | { readonly reasoning: string }
  | CallStep
  | { readonly pauseMs: number }
  | { readonly object: unknown; readonly typeName: string }
  | { readonly error: string | (Partial<ErrorEvent> & { readonly message: string }) }
  | { readonly event: ModelEvent };

export function isCall(step: ScriptStep): step is CallStep {
  return typeof step === 'object' && 'call' in step;
}

/** The events of a step that calls no tool. `place` makes its ids unique in the message. */
export function* playStep(step: Exclude<ScriptStep, CallStep>, place: string): Generator<ModelEvent> {
  if (typeof step === 'string') yield* playText('text', step, place);
  else if ('text' in step) yield* playText('text', step.text, place);
  else if ('reasoning' in step) yield* playText('reasoning', step.reasoning, place);
  else if ('object' in step) yield* playObject(step.object, step.typeName, place);
  else if ('error' in step) yield toErrorEvent(step.error);
  else if ('event' in step) yield step.event;
}

const STEP_KEYS = ['text', 'reasoning', 'call', 'pauseMs', 'object', 'error', 'event'];

/**
 * @throws AgentChatError `invalid_options` for an invalid step. A skipped step would only show as a gap in the agent's text.
 */
export function checkStep(step: unknown): void {
  const isEvent = isRecord(step) && 'type' in step;
  if (typeof step === 'string') return;
  if (isRecord(step) && !isEvent && STEP_KEYS.some((key) => key in step)) return;
  const problem = `${JSON.stringify(step)} is no step of a script: a text, or an object with one of ${STEP_KEYS.join(', ')}`;
  throw invalidOptions(isEvent ? `${problem}. An event is a step as \`{ event: ... }\`.` : `${problem}.`);
}

function* playText(kind: 'text' | 'reasoning', text: string, place: string): Generator<ModelEvent> {
  const id = `${kind}-${place}`;
  yield { type: `${kind}-start`, id };
  for (const delta of splitWords(text)) yield { type: `${kind}-delta`, id, delta };
  yield { type: `${kind}-end`, id };
}

function* playObject(object: unknown, typeName: string, place: string): Generator<ModelEvent> {
  const id = `object-${place}`;
  yield { type: 'text-start', id, responseType: typeName };
  for (const delta of JSON.stringify(object).match(/.{1,12}/gsu) ?? [])
    yield { type: 'text-delta', id, delta };
  yield { type: 'text-end', id };
}

/** Splits a text into words, each with the white space after it. */
function splitWords(text: string): readonly string[] {
  return text.match(/^\s+|\S+\s*/g) ?? [];
}

function toErrorEvent(error: string | (Partial<ErrorEvent> & { readonly message: string })): ErrorEvent {
  const fields = typeof error === 'string' ? { message: error } : error;
  return { errorType: 'execution_error', retryable: false, source: 'platform', ...fields, type: 'error' };
}
