import type { ReactNode } from 'react';
import { SeverityIcon } from '../../primitives/icons.tsx';
import { joinWords } from '../../primitives/join-words.ts';
import { Slot } from '../../primitives/slot.tsx';
import type { FormField } from '../schema/form-field.ts';
import { type ControlState, useControl } from './form-context.ts';
import { useFormLabels } from './use-form-labels.ts';

type Messages = Pick<ControlState, 'id' | 'message' | 'hint' | 'hintId' | 'errorId'>;

/** The label, the description and the error around one control. */
export function FieldFrame({
  field,
  control,
  mark,
  children,
}: {
  field: FormField;
  control: Messages & Pick<ControlState, 'warningId'>;
  /** An icon before the hint. */
  mark?: ReactNode;
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
      <SecretWarning id={control.warningId} />
      {children}
      <FieldHint hint={control.hint} id={control.hintId} mark={mark} />
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
  limits,
  children,
}: {
  field: FormField;
  control: Messages;
  role: 'group' | 'radiogroup';
  required?: boolean;
  /** How many items it takes, at the end of the label line. */
  limits?: string | undefined;
  children: ReactNode;
}) {
  const labelId = groupLabelId(control.id);
  // The description of several fields is read before them.
  const isHeading = field.kind === 'group' || field.kind === 'list' || field.kind === 'record';
  const limitsId = limits === undefined ? undefined : `${control.id}-limits`;
  const hint = <FieldHint hint={control.hint} id={control.hintId} />;
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
      aria-describedby={joinWords(limitsId, control.hintId, control.errorId)}
      role={role}
      aria-required={required}
      aria-invalid={role === 'radiogroup' ? control.message !== undefined : undefined}
    >
      <div className="hr-label-row">
        <Slot slotName="label" as="span" className="hr-label" id={labelId}>
          {field.label}
        </Slot>
        {limits !== undefined && (
          <span className="hr-optional" id={limitsId}>
            {limits}
          </span>
        )}
        <OptionalMark field={field} />
      </div>
      {isHeading && hint}
      {children}
      {!isHeading && hint}
      <FieldError control={control} />
    </Slot>
  );
}

/** The id of the label of a group of controls. */
export const groupLabelId = (id: string) => `${id}-label`;

/** One checkbox with its label behind it. `values` are its form values, unticked and ticked. */
export function CheckboxFrame({
  field,
  name,
  values: [unticked, ticked],
  children,
}: {
  field: FormField;
  name: string;
  values: readonly [unticked: string, ticked: string];
  /** Content below the label. */
  children?: ReactNode;
}) {
  const control = useControl(name, field);
  const { binding } = control;
  // A required boolean must be part of the value, but it may be false.
  const { 'aria-required': _, ...aria } = control.aria;
  return (
    <Slot
      slotName="field"
      as="div"
      className="hr-field"
      data-kind={field.kind}
      data-invalid={control.message && ''}
    >
      <Slot slotName="option" as="div" className="hr-option" data-plain="">
        <Slot
          slotName="checkbox"
          as="input"
          {...aria}
          type="checkbox"
          id={control.id}
          ref={binding.ref}
          name={control.id}
          checked={binding.value === ticked}
          onBlur={binding.onBlur}
          onChange={(event) => binding.onChange(event.currentTarget.checked ? ticked : unticked)}
        />
        <label htmlFor={control.id}>{field.label}</label>
        <OptionalMark field={field} />
      </Slot>
      {children}
      <FieldHint hint={control.hint} id={control.hintId} />
      <FieldError control={control} />
    </Slot>
  );
}

/**
 * Marks optional fields, because most fields are required, and a star for those would need a legend. A field with a default is
 * filled in, so nobody has to be told that it may be left out.
 */
function OptionalMark({ field }: { field: FormField }) {
  const labels = useFormLabels();
  const isFilledIn = field.defaultValue !== undefined && field.defaultValue !== null;
  if (isFilledIn || (field.required && field.nullable !== true)) return null;
  return <span className="hr-optional">{labels.optional}</span>;
}

export function FieldHint({
  hint,
  id,
  mark,
}: {
  hint: string | undefined;
  id: string | undefined;
  mark?: ReactNode;
}) {
  if (hint === undefined) return null;
  return (
    <Slot slotName="hint" as="p" className="hr-hint" id={id}>
      {mark}
      {hint}
    </Slot>
  );
}

export function FieldError({ control }: { control: Pick<Messages, 'message' | 'errorId'> }) {
  if (control.message === undefined) return null;
  return (
    <Slot slotName="error" as="p" className="hr-error" id={control.errorId}>
      <SeverityIcon />
      {control.message}
    </Slot>
  );
}

/** Stands before the control, so that a person reads it before typing. */
function SecretWarning({ id }: { id: string | undefined }) {
  const labels = useFormLabels();
  if (id === undefined) return null;
  return (
    <Slot slotName="notice" as="p" className="hr-notice" data-look="caution" data-small="" id={id}>
      {labels.asksForSecret}
    </Slot>
  );
}
