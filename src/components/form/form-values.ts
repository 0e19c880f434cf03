/**
 * The state of a form while a person types. Form values have the shape of the form's fields, but our own names (`f0`,
 * `v1`, `item`): the property names of a schema may contain dots, be numbers or be `__proto__`, and the form library
 * would read them as paths. Every leaf is text, so the form keeps whatever a person types, valid or not.
 */

import { deepEqual } from '../../shared/deep-equal.ts';
import { isRecord } from '../../shared/json.ts';
import type { FormField } from './form-field.ts';

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

/** The form value of an optional constant that is part of the value. */
export const INCLUDED = 'true';

/**
 * Stands for text in an input that is not a number or a date; a browser does not let a page read it. A NUL cannot be
 * typed.
 */
export const UNREADABLE = '\0';

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

/**
 * Restores saved form values, with the secrets of `initial`. Returns `initial` where the saved input does not fit the
 * field, because the schema may have changed between two visits.
 */
export function restoreFormValues(field: FormField, saved: unknown, initial: FormValues): FormValues {
  const values = saved as FormValues;
  return deepEqual(copyFormValues(field, values, values), values)
    ? copyFormValues(field, values, initial)
    : initial;
}

/** Returns a copy to save, with secrets left blank: a secret must not outlive the form. */
export function blankSecrets(field: FormField, values: FormValues | undefined): FormValues {
  return copyFormValues(field, values, undefined);
}

/** Copies the parts that fit the field, with secrets from `secrets`; everything else is blank in the copy. */
function copyFormValues(
  field: FormField,
  given: FormValues | undefined,
  secrets: FormValues | undefined,
): FormValues {
  const values = field.secret === true ? secrets : given;
  const part = (key: string, child: FormField): [string, FormValues] => [
    key,
    copyFormValues(child, asGroup(values)[key], asGroup(secrets)[key]),
  ];
  // Rows may have moved, so a row of other values may belong to another secret.
  const rowPart = (item: FormField, row: FormValuesGroup) =>
    copyFormValues(item, row.item, values === secrets ? row.item : undefined);
  switch (field.kind) {
    case 'text':
    case 'number':
    case 'boolean':
    case 'choice':
    case 'json':
    case 'constant':
    case 'file':
      return asText(values);
    case 'multi-choice':
      return Array.isArray(values) ? values.filter((item) => typeof item === 'string') : [];
    case 'group':
      return Object.fromEntries(field.fields.map((child, index) => part(groupKey(index), child.field)));
    case 'list':
      return asRows(values).map((row) => ({ item: rowPart(field.item, row) }));
    case 'record':
      return asRows(values).map((row) => ({ key: asText(row.key), item: rowPart(field.item, row) }));
    case 'union': {
      const variants = field.variants.map((variant, index) => part(variantKey(index), variant));
      return { pick: asText(asGroup(values).pick), ...Object.fromEntries(variants) };
    }
    default:
      return field satisfies never;
  }
}

function asText(values: FormValues | undefined): string {
  // A browser cannot show unreadable text again.
  return typeof values === 'string' && values !== UNREADABLE ? values : '';
}

/**
 * Returns the name of the first control of a form, which gets the focus when a dialog opens. For a list without rows it
 * is the button that adds one.
 */
export function firstControl(
  field: FormField,
  name: string,
  values: FormValues | undefined,
): string | undefined {
  switch (field.kind) {
    case 'group':
      for (const [index, child] of field.fields.entries()) {
        const key = groupKey(index);
        const found = firstControl(child.field, `${name}.${key}`, asGroup(values)[key]);
        if (found !== undefined) return found;
      }
      return undefined;
    case 'union':
      return `${name}.pick`;
    case 'constant':
      return field.required ? undefined : name;
    case 'list': {
      const [first] = asRows(values);
      const row = first === undefined ? undefined : firstControl(field.item, `${name}.0.item`, first.item);
      return row ?? (field.maxItems === 0 ? undefined : name);
    }
    case 'record':
      return asRows(values).length > 0 ? `${name}.0.key` : name;
    case 'text':
    case 'number':
    case 'boolean':
    case 'choice':
    case 'multi-choice':
    case 'json':
    case 'file':
      return name;
    default:
      return field satisfies never;
  }
}
