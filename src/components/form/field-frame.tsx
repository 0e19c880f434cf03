import type { ReactNode } from 'react';
import { joinWords } from '../parts/join-words.ts';
import { Part } from '../parts/part.tsx';
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
  control: Messages & Pick<ControlState, 'warningId'>;
  children: ReactNode;
}) {
  return (
    <Part
      partName="field"
      as="div"
      className="hr-field"
      data-kind={field.kind}
      data-invalid={control.message && ''}
    >
      <div className="hr-label-row">
        <Part partName="label" as="label" className="hr-label" htmlFor={control.id}>
          {field.label}
        </Part>
        <OptionalMark field={field} />
      </div>
      <FieldHint field={field} id={control.hintId} />
      <SecretWarning id={control.warningId} />
      {children}
      <FieldError control={control} />
    </Part>
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
  return (
    <Part
      partName="fieldset"
      as="fieldset"
      className="hr-field"
      data-kind={field.kind}
      data-invalid={control.message && ''}
      id={control.id}
      tabIndex={-1}
      aria-labelledby={labelId}
      aria-describedby={joinWords(control.hintId, control.errorId)}
      role={role}
      aria-required={required}
      aria-invalid={role === 'radiogroup' ? control.message !== undefined : undefined}
    >
      <div className="hr-label-row">
        <Part partName="label" as="span" className="hr-label" id={labelId}>
          {field.label}
        </Part>
        <OptionalMark field={field} />
      </div>
      <FieldHint field={field} id={control.hintId} />
      {children}
      <FieldError control={control} />
    </Part>
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
    <Part partName="hint" as="p" className="hr-hint" id={id}>
      {displayText(field.description)}
    </Part>
  );
}

export function FieldError({ control }: { control: Pick<Messages, 'message' | 'errorId'> }) {
  if (control.message === undefined) return null;
  return (
    <Part partName="error" as="p" className="hr-error" id={control.errorId}>
      {displayText(control.message, 300)}
    </Part>
  );
}

/** Before a suspect control, so that it is read before anything is typed. */
function SecretWarning({ id }: { id: string | undefined }) {
  const labels = useLabels();
  if (id === undefined) return null;
  return (
    <Part partName="notice" as="p" className="hr-notice" data-look="caution" data-small="" id={id}>
      {labels.asksForSecret}
    </Part>
  );
}
