import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Issue } from '../../core/tools/client-tool.ts';
import { describeThrown } from '../../shared/errors.ts';
import { displayText } from '../text/safe-text.ts';
import type { ControlIssue } from './kinds/control-issue.ts';
import { fields } from './kinds/fields.tsx';
import type { ReadValue } from './kinds/form-context.ts';
import { type FormValues, ROOT_NAME } from './kinds/form-values.ts';
import { ABSENT } from './kinds/read-context.ts';
import type { FormRoomLabels } from './kinds/use-form-labels.ts';
import type { FormField } from './schema/form-field.ts';
import type { FormModel } from './schema/read-schema.ts';

/** The issues of a failed submit: those that have a control, and those of the form as a whole. */
export interface Failure {
  readonly located: readonly ControlIssue[];
  readonly general: readonly Issue[];
}

export const noFailure: Failure = { located: [], general: [] };

/** The result of a check: a value, or issues. `thrown` is the error that the schema threw, for the error log. */
export interface CheckedForm extends Failure {
  readonly value?: ReadValue;
  readonly thrown?: unknown;
}

/**
 * Checks the values of a whole form: each control by its own rules, then the Standard Schema, once. The form shows the
 * schema's message about a value as it is, and its own message where the schema has none or got no value.
 */
export async function checkFormValues(
  model: FormModel,
  values: FormValues | undefined,
  labels: FormRoomLabels,
): Promise<CheckedForm> {
  const issues: ControlIssue[] = [];
  const read = fields.read(model.field, values, ROOT_NAME, { labels, issues });
  const entered = read === ABSENT ? undefined : read;
  const { validate } = model;
  if (validate === undefined) {
    return issues.length > 0 ? { located: issues, general: [] } : accept(entered, entered);
  }
  // JSON Schema has no place for the flags of a pattern, so a pattern alone is no proof: the schema decides.
  const certain = issues.filter(({ basis }) => basis !== 'pattern');
  let result: StandardSchemaV1.Result<unknown>;
  try {
    result = await validate['~standard'].validate(entered);
  } catch (thrown) {
    // With fields missing the schema got a value that its author did not expect; only the form's issues count.
    return certain.length > 0
      ? { located: certain, general: [] }
      : { located: [], general: notSent(thrown, labels), thrown };
  }
  const refused = sortIssues(model, values, result.issues ?? []);
  if (certain.length > 0) return { located: withSchemaMessages(issues, refused.located), general: [] };
  return result.issues === undefined ? accept(result.value, entered) : refused;
}

/** Replaces the form's messages by those of the schema, and drops patterns that the schema does not refuse. */
function withSchemaMessages(
  issues: readonly ControlIssue[],
  refused: readonly ControlIssue[],
): readonly ControlIssue[] {
  return issues.flatMap((issue) => {
    // Without a value ("abc" in a number field, no pick) a schema complains about its type: "expected number, received
    // undefined".
    if (issue.basis === 'no-value') return issue;
    const said = refused.find(({ name }) => name === issue.name);
    if (said === undefined && issue.basis === 'pattern') return [];
    return { ...issue, message: said?.message || issue.message };
  });
}

function accept(parsed: unknown, entered: unknown): CheckedForm {
  return { ...noFailure, value: { parsed: () => parsed, entered: () => entered } };
}

/** The issue shown when a schema or a submit handler throws. */
export function notSent(thrown: unknown, labels: FormRoomLabels): readonly Issue[] {
  return [{ message: labels.notSent(describeThrown(thrown, labels.unknownError)) }];
}

/** Puts issues of a schema or of the submit handler at their controls; a control shows the first of its issues. */
export function sortIssues(
  model: FormModel,
  values: FormValues | undefined,
  issues: readonly Issue[],
): Failure {
  const placed = issues.map((issue) => ({ issue, control: locateIssue(model.field, values, issue) }));
  const located = placed.flatMap(({ control }) => control ?? []);
  return {
    located: located.filter((issue) => issue === located.find(({ name }) => name === issue.name)),
    general: placed.flatMap(({ issue, control }) => (control === undefined ? [issue] : [])),
  };
}

/**
 * Finds the control of an issue. A schema reports a path in the value (`['address', 'city']`); a control has a place in
 * the form values. An issue inside a part with a single control, such as a JSON field, belongs to that control.
 * Its message comes from the app or the agent, so it is made safe to show.
 *
 * @returns `undefined` for an issue of the whole form, or of a property that has no field.
 */
function locateIssue(
  field: FormField,
  values: FormValues | undefined,
  issue: Issue,
): ControlIssue | undefined {
  const path = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step));
  const place = fields.locate(field, values, path, ROOT_NAME);
  if (place === undefined) return undefined;
  const { inside = [], ...control } = place;
  const message = inside.length === 0 ? issue.message : `${inside.map(String).join('.')}: ${issue.message}`;
  return { ...control, message: displayText(message, 300) };
}
