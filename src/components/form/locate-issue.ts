import type { Issue } from '../../core/tools/client-tool.ts';
import { type ControlIssue, inGroup, rowItem } from './control-issue.ts';
import type { FormField } from './form-field.ts';
import {
  asGroup,
  asRows,
  type FormValues,
  groupKey,
  pickedVariant,
  ROOT_NAME,
  variantKey,
  wholeName,
} from './form-values.ts';

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
  const place = follow(field, values, path, ROOT_NAME);
  if (place === undefined) return undefined;
  const { inside = [], ...control } = place;
  const message = inside.length === 0 ? issue.message : `${inside.map(String).join('.')}: ${issue.message}`;
  return { ...control, message };
}

interface Place extends Pick<ControlIssue, 'name' | 'label' | 'group'> {
  /** The path of the issue inside the JSON that the control edits. */
  readonly inside?: readonly PropertyKey[];
}

function follow(
  field: FormField,
  values: FormValues | undefined,
  path: readonly PropertyKey[],
  name: string,
): Place | undefined {
  const [step, ...rest] = path;
  if (field.kind === 'union') {
    const pick = pickedVariant(values);
    const variant = field.variants[pick];
    if (variant === undefined) return { name: `${name}.pick`, label: field.label };
    return follow(
      { ...variant, label: field.label },
      asGroup(values)[variantKey(pick)],
      path,
      `${name}.${variantKey(pick)}`,
    );
  }
  if (step === undefined) {
    if (field.kind === 'group') return undefined;
    const whole = field.kind === 'list' || field.kind === 'record';
    return { name: whole ? wholeName(name) : name, label: field.label };
  }
  switch (field.kind) {
    case 'group': {
      const index = field.fields.findIndex((child) => child.name === step);
      const child = field.fields[index];
      if (child === undefined) return undefined;
      const key = groupKey(index);
      const found = follow(child.field, asGroup(values)[key], rest, `${name}.${key}`);
      return found && inGroup(field, found);
    }
    case 'list':
    case 'record': {
      const rows = asRows(values);
      const index = field.kind === 'list' ? Number(step) : rows.findIndex((row) => row.key === step);
      const row = rows[index];
      if (row === undefined) return { name: wholeName(name), label: field.label };
      const item = field.kind === 'list' ? rowItem(field.item) : field.item;
      return follow(item, row.item, rest, `${name}.${index}.item`);
    }
    case 'text':
    case 'number':
    case 'boolean':
    case 'choice':
    case 'multi-choice':
    case 'file':
    case 'constant':
      return { name, label: field.label };
    case 'json':
      return { name, label: field.label, inside: path };
    default:
      return field satisfies never;
  }
}
