import { isRecord } from './json.ts';

/**
 * Returns the content of a value that a schema made of an argument and that has no keys: the items of a set or a map, the
 * text of a date or a URL. Any other value is returned as it is.
 */
export function toPlain(value: unknown): unknown {
  if (value instanceof Set || value instanceof Map) return [...value];
  return isRecord(value) && typeof value.toJSON === 'function' ? value.toJSON() : value;
}
