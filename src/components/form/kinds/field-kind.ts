import type { ReactNode } from 'react';
import type { FormField } from '../schema/form-field.ts';
import type { Place } from './control-issue.ts';
import type { FieldComponent } from './form-context.ts';
import type { FormValues } from './form-values.ts';
import type { Read, ReadContext } from './read-context.ts';
import type { FormRoomLabels } from './use-form-labels.ts';

/**
 * Everything that a form knows of one kind of field. A kind treats the fields inside its own through `inner`: if it imported the
 * table of all kinds, the imports would form a cycle.
 */
export interface FieldKind<Field extends FormField = FormField> {
  /** Returns the form values that a field starts with. `value` is undefined where there is none. */
  create(field: Field, value: unknown, inner: FieldTools): FormValues;
  /** Copies the form values that fit the field, with secrets from `secrets`; everything else is blank in the copy. */
  copy(
    field: Field,
    values: FormValues | undefined,
    secrets: FormValues | undefined,
    inner: FieldTools,
  ): FormValues;
  /** Reads form values into a JSON value, see {@link FieldTools.read}. */
  read(
    field: Field,
    values: FormValues | undefined,
    name: string,
    context: ReadContext,
    inner: FieldTools,
  ): Read;
  /** Returns the name of the first control. For a list without rows it is the button that adds one. */
  firstControl(
    field: Field,
    values: FormValues | undefined,
    name: string,
    inner: FieldTools,
  ): string | undefined;
  /** Finds the control of an issue at a path in the value. Undefined for a path without a control. */
  locate(
    field: Field,
    values: FormValues | undefined,
    path: readonly PropertyKey[],
    name: string,
    inner: FieldTools,
  ): Place | undefined;
  /** Marks what asks for a secret as suspect. Returns the same field when nothing in it does. */
  guard(field: Field, asked: AskedForSecret, inner: FieldTools): FormField;
  /** Turns parts that a page cannot hold into JSON fields. `value` is what the field starts with. */
  limit(field: Field, value: unknown, budget: ControlBudget, inner: FieldTools): FormField;
  /** The fields inside a field. */
  parts(field: Field): readonly FormField[];
  /** Names a variant of a union that has no title of its own. */
  nameVariant(field: Field, labels: FormRoomLabels): string;
  Widget(props: WidgetProps<Field>): ReactNode;
}

/** Says where the form asks for a secret: in the texts of the field itself, or only around it. */
export type AskedForSecret = 'field' | 'around' | undefined;

/** How many controls the nested parts of a form may still have. */
export interface ControlBudget {
  left: number;
  /** The field of the whole form, which is shown whatever its size. */
  readonly root: FormField;
}

export interface WidgetProps<Field extends FormField = FormField> {
  readonly field: Field;
  /** The place of the field in the form values. */
  readonly name: string;
  readonly inner: FieldTools;
}

/** The functions for a field of any kind. */
export interface FieldTools {
  /** Returns the form values that a field starts with: from `value`, or else from the schema's defaults. */
  create(field: FormField, value?: unknown): FormValues;
  /** Copies the parts that fit the field, with secrets from `secrets`; everything else is blank in the copy. */
  copy(field: FormField, values: FormValues | undefined, secrets: FormValues | undefined): FormValues;
  /**
   * Reads the form values of a field into a JSON value, and adds an issue to the context for every rule of the field that
   * they break. A part that breaks a rule stays in the value, so that a schema can validate it too.
   */
  read(field: FormField, values: FormValues | undefined, name: string, context: ReadContext): Read;
  firstControl(field: FormField, values: FormValues | undefined, name: string): string | undefined;
  locate(
    field: FormField,
    values: FormValues | undefined,
    path: readonly PropertyKey[],
    name: string,
  ): Place | undefined;
  /** @param isAsked Something around the field asks for a secret. */
  guard(field: FormField, name: string, isAsked: boolean): FormField;
  /**
   * Returns the field with texts, lists, records and groups as JSON where a page cannot hold them. `value`, which the form starts
   * with, decides how many rows a list has.
   *
   * @param budget Default: that of a whole form.
   */
  limit(field: FormField, value: unknown, budget?: ControlBudget): FormField;
  /** Returns a field in which a person edits the value as JSON. */
  toJson(field: FormField): FormField;
  nameVariant(field: FormField, labels: FormRoomLabels): string;
  /** Renders the widget of a field. */
  readonly Field: FieldComponent;
}
