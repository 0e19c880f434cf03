import { isRecord, parseJson } from '../../shared/json.ts';
import type { AgUiEvent, Interrupt } from './messages.ts';

/** Reads a question in the older form, a custom event. Its value is a text, or the JSON of an object. */
export function toLegacyInterrupt({ value, rawEvent }: AgUiEvent, index: number): Interrupt {
  const json = typeof value === 'string' ? parseJson(value, value) : value;
  const id = isRecord(rawEvent) && typeof rawEvent.id === 'string' ? rawEvent.id : `on_interrupt-${index}`;
  const given = isRecord(json) ? json : {};
  const message = [given.message, given.question, json].find((text) => typeof text === 'string');
  return {
    id,
    reason: typeof given.reason === 'string' ? given.reason : 'on_interrupt',
    ...(message !== undefined && { message }),
    ...(typeof given.toolCallId === 'string' && { toolCallId: given.toolCallId }),
    ...(isRecord(given.responseSchema) && { responseSchema: given.responseSchema }),
    legacyValue: value,
  };
}
