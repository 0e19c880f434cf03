import type { Issue } from '../../core/tools/client-tool.ts';
import type { ControlIssue } from './kinds/control-issue.ts';
import { fields } from './kinds/fields.tsx';
import { type FormValues, ROOT_NAME } from './kinds/form-values.ts';
import type { FormField } from './schema/form-field.ts';

/**
 * Finds the control of an issue. A schema reports a path in the value (`['address', 'city']`); a control has a place in
 * the form values. An issue inside a part with a single control, such as a JSON field, belongs to that control.
 *
 * @returns `undefined` for an issue of the whole form, or of a property that has no field.
 */
export function locateIssue(
  field: FormField,
  values: FormValues | undefined,
  issue: Issue,
): ControlIssue | undefined {
  const path = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step));
  const place = fields.locate(field, values, path, ROOT_NAME);
  if (place === undefined) return undefined;
  const { inside = [], ...control } = place;
  const message = inside.length === 0 ? issue.message : `${inside.map(String).join('.')}: ${issue.message}`;
  return { ...control, message };
}
