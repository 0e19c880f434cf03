import { deepEqual } from '../../shared/deep-equal.ts';
import { isRecord } from '../../shared/json.ts';

export interface ArgumentChange {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The differences between two sets of arguments, at their top level. */
export function findChanges(before: unknown, after: unknown): readonly ArgumentChange[] {
  const [old, now] = [toEntries(before), toEntries(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({ name, before: old.get(name), after: now.get(name) }))
    .filter((change) => !deepEqual(change.before, change.after));
}

/**
 * Applies the person's changes to the arguments. A form may write a value differently (a date, the order of picks), leaves out empty
 * values and does not know undescribed ones. Those differences are not changes of the person.
 *
 * @param untouched the value of the form before the person changes it
 */
export function withChanges(args: unknown, untouched: unknown, entered: unknown): unknown {
  if (!isRecord(args) || !isRecord(untouched) || !isRecord(entered)) return entered;
  const changed = new Map(Object.entries(args));
  for (const { name, before, after } of findChanges(untouched, entered)) {
    if (after === undefined) changed.delete(name);
    else changed.set(name, withChanges(changed.get(name), before, after));
  }
  return Object.fromEntries(changed);
}

/** A map, because an argument may have the name `__proto__`. */
function toEntries(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isRecord(value) ? Object.entries(value) : []);
}
