import { compact, isRecord, ownString } from '../../shared/json.ts';
import { parseValue } from './interrupt-content.ts';
import type { AgUiEvent, Interrupt } from './messages.ts';

/** Reads a question in the older form, a custom event. What it asks stands in its value. */
export function toLegacyInterrupt({ value, rawEvent }: AgUiEvent, index: number): Interrupt {
  const json = parseValue(value);
  const given = isRecord(json) ? json : {};
  const id = isRecord(rawEvent) ? ownString(rawEvent, 'id') : undefined;
  const schema = given.responseSchema ?? given.response_schema;
  return compact({
    id: id ?? `on_interrupt-${index}`,
    reason: ownString(given, 'reason') ?? 'on_interrupt',
    toolCallId: ownString(given, 'toolCallId') ?? ownString(given, 'tool_call_id'),
    responseSchema: isRecord(schema) ? schema : undefined,
    expiresAt: ownString(given, 'expiresAt') ?? ownString(given, 'expires_at'),
    legacyValue: value ?? null,
  });
}
