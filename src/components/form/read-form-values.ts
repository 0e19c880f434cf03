import { deepEqual } from '../../shared/deep-equal.ts';
import { defineOwn, type JsonValue } from '../../shared/json.ts';
import type { Labels } from '../text/labels.ts';
import { type Checked, checkFormat, checkNumber, checkText } from './check-text.ts';
import { type Basis, type ControlIssue, inGroup, rowItem } from './control-issue.ts';
import { checkFiles } from './file-values.ts';
import type {
  BooleanField,
  FormField,
  GroupField,
  ListField,
  MultiChoiceField,
  RecordField,
  UnionField,
} from './form-field.ts';
import {
  asGroup,
  asRows,
  type FormValues,
  groupKey,
  INCLUDED,
  isBlank,
  pickedVariant,
  variantKey,
  wholeName,
} from './form-values.ts';

/** Stands for a property that the value does not have, which is not the same as `null`. */
export const ABSENT = Symbol('absent');
export type Read = JsonValue | typeof ABSENT;

export interface ReadContext {
  readonly labels: Labels;
  readonly issues: ControlIssue[];
}

/**
 * Reads the form values of a field into a JSON value, and adds an issue to the context for every rule of the field that
 * they break. A part that breaks a rule stays in the value, so that a schema can validate it too.
 */
export function readFormValues(
  field: FormField,
  values: FormValues | undefined,
  name: string,
  context: ReadContext,
): Read {
  switch (field.kind) {
    case 'constant':
      // An optional constant is left out until a person ticks it: `{ deleteAll?: true }` is a question.
      return field.required || values === INCLUDED ? field.value : ABSENT;
    case 'text':
      return readLeaf(field, values, name, context, (text) => checkText(field, text, context.labels));
    case 'number':
      return readLeaf(field, values, name, context, (text) => checkNumber(field, text, context.labels));
    case 'boolean':
      return readBoolean(field, values);
    case 'choice':
      return readLeaf(field, values, name, context, (text) => {
        const option = field.options[Number(text)];
        return option === undefined ? { message: context.labels.choiceMissing } : { value: option.value };
      });
    case 'json':
      return readLeaf(field, values, name, context, (text) => readJson(text, context.labels));
    case 'file':
      return readLeaf(field, values, name, context, (text) => checkFiles(field, text, context.labels));
    case 'multi-choice':
      return readMultiChoice(field, values, name, context);
    case 'group':
      return readGroup(field, values, name, context);
    case 'list':
      return readList(field, values, name, context);
    case 'record':
      return readRecord(field, values, name, context);
    case 'union':
      return readUnion(field, values, name, context);
    default:
      return field satisfies never;
  }
}

function readLeaf(
  field: FormField,
  values: FormValues | undefined,
  name: string,
  context: ReadContext,
  check: (text: string) => Checked,
): Read {
  const text = typeof values === 'string' ? values : '';
  if (text.trim() === '') {
    if (field.nullable === true && (field.required || field.defaultValue === null)) return null;
    if (!field.required) return ABSENT;
    const empty = field.kind === 'text' ? '' : field.kind === 'file' && field.multiple ? [] : ABSENT;
    fail(field, name, context, sayMissing(field, context.labels), empty === ABSENT ? 'no-value' : undefined);
    return empty;
  }
  const checked = check(text);
  if ('message' in checked) {
    const basis =
      checked.byPattern === true ? 'pattern' : checked.value === undefined ? 'no-value' : undefined;
    fail(field, name, context, checked.message, basis);
  }
  return checked.value === undefined ? ABSENT : checked.value;
}

/** Says what to do in an empty control: a date is entered, an option is chosen. */
function sayMissing(field: FormField, labels: Labels): string {
  switch (field.kind) {
    case 'choice':
      return labels.choiceMissing;
    case 'number':
      return labels.notNumber;
    case 'file':
      return labels.fileMissing;
    case 'text':
      return checkFormat(field.format, '', labels) ?? labels.required;
    default:
      return labels.required;
  }
}

function fail(
  { label }: Pick<FormField, 'label'>,
  name: string,
  { issues }: ReadContext,
  message: string,
  basis?: Basis,
): typeof ABSENT {
  issues.push({ name, label, message, basis });
  return ABSENT;
}

function readBoolean(field: BooleanField, values: FormValues | undefined): Read {
  if (values === 'true') return true;
  // Before the first click an optional box is left out, and a required one is false, as it looks.
  return values === 'false' || field.required ? false : ABSENT;
}

function readJson(text: string, labels: Labels): Checked {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return { message: labels.notJson };
  }
}

