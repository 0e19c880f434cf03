import type { JsonValue } from '../../../shared/json.ts';
import type { FormField } from '../schema/form-field.ts';
import type { Basis, ControlIssue } from './control-issue.ts';
import type { FormRoomLabels } from './use-form-labels.ts';

/** Stands for a property that the value does not have, which is not the same as `null`. */
export const ABSENT = Symbol('absent');
export type Read = JsonValue | typeof ABSENT;

export interface ReadContext {
  readonly labels: FormRoomLabels;
  readonly issues: ControlIssue[];
}

/** Adds an issue of a control. */
export function addIssue(
  { issues }: ReadContext,
  name: string,
  { label }: Pick<FormField, 'label'>,
  message: string,
  basis?: Basis,
): void {
  issues.push({ name, label, message, basis });
}

/** Adds an issue if there are too few or too many items. The labels say so for their number. */
export function checkCount(
  field: Pick<FormField, 'label'> & {
    readonly minItems?: number | undefined;
    readonly maxItems?: number | undefined;
  },
  count: number,
  name: string,
  context: ReadContext,
  labels: { readonly tooFew: (min: number) => string; readonly tooMany: (max: number) => string },
): void {
  const { minItems, maxItems } = field;
  if (minItems !== undefined && count < minItems) addIssue(context, name, field, labels.tooFew(minItems));
  if (maxItems !== undefined && count > maxItems) addIssue(context, name, field, labels.tooMany(maxItems));
}
