/** What was typed, back into a value: every rule of the schema a person can break has its issue here. */

import { deepEqual } from '../../shared/deep-equal.ts';
import { defineOwn, type JsonValue } from '../../shared/json.ts';
import type { Labels } from '../text/labels.ts';
import { type Checked, checkNumber, checkText } from './check-text.ts';
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

/** Something to tell about one control. `name` is its place in the draft, such as `value.f0.2.item`. */
export interface ControlIssue {
  readonly name: string;
  readonly label: string;
  readonly message: string;
  readonly basis?: Basis | undefined;
}

/**
 * Why the form refuses a text, in the two cases that a schema sees differently: its `pattern` came without flags, or no value
 * can be read from the text.
 */
export type Basis = 'pattern' | 'unread';

/** A property that is not there; distinct from `null`. */
export const ABSENT = Symbol('absent');
export type Read = JsonValue | typeof ABSENT;

export interface ReadContext {
  readonly labels: Labels;
  readonly issues: ControlIssue[];
}

/**
 * Reads one field's draft. Issues are added to the context, and the value is then a best effort: what breaks a rule is
 * in it, in its place, so that a schema can judge it too.
 */
export function readFormValues(
  field: FormField,
  draft: FormValues | undefined,
  name: string,
  context: ReadContext,
): Read {
  switch (field.kind) {
    case 'constant':
      // One that may be left out is, until somebody says otherwise: `{ deleteAll?: true }` is a question.
      return field.required || draft === INCLUDED ? field.value : ABSENT;
    case 'text':
      return readLeaf(field, draft, name, context, (text) => checkText(field, text, context.labels));
    case 'number':
      return readLeaf(field, draft, name, context, (text) => checkNumber(field, text, context.labels));
    case 'boolean':
      return readBoolean(field, draft);
    case 'choice':
      return readLeaf(field, draft, name, context, (text) => {
        const option = field.options[Number(text)];
        return option === undefined ? { message: context.labels.required } : { value: option.value };
      });
    case 'json':
      return readLeaf(field, draft, name, context, (text) => parseJson(text, context.labels));
    case 'file':
      return readLeaf(field, draft, name, context, (text) => checkFiles(field, text, context.labels));
    case 'multi-choice':
      return readMultiChoice(field, draft, name, context);
    case 'group':
      return readGroup(field, draft, name, context);
    case 'list':
      return readList(field, draft, name, context);
    case 'record':
      return readRecord(field, draft, name, context);
    case 'union':
      return readUnion(field, draft, name, context);
    default:
      return field satisfies never;
  }
}

function readLeaf(
  field: FormField,
  draft: FormValues | undefined,
  name: string,
  context: ReadContext,
  check: (text: string) => Checked,
): Read {
  const text = typeof draft === 'string' ? draft : '';
  if (text.trim() === '') {
    if (field.nullable === true && (field.required || field.defaultValue === null)) return null;
    if (!field.required) return ABSENT;
    fail(field, name, context, context.labels.required);
    if (field.kind === 'text') return '';
    return field.kind === 'file' && field.multiple ? [] : ABSENT;
  }
  const checked = check(text);
  if ('message' in checked) {
    const basis = checked.byPattern === true ? 'pattern' : checked.value === undefined ? 'unread' : undefined;
    fail(field, name, context, checked.message, basis);
  }
  return checked.value === undefined ? ABSENT : checked.value;
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

function readBoolean(field: BooleanField, draft: FormValues | undefined): Read {
  if (draft === 'true') return true;
  // Never touched: an optional one is left out, a required one reads as it looks.
  return draft === 'false' || field.required ? false : ABSENT;
}

function parseJson(text: string, labels: Labels): Checked {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return { message: labels.notJson };
  }
}

function readMultiChoice(
  field: MultiChoiceField,
  draft: FormValues | undefined,
  name: string,
  context: ReadContext,
): Read {
  const picked = Array.isArray(draft) ? draft : [];
  // The schema's order, not the order of the clicks.
  const values = field.options
    .filter((_, index) => picked.includes(String(index)))
    .map((option) => option.value);
  if (values.length === 0 && !field.required) return ABSENT;
  checkCount(field, values.length, name, context);
  return values;
}

function checkCount(
  field: ListField | MultiChoiceField,
  count: number,
  name: string,
  context: ReadContext,
): void {
  const place = field.kind === 'list' ? wholeName(name) : name;
  if (field.minItems !== undefined && count < field.minItems) {
    fail(field, place, context, context.labels.tooFewItems(field.minItems));
  }
  if (field.maxItems !== undefined && count > field.maxItems) {
    fail(field, place, context, context.labels.tooManyItems(field.maxItems));
  }
}

function readGroup(
  field: GroupField,
  draft: FormValues | undefined,
  name: string,
  context: ReadContext,
): Read {
  const drafts = asGroup(draft);
  const inner: ReadContext = { ...context, issues: [] };
  const value: Record<string, JsonValue> = {};
  field.fields.forEach((child, index) => {
    const key = groupKey(index);
    const read = readFormValues(child.field, drafts[key], `${name}.${key}`, inner);
    if (read !== ABSENT) defineOwn(value, child.name, read);
  });
  // An optional group nobody wrote anything in is left out, and what it would require is not missed.
  const isDefault = inner.issues.length === 0 && deepEqual(value, field.defaultValue);
  if (!field.required && !isDefault && isBlank(drafts)) return ABSENT;
  context.issues.push(...inner.issues);
  return value;
}

function readList(field: ListField, draft: FormValues | undefined, name: string, context: ReadContext): Read {
  const rows = asRows(draft);
  if (
    rows.length === 0 &&
    !field.required &&
    !((field.minItems ?? 0) > 0 && field.defaultValue !== undefined)
  ) {
    return ABSENT;
  }
  const values: JsonValue[] = [];
  // Inside a list nothing can be left out, so an item is read as required whatever its schema is.
  const item = { ...field.item, required: true };
  rows.forEach((row, index) => {
    const place = `${name}.${index}.item`;
    const before = context.issues.length;
    const read = readFormValues(item, row.item, place, context);
    if (read === ABSENT) return;
    const isFirst = !values.some((earlier) => deepEqual(earlier, read));
    if (field.uniqueItems === true && !isFirst && context.issues.length === before) {
      fail(field.item, place, context, context.labels.duplicateItem);
    }
    values[index] = read;
  });
  // What could not be read keeps its place: a schema counts rows.
  values.length = rows.length;
  // A row that is blank or wrong has its own message; it is not missing.
  checkCount(field, rows.length, name, context);
  return values;
}

function readRecord(
  field: RecordField,
  draft: FormValues | undefined,
  name: string,
  context: ReadContext,
): Read {
  const rows = asRows(draft);
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
  draft: FormValues | undefined,
  name: string,
  context: ReadContext,
): Read {
  const pick = pickedVariant(draft);
  const variant = field.variants[pick];
  if (!field.required && pick === -1) return ABSENT;
  if (variant === undefined) return fail(field, `${name}.pick`, context, context.labels.required);
  const key = variantKey(pick);
  return readFormValues({ ...variant, required: true }, asGroup(draft)[key], `${name}.${key}`, context);
}
