import { hasOwn, isRecord, toPlain } from './json.ts';

/**
 * Compares two values as JSON does. The order of keys does not matter, because clients, models and stores rebuild objects. A
 * property that is `undefined` counts as absent. Dates, URLs, sets and maps are equal when their content is.
 */
export function deepEqual(one: unknown, other: unknown): boolean {
  const [a, b] = [toPlain(one), toPlain(other)];
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = definedKeys(a);
  return (
    keys.length === definedKeys(b).length && keys.every((key) => hasOwn(b, key) && deepEqual(a[key], b[key]))
  );
}

function definedKeys(value: Record<string, unknown>): readonly string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
