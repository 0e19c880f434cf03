/** Checks of single fields, and picking the known ones out of a raw event. */
import { hasOwn } from '../shared/json.ts';

export type Raw = Readonly<Record<string, unknown>>;
export type Check<Value> = (value: unknown) => value is Value;

type Checks<Fields> = { readonly [Key in keyof Fields]: Check<Fields[Key]> };

export const isString: Check<string> = (value) => typeof value === 'string';
export const isName: Check<string> = (value): value is string => typeof value === 'string' && value !== '';
export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';
export const isNumber: Check<number> = (value): value is number => Number.isFinite(value);
export const isPresent: Check<unknown> = (value): value is unknown => value !== undefined;

/**
 * A new object with the known fields only: all of `required`, and those of `optional` that are there.
 * `null` in an optional field counts as absent. Undefined when a field has the wrong type.
 */
export function pick<Type extends string, Required extends object, Optional extends object = object>(
  raw: Raw,
  type: Type,
  required: Checks<Required>,
  optional?: Checks<Optional>,
): ({ type: Type } & Required & Partial<Optional>) | undefined {
  const picked: Record<string, unknown> = { type };
  for (const [key, check] of Object.entries<Check<unknown>>(required)) {
    const value = own(raw, key);
    if (!check(value)) return undefined;
    picked[key] = value;
  }
  for (const [key, check] of Object.entries<Check<unknown>>(optional ?? {})) {
    const value = own(raw, key);
    if (value === undefined || value === null) continue;
    if (!check(value)) return undefined;
    picked[key] = value;
  }
  return picked as { type: Type } & Required & Partial<Optional>;
}

/** The value if it passes, else undefined: for fields whose fault must not cost the event. */
export function optionally<Value>(value: unknown, check: Check<Value>): Value | undefined {
  return check(value) ? value : undefined;
}

/** The word if the closed list has it, else what stands for all others. */
export function wordOf<Word extends string, Other extends string>(
  words: readonly Word[],
  value: unknown,
  other: Other,
): Word | Other {
  return words.find((word) => word === value) ?? other;
}

/** An object without the keys whose value is undefined. */
export function compact<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };
}

function own(raw: Raw, key: string): unknown {
  return hasOwn(raw, key) ? raw[key] : undefined;
}
