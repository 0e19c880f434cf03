/** Checks single fields of a raw event, and picks the known ones. */
import { isRecord } from '../../shared/json.ts';

export type Raw = Readonly<Record<string, unknown>>;
export type Check<Value> = (value: unknown) => value is Value;

/** The fields of an event besides its type: the required ones, and the optional ones. */
export type Shape<Event> = readonly [
  required: {
    readonly [Key in Field<Event> as IsOptional<Event, Key> extends true ? never : Key]: Check<Event[Key]>;
  },
  optional?: {
    readonly [Key in Field<Event> as IsOptional<Event, Key> extends true ? Key : never]: Check<
      Exclude<Event[Key], undefined>
    >;
  },
];
type AnyChecks = Readonly<Record<string, Check<unknown>>>;
type Field<Event> = Exclude<keyof Event, 'type' | 'cursor' | 'workerId'>;
type IsOptional<Event, Key extends keyof Event> = object extends Pick<Event, Key> ? true : false;

export const isString: Check<string> = (value) => typeof value === 'string';
export const isName: Check<string> = (value): value is string => typeof value === 'string' && value !== '';
export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';
export const isNumber: Check<number> = (value): value is number => Number.isFinite(value);
export const isPresent: Check<unknown> = (value): value is unknown => value !== undefined;

/** Makes a check for the words of a closed list. */
export function isOneOf<Word extends string>(...words: readonly Word[]): Check<Word> {
  return (value): value is Word => words.includes(value as Word);
}

/** Makes a check for lists of objects in which each of these fields passes the check. */
export function isListOf<Item>(
  check: Check<string>,
  ...keys: readonly (keyof Item & string)[]
): Check<readonly Item[]> {
  const isItem = (item: unknown) => isRecord(item) && keys.every((key) => check(item[key]));
  return (value): value is readonly Item[] => Array.isArray(value) && value.every(isItem);
}

/** Returns the event with its known fields, or undefined if a required one is missing or has the wrong type. */
export function pick<Event extends object>(raw: Raw, [required, optional]: Shape<Event>): Event | undefined {
  const picked = { type: raw.type, ...pickPassing(raw, { ...required, ...optional } as AnyChecks) };
  return Object.keys(required).every((key) => key in picked) ? (picked as unknown as Event) : undefined;
}

/** Returns the fields that pass their check. An optional field that is null or of a wrong type counts as absent. */
export function pickPassing<Fields>(
  raw: Raw,
  checks: { readonly [Key in keyof Fields]: Check<Exclude<Fields[Key], undefined>> },
): Partial<Fields> {
  const picked: Partial<Fields> = {};
  for (const key in checks) {
    const value = raw[key];
    if (checks[key](value)) picked[key] = value;
  }
  return picked;
}

/** Returns the value if it is a word of the closed list, else `other`. */
export function wordOf<Word extends string, Other extends string>(
  words: readonly Word[],
  value: unknown,
  other: Other,
): Word | Other {
  return words.find((word) => word === value) ?? other;
}
