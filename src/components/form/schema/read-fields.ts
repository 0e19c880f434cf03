import { hasOwn, isRecord, type JsonValue, ownString } from '../../../shared/json.ts';
import { isSecretSchema } from '../../../shared/secrets.ts';
import { type FieldOption, readOptionList } from '../../text/read-options.ts';
import { displayText, humaniseName } from '../../text/safe-text.ts';
import type { FormField, GroupField, NamedField } from './form-field.ts';
import { ownNumber } from './json-schema.ts';
import { toScale } from './read-scale.ts';
import {
  AUTO_COMPLETE,
  formatOf,
  readFileField,
  readNumberField,
  readTimeLimits,
  withKnownName,
} from './read-simple-field.ts';

/**
 * Reads the `fields` array of an interactive call: `{ fields: [{ name, label, type, ... }] }`. Entries without a name,
 * and repeated ones, are skipped and counted, because an incomplete form is better than none.
 */
export function readFields(entries: readonly unknown[]): { field: GroupField; skipped: number } {
  const fields: NamedField[] = [];
  for (const entry of entries) {
    const named = isRecord(entry) ? readField(entry) : undefined;
    if (named !== undefined && !fields.some((field) => field.name === named.name)) fields.push(named);
  }
  return {
    field: { kind: 'group', label: '', required: true, fields },
    skipped: entries.length - fields.length,
  };
}

function readField(entry: Record<string, unknown>): NamedField | undefined {
  const name = ownString(entry, 'name') ?? ownString(entry, 'id') ?? ownString(entry, 'key');
  if (name === undefined) return undefined;
  const label = ownString(entry, 'label') ?? ownString(entry, 'title');
  const initial = ['defaultValue', 'default', 'value'].find((key) => hasOwn(entry, key));
  const base = {
    label: label === undefined ? humaniseName(name) : displayText(label, 160),
    description: ownString(entry, 'description') ?? ownString(entry, 'help') ?? ownString(entry, 'hint'),
    required: entry.required === true,
    ...(isSecretSchema(entry) ? { secret: true } : {}),
    ...(initial === undefined ? {} : { defaultValue: entry[initial] as JsonValue }),
  };
  return { name, field: withKnownName(readKind(entry, base), name) };
}

type Base = Pick<FormField, 'label' | 'description' | 'required' | 'defaultValue' | 'secret'>;

function readKind(entry: Record<string, unknown>, base: Base): FormField {
  const type = (ownString(entry, 'type') ?? 'text').toLowerCase();
  const placeholder = ownString(entry, 'placeholder');
  const options = readEntryOptions(entry);
  if (options.length > 0) {
    const several =
      entry.multiple === true || type === 'checkboxes' || type === 'multiselect' || type === 'multi-select';
    if (several || (type === 'checkbox' && options.length > 1))
      return { kind: 'multi-choice', ...base, options };
    return { kind: 'choice', ...base, options, ...(isChoiceControl(type) && { control: type }) };
  }
  switch (type) {
    case 'number':
    case 'range':
    case 'integer': {
      const bounds = { ...entry, minimum: entry.min ?? entry.minimum, maximum: entry.max ?? entry.maximum };
      const field = { ...readNumberField({ ...bounds, type }, base), ...readStep(entry), placeholder };
      return toScale(field) ?? field;
    }
    case 'checkbox':
    case 'boolean':
    case 'switch':
    case 'toggle':
      // A checkbox in a list of fields always has a value: the one it shows.
      return { kind: 'boolean', ...base, required: true };
    case 'file':
    case 'files':
      return readFileField(entry, base, { multiple: entry.multiple === true || type === 'files' });
    case 'object':
    case 'array':
    case 'json':
      return { kind: 'json', ...base };
    default: {
      const format = base.secret === true ? 'secret' : (formatOf(type) ?? 'plain');
      return {
        kind: 'text',
        ...base,
        format,
        placeholder,
        ...readTimeLimits(entry, format, ['min', 'max']),
        pattern: ownString(entry, 'pattern'),
        minLength: ownNumber(entry, 'minLength'),
        maxLength: ownNumber(entry, 'maxLength'),
        autoComplete: AUTO_COMPLETE[format],
      };
    }
  }
}

function isChoiceControl(type: string): type is 'radio' | 'select' {
  return type === 'radio' || type === 'select';
}

/** As in HTML a step counts from the minimum. It is a `multipleOf` only if the minimum is a multiple too. */
function readStep(entry: Record<string, unknown>): { multipleOf?: number } {
  const step = ownNumber(entry, 'step');
  const from = ownNumber(entry, 'min') ?? ownNumber(entry, 'minimum') ?? 0;
  return step !== undefined && Number.isInteger(from / step) ? { multipleOf: step } : {};
}

function readEntryOptions(entry: Record<string, unknown>): readonly FieldOption[] {
  const list = [entry.options, entry.choices, entry.enum].find(Array.isArray);
  return list === undefined ? [] : readOptionList(list);
}
