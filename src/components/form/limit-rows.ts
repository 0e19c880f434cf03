import { fields } from './kinds/fields.tsx';
import type { FormField } from './schema/form-field.ts';

/** Controls in the nested parts of a form. A browser takes 20 seconds for a list of 2,000 rows, and the page stands still meanwhile. */
const MAX_CONTROLS = 300;

/**
 * Returns the field with texts, lists, records and groups as JSON where a page cannot hold them. `value`, which the form starts with,
 * decides how many rows a list has.
 */
export function limitRows(field: FormField, value: unknown): FormField {
  return fields.limit(field, value, { left: MAX_CONTROLS, root: field });
}
