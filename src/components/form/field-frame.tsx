import type { ReactNode } from 'react';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import type { ControlState } from './form-context.ts';
import type { FormField } from './form-field.ts';
import { readHint } from './read-hint.ts';

type Messages = Pick<ControlState, 'id' | 'message' | 'hintId' | 'errorId'>;

/** The label, the description and the error around one control. */
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
    <Slot
      slotName="field"
      as="div"
      className="hr-field"
      data-kind={field.kind}
      data-invalid={control.message && ''}
    >
      <div className="hr-label-row">
        <Slot slotName="label" as="label" className="hr-label" htmlFor={control.id}>
          {field.label}
        </Slot>
        <OptionalMark field={field} />
      </div>
      <FieldHint field={field} id={control.hintId} />
      <SecretWarning id={control.warningId} />
      {children}
      <FieldError control={control} />
    </Slot>
  );
}

/** The same around a group of controls with one label, such as radio buttons or the rows of a list. */
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
    <Slot
      slotName="fieldset"
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
        <Slot slotName="label" as="span" className="hr-label" id={labelId}>
          {field.label}
        </Slot>
        <OptionalMark field={field} />
      </div>
      <FieldHint field={field} id={control.hintId} />
      {children}
      <FieldError control={control} />
    </Slot>
  );
}

/**
 * Marks optional fields, because most fields are required, and a star for those would need a legend. A field with a default is
 * filled in, so nobody has to be told that it may be left out.
 */
export function OptionalMark({ field }: { field: FormField }) {
  const labels = useLabels();
  const isFilledIn = field.defaultValue !== undefined && field.defaultValue !== null;
  if (isFilledIn || (field.required && field.nullable !== true)) return null;
  return <span className="hr-optional">{labels.optional}</span>;
}

export function FieldHint({ field, id }: { field: FormField; id: string | undefined }) {
  const labels = useLabels();
  const hint = readHint(field, labels);
  if (hint === undefined) return null;
  return (
    <Slot slotName="hint" as="p" className="hr-hint" id={id}>
      {displayText(hint)}
    </Slot>
  );
}

export function FieldError({ control }: { control: Pick<Messages, 'message' | 'errorId'> }) {
  if (control.message === undefined) return null;
  return (
    <Slot slotName="error" as="p" className="hr-error" id={control.errorId}>
      {displayText(control.message, 300)}
    </Slot>
  );
}

/** Stands before the control, so that a person reads it before typing. */
function SecretWarning({ id }: { id: string | undefined }) {
  const labels = useLabels();
  if (id === undefined) return null;
  return (
    <Slot slotName="notice" as="p" className="hr-notice" data-look="caution" data-small="" id={id}>
      {labels.asksForSecret}
    </Slot>
  );
}
