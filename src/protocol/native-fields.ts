/** Checks of single fields, and picking the known ones out of a raw event. */

export type Raw = Readonly<Record<string, unknown>>;
export type Check<Value> = (value: unknown) => value is Value;

/** The required and optional fields of an event besides its type. */
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
type AnyShape = readonly [required: AnyChecks, ...optional: AnyChecks[]];
type AnyChecks = Readonly<Record<string, Check<unknown>>>;
type Field<Event> = Exclude<keyof Event, 'type' | 'cursor'>;
type IsOptional<Event, Key extends keyof Event> = object extends Pick<Event, Key> ? true : false;

export const isString: Check<string> = (value) => typeof value === 'string';
export const isName: Check<string> = (value): value is string => typeof value === 'string' && value !== '';
export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';
export const isNumber: Check<number> = (value): value is number => Number.isFinite(value);
export const isPresent: Check<unknown> = (value): value is unknown => value !== undefined;

/** A check for the words of a closed list. */
export function isOneOf<Word extends string>(...words: readonly Word[]): Check<Word> {
  return (value): value is Word => words.includes(value as Word);
}

/**
 * A new object with the type and the known fields only: all that are required, and the optional ones that are there.
 * `null` in an optional field counts as absent. Undefined when a field has the wrong type.
 */
export function pick<Event extends object>(raw: Raw, shape: Shape<Event>): Event | undefined {
  const [required] = shape as AnyShape;
  const picked: Record<string, unknown> = { type: raw.type };
  for (const checks of shape as AnyShape) {
    for (const key in checks) {
      const value = raw[key];
      if ((value === undefined || value === null) && checks !== required) continue;
      if (!checks[key]?.(value)) return undefined;
      picked[key] = value;
    }
  }
  return picked as Event;
}

/** The fields that pass: for those whose fault must not cost the event. */
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

/** Returns the value if the closed list has it, else the fallback. */
export function wordOf<Word extends string, Other extends string>(
  words: readonly Word[],
  value: unknown,
  other: Other,
): Word | Other {
  return words.find((word) => word === value) ?? other;
}
