import { isRecord } from '../../shared/json.ts';

/** A schema may have made a date, an address, a set or a map of an argument. They have no keys: this is what they hold. */
export function toPlain(value: unknown): unknown {
  if (value instanceof Set || value instanceof Map) return [...value];
  return isRecord(value) && typeof value.toJSON === 'function' ? value.toJSON() : value;
}
