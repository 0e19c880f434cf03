import { hasOwn, isRecord } from '../../shared/json.ts';

/** Whether two JSON values are equal, whatever the order of their keys. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => hasOwn(other, key) && sameJson(one[key], other[key])) &&
    // What a schema makes of an argument may be a date, which has no keys.
    (keys.length > 0 || JSON.stringify(one) === JSON.stringify(other))
  );
}
