/** The functions for a field of any kind: each calls that of the field's kind. */

import type { ReactNode } from 'react';
import { asksForSecret } from '../../../shared/asks-for-secret.ts';
import type { FormField, JsonField } from '../schema/form-field.ts';
import type { FieldKind, FieldTools } from './field-kind.ts';
import { FIELD_KINDS } from './field-kinds.ts';
import { ROOT_NAME } from './form-values.ts';
import { useFormLabels } from './use-form-labels.ts';

/** Controls in the nested parts of a form. A browser takes 20 seconds for a list of 2,000 rows, and the page stands still meanwhile. */
const MAX_CONTROLS = 300;

export const fields: FieldTools = {
  create: (field, value = field.defaultValue) => kindOf(field).create(field, value, fields),
  copy: (field, values, secrets) =>
    kindOf(field).copy(field, field.secret === true ? secrets : values, secrets, fields),
  read: (field, values, name, context) => kindOf(field).read(field, values, name, context, fields),
  firstControl: (field, values, name) => kindOf(field).firstControl(field, values, name, fields),
  locate: (field, values, path, name) => kindOf(field).locate(field, values, path, name, fields),
  guard(field, name, isAsked) {
    const asks =
      field.secret === true ||
      [name, field.label, field.description].some((text) => asksForSecret(text ?? ''));
    return kindOf(field).guard(field, asks ? 'field' : isAsked ? 'around' : undefined, fields);
  },
  limit: (field, value, budget = { left: MAX_CONTROLS, root: field }) =>
    kindOf(field).limit(field, value, budget, fields),
  toJson(field): JsonField {
    const { label, description, note, required, nullable, defaultValue, suspect } = field;
    const secret = hasSecret(field);
    return { kind: 'json', label, description, note, required, nullable, defaultValue, suspect, secret };
  },
  nameVariant: (field, labels) => kindOf(field).nameVariant(field, labels),
  Field: FieldView,
};

function kindOf(field: FormField): FieldKind {
  return FIELD_KINDS[field.kind];
}

function hasSecret(field: FormField): boolean {
  return field.secret === true || kindOf(field).parts(field).some(hasSecret);
}

/** Renders the widget of a field. `name` is its place in the form values. */
function FieldView({ field, name }: { field: FormField; name: string }): ReactNode {
  const labels = useFormLabels();
  // A property may be called "" or " " and still needs a label. Only the root group has none, below the dialog's title.
  const isNameless = field.label.trim() === '' && !(name === ROOT_NAME && field.kind === 'group');
  const { Widget } = kindOf(field);
  return <Widget field={isNameless ? { ...field, label: labels.value } : field} name={name} inner={fields} />;
}
