/**
 * What a form holds while it is typed in. A draft has the field's shape, but its names are ours (`f0`, `v1`,
 * `item`): property names of a schema come from anywhere and may hold dots, be numbers or be `__proto__`, which
 * a form library would take for paths. Every leaf is a string, so whatever was typed is kept, valid or not.
 */

import { deepEqual } from '../../shared/deep-equal.ts';
import { isRecord } from '../../shared/json.ts';
import type { FormField } from './form-field.ts';

export type Draft = string | readonly string[] | DraftGroup | readonly DraftGroup[];
export interface DraftGroup {
  readonly [name: string]: Draft;
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
export const TAKEN = 'true';

/**
 * Stands for text that is in an input and is no number or date; the browser does not let it be read. Nobody types a NUL.
 */
export const UNREADABLE = '\0';

/** Which variant of a union is chosen; -1 for none. */
export function pickedVariant(draft: Draft | undefined): number {
  const { pick } = asGroup(draft);
  return typeof pick === 'string' && pick !== '' ? Number(pick) : -1;
}

export function asGroup(draft: Draft | undefined): DraftGroup {
  return isRecord(draft) ? (draft as DraftGroup) : {};
}

export function asRows(draft: Draft | undefined): readonly DraftGroup[] {
  return Array.isArray(draft)
    ? draft.filter((row): row is DraftGroup => typeof row === 'object' && row !== null)
    : [];
}

/**
 * What was kept from before, with the secrets of a draft made anew; that one as it is where the other is no draft of this
 * field: schemas change between two visits.
 */
export function restoreDraft(field: FormField, kept: unknown, made: Draft): Draft {
  const draft = kept as Draft;
  return deepEqual(copyDraft(field, draft, draft), draft) ? copyDraft(field, draft, made) : made;
}

/** A copy to keep, with secrets left blank: they must not outlive the form. */
export function withoutSecrets(field: FormField, draft: Draft | undefined): Draft {
  return copyDraft(field, draft, undefined);
}

/** What of it is a draft of the field, with secrets from another one; the rest left blank. */
function copyDraft(field: FormField, given: Draft | undefined, secrets: Draft | undefined): Draft {
  // Without a draft of its own every part comes out blank.
  const draft = field.secret === true ? secrets : given;
  const part = (key: string, child: FormField): [string, Draft] => [
    key,
    copyDraft(child, asGroup(draft)[key], asGroup(secrets)[key]),
  ];
  // Rows may have moved: no other draft knows whose secret it has.
  const rowPart = (item: FormField, row: DraftGroup) =>
    copyDraft(item, row.item, draft === secrets ? row.item : undefined);
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

function asText(draft: Draft | undefined): string {
  // What could not be read cannot be shown again.
  return typeof draft === 'string' && draft !== UNREADABLE ? draft : '';
}
