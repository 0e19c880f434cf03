import { deepEqual } from '../../shared/deep-equal.ts';
import { hasOwn, isRecord } from '../../shared/json.ts';
import { englishLabels } from '../text/labels.ts';
import type { ControlIssue } from './control-issue.ts';
import { readReferences, writeFileValues } from './file-values.ts';
import type { FieldOption, FormField, GroupField, ListField, RecordField, UnionField } from './form-field.ts';
import { type FormValues, type FormValuesGroup, groupKey, INCLUDED, variantKey } from './form-values.ts';
import { readFormValues } from './read-form-values.ts';

/** A schema that requires a million items must still give a form that opens. */
const MAX_INITIAL_ITEMS = 20;

/** Returns the form values that a field starts with: from `value`, or else from the schema's defaults. */
export function createFormValues(field: FormField, value: unknown = field.defaultValue): FormValues {
  switch (field.kind) {
    case 'text':
      if (typeof value !== 'string') return '';
      return field.format === 'date-time' ? toLocalDateTime(value) : value;
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
    case 'file':
      return writeFileValues({ files: readReferences(value), uploading: 0, failed: 0 });
    case 'constant':
      return deepEqual(value, field.value) ? INCLUDED : '';
    case 'group':
      return createGroupValues(field, value);
    case 'list':
      return createListValues(field, value);
    case 'record':
      return createRecordValues(field, value);
    case 'union':
      return createUnionValues(field, value);
    case 'json':
      return value === undefined ? '' : writeJson(value);
    default:
      return field satisfies never;
  }
}

/** A browser takes seconds to lay out tens of thousands of lines in a text area. */
const MAX_INDENTED = 20_000;

function writeJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 2);
  return lines.length > MAX_INDENTED ? JSON.stringify(value) : lines;
}

function createGroupValues(field: GroupField, value: unknown): FormValuesGroup {
  const source = isRecord(value) ? value : {};
  return Object.fromEntries(
    field.fields.map(({ name, field: child }, index) => [
      groupKey(index),
      // Properties that the value does not have start with the schema's defaults.
      hasOwn(source, name) ? createFormValues(child, source[name]) : createFormValues(child),
    ]),
  );
}

function createListValues(field: ListField, value: unknown): readonly FormValuesGroup[] {
  const items = Array.isArray(value) ? value.map((item) => createFormValues(field.item, item)) : [];
  while (field.required && items.length < Math.min(field.minItems ?? 0, MAX_INITIAL_ITEMS))
    items.push(createFormValues(field.item));
  return items.map((item) => ({ item }));
}

function createRecordValues(field: RecordField, value: unknown): readonly FormValuesGroup[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([key, item]) => ({ key, item: createFormValues(field.item, item) }));
}

function createUnionValues(field: UnionField, value: unknown): FormValuesGroup {
  const scores = field.variants.map((variant) => (value === undefined ? 0 : matchScore(variant, value)));
  const best = scores.indexOf(Math.max(...scores));
  const variants = field.variants.map((variant, index): [string, FormValues] => [
    variantKey(index),
    createFormValues(variant, index === best ? value : undefined),
  ]);
  // Without a value an optional union starts without a pick, and a required one with its first variant.
  const pick = value === undefined && !field.required ? '' : String(best);
  return { pick, ...Object.fromEntries(variants) };
}

/** Returns the position of the option with this value as text, or an empty text. */
function findOption(options: readonly FieldOption[], value: unknown): string {
  const index = options.findIndex((option) => deepEqual(option.value, value));
  return index === -1 ? '' : String(index);
}

/** Converts an RFC 3339 time with an offset to the local time of `<input type="datetime-local">`. */
function toLocalDateTime(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, date.getMilliseconds() > 0 ? 23 : date.getSeconds() > 0 ? 19 : 16);
}

/** Scores how well a value fits a field. Infinity: typed in, the value would be read back as it is. */
function matchScore(field: FormField, value: unknown): number {
  const issues: ControlIssue[] = [];
  const read = readFormValues({ ...field, required: true }, createFormValues(field, value), '', {
    labels: englishLabels,
    issues,
  });
  const isSame = deepEqual(read, value);
  if (isSame && issues.length === 0) return Infinity;
  if (isRecord(read) && isRecord(value)) {
    return Object.keys(read).filter((key) => deepEqual(read[key], value[key])).length;
  }
  // A text may be read back in another spelling: a time in UTC, an email address without spaces around it.
  return isSame || (field.kind === 'text' && typeof value === 'string') ? 1 : 0;
}