function readMultiChoice(
  field: MultiChoiceField,
  values: FormValues | undefined,
  name: string,
  context: ReadContext,
): Read {
  const picked = Array.isArray(values) ? values : [];
  // In the order of the schema, whatever the order of the clicks.
  const selected = field.options
    .filter((_, index) => picked.includes(String(index)))
    .map((option) => option.value);
  if (selected.length === 0 && !field.required) return ABSENT;
  checkCount(field, selected.length, name, context);
  return selected;
}

function checkCount(
  field: ListField | MultiChoiceField,
  count: number,
  name: string,
  context: ReadContext,
): void {
  const place = field.kind === 'list' ? wholeName(name) : name;
  if (field.minItems !== undefined && count < field.minItems) {
    const { choiceTooFew, tooFewItems } = context.labels;
    fail(field, place, context, (field.kind === 'list' ? tooFewItems : choiceTooFew)(field.minItems));
  }
  if (field.maxItems !== undefined && count > field.maxItems) {
    const { choiceTooMany, tooManyItems } = context.labels;
    fail(field, place, context, (field.kind === 'list' ? tooManyItems : choiceTooMany)(field.maxItems));
  }
}

function readGroup(
  field: GroupField,
  values: FormValues | undefined,
  name: string,
  context: ReadContext,
): Read {
  const children = asGroup(values);
  const inner: ReadContext = { ...context, issues: [] };
  const value: Record<string, JsonValue> = {};
  field.fields.forEach((child, index) => {
    const key = groupKey(index);
    const read = readFormValues(child.field, children[key], `${name}.${key}`, inner);
    if (read !== ABSENT) defineOwn(value, child.name, read);
  });
  // An optional group without input is left out, and then its required fields are not missing.
  const isDefault = inner.issues.length === 0 && deepEqual(value, field.defaultValue);
  if (!field.required && !isDefault && isBlank(children)) return ABSENT;
  context.issues.push(...inner.issues.map((issue) => inGroup(field, issue)));
  return value;
}

function readList(
  field: ListField,
  values: FormValues | undefined,
  name: string,
  context: ReadContext,
): Read {
  const rows = asRows(values);
  if (
    rows.length === 0 &&
    !field.required &&
    !((field.minItems ?? 0) > 0 && field.defaultValue !== undefined)
  ) {
    return ABSENT;
  }
  const items: JsonValue[] = [];
  // A list has no absent items, so every item is read as required.
  const item = { ...rowItem(field.item), required: true };
  rows.forEach((row, index) => {
    const place = `${name}.${index}.item`;
    const before = context.issues.length;
    const read = readFormValues(item, row.item, place, context);
    if (read === ABSENT) return;
    const isFirst = !items.some((earlier) => deepEqual(earlier, read));
    if (field.uniqueItems === true && !isFirst && context.issues.length === before) {
      fail(field.item, place, context, context.labels.duplicateItem);
    }
    items[index] = read;
  });
  // An unreadable item keeps its place, because the issues of a schema refer to rows by index.
  items.length = rows.length;
  // A blank row counts: it has an error of its own.
  checkCount(field, rows.length, name, context);
  return items;
}

function readRecord(
  field: RecordField,
  values: FormValues | undefined,
  name: string,
  context: ReadContext,
): Read {
  const rows = asRows(values);
  if (rows.length === 0 && !field.required) return ABSENT;
  const value: Record<string, JsonValue> = {};
  const seen = new Set<string>();
  const item = { ...field.item, required: true };
  rows.forEach((row, index) => {
    const key = typeof row.key === 'string' ? row.key : '';
    const keyIssue =
      key === '' ? context.labels.required : seen.has(key) ? context.labels.duplicateKey : undefined;
    if (keyIssue !== undefined)
      fail({ label: context.labels.entryKey }, `${name}.${index}.key`, context, keyIssue);
    seen.add(key);
    const read = readFormValues(item, row.item, `${name}.${index}.item`, context);
    if (read !== ABSENT) defineOwn(value, key, read);
  });
  return value;
}

function readUnion(
  field: UnionField,
  values: FormValues | undefined,
  name: string,
  context: ReadContext,
): Read {
  const pick = pickedVariant(values);
  const variant = field.variants[pick];
  if (!field.required && pick === -1) return ABSENT;
  if (variant === undefined) return fail(field, `${name}.pick`, context, context.labels.choiceMissing);
  const key = variantKey(pick);
  return readFormValues({ ...variant, required: true }, asGroup(values)[key], `${name}.${key}`, context);
}
