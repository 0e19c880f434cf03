/**
 * The state of a form while a person types. Form values have the shape of the form's fields, but our own names (`f0`,
 * `v1`, `item`): the property names of a schema may contain dots, be numbers or be `__proto__`, and the form library
 * would read them as paths. Every leaf is text, so the form keeps whatever a person types, valid or not.
 */

import { isRecord } from '../../../shared/json.ts';

export type FormValues = string | readonly string[] | FormValuesGroup | readonly FormValuesGroup[];
export interface FormValuesGroup {
  readonly [name: string]: FormValues;
}

/** The name of the root field. */
export const ROOT_NAME = 'value';
/** The name of the n-th property of a group. */
export const groupKey = (index: number) => `f${index}`;
/** The name of the n-th variant of a union. Its chooser is called `pick`. */
export const variantKey = (index: number) => `v${index}`;
/** The place of the errors of a whole list, beside those of its rows. React Hook Form reserves the word `root` for it. */
export const wholeName = (name: string) => `${name}.root`;

/**
 * Stands for text in an input that is not a number or a date; a browser does not let a page read it. A NUL cannot be
 * typed.
 */
const UNREADABLE = '\0';

/** Returns the text of an input, or {@link UNREADABLE}. */
export function readInput({ validity, value }: HTMLInputElement): string {
  return validity.badInput ? UNREADABLE : value;
}

/** Returns the index of the chosen variant of a union, or -1. */
export function pickedVariant(values: FormValues | undefined): number {
  const { pick } = asGroup(values);
  return typeof pick === 'string' && pick !== '' ? Number(pick) : -1;
}

export function asGroup(values: FormValues | undefined): FormValuesGroup {
  return isRecord(values) ? (values as FormValuesGroup) : {};
}

export function asRows(values: FormValues | undefined): readonly FormValuesGroup[] {
  return Array.isArray(values)
    ? values.filter((row): row is FormValuesGroup => typeof row === 'object' && row !== null)
    : [];
}

/** Returns true when a person entered nothing. Every leaf is text, so this needs no field. */
export function isBlank(values: FormValues | undefined): boolean {
  if (values === undefined) return true;
  if (typeof values === 'string') return values.trim() === '';
  if (Array.isArray(values)) return values.length === 0;
  const { pick, ...parts } = asGroup(values);
  if (pick === undefined) return Object.values(parts).every(isBlank);
  // A required union starts with its first variant, so that pick alone is no input.
  return pick === '' || (pick === '0' && isBlank(parts[variantKey(0)]));
}

/** Returns the form value of a field with one text. */
export function asText(values: FormValues | undefined): string {
  // A browser cannot show unreadable text again.
  return typeof values === 'string' && values !== UNREADABLE ? values : '';
}
