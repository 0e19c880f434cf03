/**
 * What a form holds while it is typed in. A draft has the field's shape, but its names are ours (`f0`, `v1`,
 * `item`): property names of a schema come from anywhere and may hold dots, be numbers or be `__proto__`, which
 * a form library would take for paths. Every leaf is a string, so whatever was typed is kept, valid or not.
 */

import { deepEqual } from '../../shared/deep-equal.ts';
import { isRecord } from '../../shared/json.ts';
import type { FormField } from './form-field.ts';

export type FormValues = string | readonly string[] | FormValuesGroup | readonly FormValuesGroup[];
export interface FormValuesGroup {
  readonly [name: string]: FormValues;
}

/** Name of the n-th property of a group. */
export const groupKey = (index: number) => `f${index}`;
/** Name of the n-th variant of a union; its chooser is `pick`. */
export const variantKey = (index: number) => `v${index}`;
/** Where errors of a list as a whole are kept, beside those of its rows; the form library knows the word. */
export const wholeName = (name: string) => `${name}.root`;
/** A form whose root is one field holds it under this name. */
export const ROOT_NAME = 'value';

/** The draft of a constant that may be left out and is not. */
export const INCLUDED = 'true';

/**
 * Stands for text that is in an input and is no number or date; the browser does not let it be read. Nobody types a NUL.
 */
export const UNREADABLE = '\0';

/** Which variant of a union is chosen; -1 for none. */
export function pickedVariant(draft: FormValues | undefined): number {
  const { pick } = asGroup(draft);
  return typeof pick === 'string' && pick !== '' ? Number(pick) : -1;
}

export function asGroup(draft: FormValues | undefined): FormValuesGroup {
  return isRecord(draft) ? (draft as FormValuesGroup) : {};
}

export function asRows(draft: FormValues | undefined): readonly FormValuesGroup[] {
  return Array.isArray(draft)
    ? draft.filter((row): row is FormValuesGroup => typeof row === 'object' && row !== null)
    : [];
}

/**
 * What was kept from before, with the secrets of a draft made anew; that one as it is where the other is no draft of this
 * field: schemas change between two visits.
 */
export function restoreFormValues(field: FormField, kept: unknown, made: FormValues): FormValues {
  const draft = kept as FormValues;
  return deepEqual(copyFormValues(field, draft, draft), draft) ? copyFormValues(field, draft, made) : made;
}

/** A copy to keep, with secrets left blank: they must not outlive the form. */
export function blankSecrets(field: FormField, draft: FormValues | undefined): FormValues {
  return copyFormValues(field, draft, undefined);
}

/** What of it is a draft of the field, with secrets from another one; the rest left blank. */
function copyFormValues(
  field: FormField,
  given: FormValues | undefined,
  secrets: FormValues | undefined,
): FormValues {
  // Without a draft of its own every part comes out blank.
  const draft = field.secret === true ? secrets : given;
  const part = (key: string, child: FormField): [string, FormValues] => [
    key,
    copyFormValues(child, asGroup(draft)[key], asGroup(secrets)[key]),
  ];
  // Rows may have moved: no other draft knows whose secret it has.
  const rowPart = (item: FormField, row: FormValuesGroup) =>
    copyFormValues(item, row.item, draft === secrets ? row.item : undefined);
  switch (field.kind) {
    case 'text':
    case 'number':
    case 'boolean':
    case 'choice':
    case 'json':
    case 'constant':
    case 'file':
      return asText(draft);
    case 'multi-choice':
      return Array.isArray(draft) ? draft.filter((item) => typeof item === 'string') : [];
    case 'group':
      return Object.fromEntries(field.fields.map((child, index) => part(groupKey(index), child.field)));
    case 'list':
      return asRows(draft).map((row) => ({ item: rowPart(field.item, row) }));
    case 'record':
      return asRows(draft).map((row) => ({
        key: asText(row.key),
        item: rowPart(field.item, row),
      }));
    case 'union': {
      const kept = field.variants.map((variant, index) => part(variantKey(index), variant));
      return { pick: asText(asGroup(draft).pick), ...Object.fromEntries(kept) };
    }
    default:
      return field satisfies never;
  }
}

function asText(draft: FormValues | undefined): string {
  // What could not be read cannot be shown again.
  return typeof draft === 'string' && draft !== UNREADABLE ? draft : '';
}

/** Whether nothing was entered: by the shape of the draft, since every leaf of it is a text. */
export function isBlank(draft: FormValues | undefined): boolean {
  if (draft === undefined) return true;
  if (typeof draft === 'string') return draft.trim() === '';
  if (Array.isArray(draft)) return draft.length === 0;
  const { pick, ...parts } = asGroup(draft);
  if (pick === undefined) return Object.values(parts).every(isBlank);
  // A required union begins with its first shape; that alone is no answer.
  return pick === '' || (pick === '0' && isBlank(parts[variantKey(0)]));
}

/** The name of the first control of a form as it starts; a list without rows has the button that adds one. */
export function firstControl(
  field: FormField,
  name: string,
  draft: FormValues | undefined,
): string | undefined {
  switch (field.kind) {
    case 'group':
      for (const [index, child] of field.fields.entries()) {
        const key = groupKey(index);
        const found = firstControl(child.field, `${name}.${key}`, asGroup(draft)[key]);
        if (found !== undefined) return found;
      }
      return undefined;
    case 'union':
      return `${name}.pick`;
    case 'constant':
      return field.required ? undefined : name;
    case 'list': {
      const [first] = asRows(draft);
      const row = first === undefined ? undefined : firstControl(field.item, `${name}.0.item`, first.item);
      return row ?? (field.maxItems === 0 ? undefined : name);
    }
    case 'record':
      return asRows(draft).length > 0 ? `${name}.0.key` : name;
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
