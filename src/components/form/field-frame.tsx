import type { ReactNode } from 'react';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import type { ControlState } from './form-context.ts';
import type { FormField } from './form-field.ts';

type Messages = Pick<ControlState, 'id' | 'message' | 'hintId' | 'errorId'>;

/** Label, description and error around one control. */
export function FieldFrame({
  field,
  control,
  children,
}: {
  field: FormField;
  control: Messages;
  children: ReactNode;
}) {
  return (
    <div
      className="hr-field"
      data-kind={field.kind}
      data-invalid={control.message === undefined ? undefined : ''}
    >
      <div className="hr-label-row">
        <label className="hr-label" htmlFor={control.id}>
          {field.label}
        </label>
        <OptionalMark field={field} />
      </div>
      <FieldHint field={field} id={control.hintId} />
      {children}
      <FieldError control={control} />
    </div>
  );
}

/** A group of controls with one name, such as radio buttons or the rows of a list. */
export function FieldSet({
  field,
  control,
  role,
  required,
  children,
}: {
  field: FormField;
  control: Messages;
  role: 'group' | 'radiogroup';
  required?: boolean;
  children: ReactNode;
}) {
  const labelId = `${control.id}-label`;
  const describedBy = [control.hintId, control.errorId].filter(Boolean).join(' ');
  return (
    <fieldset
      className="hr-field"
      data-kind={field.kind}
      data-invalid={control.message === undefined ? undefined : ''}
      id={control.id}
      tabIndex={-1}
      aria-labelledby={labelId}
      aria-describedby={describedBy === '' ? undefined : describedBy}
      {...(role === 'radiogroup'
        ? { role, 'aria-required': required, 'aria-invalid': control.message !== undefined }
        : {})}
    >
      <div className="hr-label-row">
        <span className="hr-label" id={labelId}>
          {field.label}
        </span>
        <OptionalMark field={field} />
      </div>
      <FieldHint field={field} id={control.hintId} />
      {children}
      <FieldError control={control} />
    </fieldset>
  );
}

/** Optional fields are marked, not required ones: most fields are required, and a star needs a legend. */
export function OptionalMark({ field }: { field: FormField }) {
  const labels = useLabels();
  if (field.required && field.nullable !== true) return null;
  return <span className="hr-optional">{labels.optional}</span>;
}

export function FieldHint({ field, id }: { field: FormField; id: string | undefined }) {
  if (field.description === undefined) return null;
  return (
    <p className="hr-hint" id={id}>
      {displayText(field.description)}
    </p>
  );
}

export function FieldError({ control }: { control: Pick<Messages, 'message' | 'errorId'> }) {
  if (control.message === undefined) return null;
  return (
    <p className="hr-error" id={control.errorId}>
      {displayText(control.message, 300)}
    </p>
  );
}
