import type { FormField, GroupField } from './form-field.ts';

/** An error of one control. `name` is its place in the form values, such as `value.f0.2.item`. */
export interface ControlIssue {
  readonly name: string;
  readonly label: string;
  readonly message: string;
  /** The labels of the groups around the control, the outermost first. */
  readonly group?: readonly string[] | undefined;
  readonly basis?: Basis | undefined;
}

/**
 * The two cases in which a schema sees the field differently than the form: its `pattern` came without flags, or the form
 * has no value to give to the schema, because the field is empty or its text cannot be read.
 */
export type Basis = 'pattern' | 'no-value';

/** Adds the label of its group to a place in a form: two groups may have fields of the same name. */
export function inGroup<Place extends Pick<ControlIssue, 'group'>>(
  { label }: GroupField,
  place: Place,
): Place {
  return label === '' ? place : { ...place, group: [label, ...(place.group ?? [])] };
}

/** Returns the item of a list as the field of one row. The row is named by its number, so a group in it adds no name of its own. */
export function rowItem(item: FormField): FormField {
  return item.kind === 'group' ? { ...item, label: '' } : item;
}
