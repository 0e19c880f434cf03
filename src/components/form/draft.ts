/**
 * What a form holds while it is typed in. A draft has the field's shape, but its names are ours (`f0`, `v1`,
 * `item`): property names of a schema come from anywhere and may hold dots, be numbers or be `__proto__`, which
 * a form library would take for paths. Every leaf is a string, so whatever was typed is kept, valid or not.
 */
import { hasOwn, isRecord } from '../../shared/json.ts';
import type { FieldOption, FormField, GroupField, ListField, RecordField, UnionField } from './form-field.ts';

export type Draft = string | readonly string[] | DraftGroup | readonly DraftGroup[];
export interface DraftGroup {
  readonly [name: string]: Draft;
}

/** Name of the n-th property of a group. */
export const groupKey = (index: number) => `f${index}`;
/** Name of the n-th variant of a union; its chooser is `pick`. */
export const variantKey = (index: number) => `v${index}`;
/** A form whose root is one field holds it under this name. */
export const ROOT_NAME = 'value';

/** The draft a field starts with: from `value` where there is one, else from the schema's defaults. */
export function createDraft(field: FormField, value: unknown = field.defaultValue): Draft {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? (field.format === 'date-time' ? toLocalDateTime(value) : value) : '';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : '';
    case 'choice':
      return value === undefined ? '' : findOption(field.options, value);
    case 'multi-choice':
      return Array.isArray(value)
        ? value.map((item) => findOption(field.options, item)).filter((item) => item !== '')
        : [];
    case 'constant':
      return '';
    case 'group':
      return createGroupDraft(field, value);
    case 'list':
      return createListDraft(field, value);
    case 'record':
      return createRecordDraft(field, value);
    case 'union':
      return createUnionDraft(field, value);
    case 'json':
      return value === undefined ? '' : JSON.stringify(value, null, 2);
    default:
      return field satisfies never;
  }
}

function createGroupDraft(field: GroupField, value: unknown): DraftGroup {
  const source = isRecord(value) ? value : {};
  return Object.fromEntries(
    field.fields.map(({ name, field: child }, index) => [
      groupKey(index),
      // A value that has only some of the properties leaves the others to the schema's defaults.
      hasOwn(source, name) ? createDraft(child, source[name]) : createDraft(child),
    ]),
  );
}

function createListDraft(field: ListField, value: unknown): readonly DraftGroup[] {
  const items = Array.isArray(value) ? value.map((item) => createDraft(field.item, item)) : [];
  while (field.required && items.length < Math.min(field.minItems ?? 0, MOST_INITIAL_ITEMS))
    items.push(createDraft(field.item));
  return items.map((item) => ({ item }));
}

/** A schema that demands a million items still gets a form that opens. */
const MOST_INITIAL_ITEMS = 20;

function createRecordDraft(field: RecordField, value: unknown): readonly DraftGroup[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([key, item]) => ({ key, item: createDraft(field.item, item) }));
}

function createUnionDraft(field: UnionField, value: unknown): DraftGroup {
  const fitting =
    value === undefined
      ? 0
      : Math.max(
          0,
          field.variants.findIndex((variant) => fits(variant, value)),
        );
  const drafts = field.variants.map((variant, index): [string, Draft] => [
    variantKey(index),
    createDraft(variant, index === fitting && value !== undefined ? value : variant.defaultValue),
  ]);
  // Nobody chose yet: an optional union stays open, a required one shows its first variant.
  const pick = value === undefined && !field.required ? '' : String(fitting);
  return { pick, ...Object.fromEntries(drafts) };
}

/** Whether a value looks like one of this field's: enough to pick a variant, not a validation. */
function fits(field: FormField, value: unknown): boolean {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && (!field.integer || Number.isInteger(value));
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return findOption(field.options, value) !== '';
    case 'constant':
      return sameJson(field.value, value);
    case 'multi-choice':
      return Array.isArray(value) && value.every((item) => findOption(field.options, item) !== '');
    case 'list':
      return Array.isArray(value) && value.every((item) => fits(field.item, item));
    case 'record':
      return isRecord(value) && Object.values(value).every((item) => fits(field.item, item));
    case 'group':
      return isRecord(value) && fitsGroup(field, value);
    case 'union':
      return field.variants.some((variant) => fits(variant, value));
    case 'json':
      return true;
    default:
      return field satisfies never;
  }
}

function fitsGroup(group: GroupField, value: Record<string, unknown>): boolean {
  const known = group.fields.every(({ name, field }) =>
    hasOwn(value, name) ? fits(field, value[name]) : !field.required,
  );
  return known && Object.keys(value).every((key) => group.fields.some(({ name }) => name === key));
}

/** The position of the option with this value, as the draft keeps it; empty when there is none. */
export function findOption(options: readonly FieldOption[], value: unknown): string {
  const index = options.findIndex((option) => sameJson(option.value, value));
  return index === -1 ? '' : String(index);
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other) || (one === 0 && other === 0)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => hasOwn(other, key) && sameJson(one[key], other[key]))
  );
}

/** RFC 3339 with offset, as the value has it, to the local form of `<input type="datetime-local">`. */
function toLocalDateTime(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, date.getMilliseconds() > 0 ? 23 : date.getSeconds() > 0 ? 19 : 16);
}
