import { hasOwn, isRecord } from '../../shared/json.ts';
import { toPlain } from './to-plain.ts';

/** Whether two values come to the same JSON, whatever the order of their keys; what has no keys goes by what it holds. */
export function sameJson(given: unknown, other: unknown): boolean {
  const [one, two] = [toPlain(given), toPlain(other)];
  if (one === two) return true;
  if (Array.isArray(one) && Array.isArray(two)) {
    return one.length === two.length && one.every((item, index) => sameJson(item, two[index]));
  }
  if (!isRecord(one) || !isRecord(two)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(two).length &&
    keys.every((key) => hasOwn(two, key) && sameJson(one[key], two[key]))
  );
}
