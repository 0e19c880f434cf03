import type { ReactNode } from 'react';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { FieldError, FieldFrame, FieldHint, FieldSet, OptionalMark } from './field-frame.tsx';
import { useControl } from './form-context.ts';
import type { BooleanField, ChoiceField, FormField, MultiChoiceField } from './form-field.ts';
import { NO_PICK, OptionRows } from './option-rows.tsx';

/** Up to this many options are radio buttons, which are easy to compare; more of them fold into a list. */
const MAX_RADIOS = 6;
/** Longer lists, such as all cities, have the search of the radio buttons, which also draws only the first of them. */
const MAX_SELECT = 500;

/**
 * A native `select` and no combobox: phones show their own picker, the keyboard finds an option by its first letters, and every
 * screen reader knows it. The picker needs no room in the form and no layer above the dialog.
 */
export function ChoiceWidget({ field, name }: { field: ChoiceField; name: string }) {
  const few = field.options.length <= MAX_RADIOS && !isLeavable(field);
  const asked = field.control ?? (few ? 'radio' : 'select');
  const Widget = asked === 'radio' || field.options.length > MAX_SELECT ? RadioWidget : SelectWidget;
  return <Widget field={field} name={name} />;
}

function isLeavable(field: ChoiceField): boolean {
  return !field.required || field.nullable === true;
}

function RadioWidget({ field, name }: { field: ChoiceField; name: string }) {
  const control = useControl(name, field);
  const { binding } = control;
  const picked = field.options.findIndex((_, index) => String(index) === binding.value);
  return (
    <FieldSet field={field} control={control} role="radiogroup" required={!isLeavable(field)}>
      <OptionRows
        id={control.id}
        options={field.options}
        multiple={false}
        picked={picked < 0 ? [] : [picked]}
        clearable={isLeavable(field)}
        autofocus={control.aria['data-autofocus'] !== undefined}
        onBlur={binding.onBlur}
        onPick={(index) => binding.onChange(index === NO_PICK ? '' : String(index))}
      />
    </FieldSet>
  );
}

function SelectWidget({ field, name }: { field: ChoiceField; name: string }) {
  const labels = useLabels();
  const control = useControl(name, field);
  const { binding } = control;
  return (
    <FieldFrame field={field} control={control}>
      <Slot
        slotName="select"
        as="select"
        {...control.aria}
        id={control.id}
        ref={binding.ref}
        name={control.id}
        className="hr-input hr-select"
        value={String(binding.value ?? '')}
        onBlur={binding.onBlur}
        onChange={(event) => binding.onChange(event.currentTarget.value)}
      >
        <option value="">{labels.selectPlaceholder}</option>
        {field.options.map((option, index) => (
          <option key={String(index)} value={index}>
            {option.label}
          </option>
        ))}
      </Slot>
    </FieldFrame>
  );
}

export function MultiChoiceWidget({ field, name }: { field: MultiChoiceField; name: string }) {
  const control = useControl(name, field);
  const { binding } = control;
  const picked: readonly string[] = Array.isArray(binding.value) ? binding.value : [];
  const toggle = (key: string) =>
    binding.onChange(picked.includes(key) ? picked.filter((other) => other !== key) : [...picked, key]);
  return (
    <FieldSet field={field} control={control} role="group">
      <OptionRows
        id={control.id}
        options={field.options}
        multiple
        picked={picked.map(Number)}
        autofocus={control.aria['data-autofocus'] !== undefined}
        onBlur={binding.onBlur}
        onPick={(index) => toggle(String(index))}
      />
    </FieldSet>
  );
}

export function BooleanWidget({ field, name }: { field: BooleanField; name: string }) {
  return <CheckboxFrame field={field} name={name} values={['false', 'true']} />;
}

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
      <FieldHint field={field} id={control.hintId} />
      {children}
      <FieldError control={control} />
    </Slot>
  );
}
