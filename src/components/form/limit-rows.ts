import { hasOwn, isRecord } from '../../shared/json.ts';
import type { FormField, JsonField } from './form-field.ts';

/** Controls in the nested parts of a form. A browser takes 20 seconds for a list of 2,000 rows, and the page stands still meanwhile. */
const MAX_CONTROLS = 300;
/** A row has buttons that move and remove it. */
const CONTROLS_OF_ROW = 3;

/** Lines of a text. A browser takes a second to lay out 50,000 of them in a text area. JSON has them all in one line. */
const MAX_LINES = 2_000;

/**
 * Returns the field with texts, lists, records and groups as JSON where a page cannot hold them. `value`, which the form starts with,
 * decides how many rows a list has.
 */
export function limitRows(field: FormField, value: unknown): FormField {
  const budget = { left: MAX_CONTROLS };
  const limit = (part: FormField, given: unknown): FormField => {
    switch (part.kind) {
      case 'group': {
        const isNested = part !== field;
        if (isNested && part.fields.length > budget.left) return toJsonField(part);
        budget.left -= isNested ? part.fields.length : 0;
        const fields = part.fields.map(({ name, field: child }) => {
          const isGiven = isRecord(given) && hasOwn(given, name);
          return { name, field: limit(child, isGiven ? given[name] : child.defaultValue) };
        });
        return { ...part, fields };
      }
      case 'union':
        return { ...part, variants: part.variants.map((variant) => limit(variant, given)) };
      case 'list':
      case 'record': {
        const count = CONTROLS_OF_ROW * countValues(given);
        if (count > budget.left) return toJsonField(part);
        budget.left -= count;
        return part;
      }
      case 'text':
        return typeof given === 'string' && given.split('\n').length > MAX_LINES ? toJsonField(part) : part;
      default:
        return part;
    }
  };
  return limit(field, value);
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 0);
}

function toJsonField(field: FormField): JsonField {
  const { label, description, required, nullable, defaultValue, suspect } = field;
  const secret = hasSecret(field);
  return { kind: 'json', label, description, required, nullable, defaultValue, suspect, secret };
}

function hasSecret(field: FormField): boolean {
  if (field.secret === true) return true;
  switch (field.kind) {
    case 'group':
      return field.fields.some((child) => hasSecret(child.field));
    case 'union':
      return field.variants.some(hasSecret);
    case 'list':
    case 'record':
      return hasSecret(field.item);
    default:
      return false;
  }
}
