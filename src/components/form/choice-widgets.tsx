import type { ReactNode } from 'react';
import { Part } from '../parts/part.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import { FieldError, FieldFrame, FieldHint, FieldSet, OptionalMark } from './field-frame.tsx';
import { useControl } from './form-context.ts';
import type { BooleanField, ChoiceField, FieldOption, FormField, MultiChoiceField } from './form-field.ts';

/** Up to this many options stand side by side to be compared; more of them fold into a list. */
const MOST_RADIOS = 6;

export function ChoiceWidget({ field, name }: { field: ChoiceField; name: string }) {
  const radios = field.required && field.nullable !== true && field.options.length <= MOST_RADIOS;
  return radios ? <RadioWidget field={field} name={name} /> : <SelectWidget field={field} name={name} />;
}

function RadioWidget({ field, name }: { field: ChoiceField; name: string }) {
  const control = useControl(name, field);
  const { binding } = control;
  const { 'data-autofocus': autofocus } = control.aria;
  const first = field.options.some((_, index) => String(index) === binding.value) ? binding.value : '0';
  return (
    <FieldSet field={field} control={control} role="radiogroup" required>
      <div className="hr-options">
        {field.options.map((option, index) => (
          <OptionRow key={String(index)} option={option} id={`${control.id}-${index}`}>
            <Part
              partName="radio"
              as="input"
              type="radio"
              id={`${control.id}-${index}`}
              name={control.id}
              value={index}
              checked={binding.value === String(index)}
              data-autofocus={first === String(index) ? autofocus : undefined}
              aria-describedby={option.description === undefined ? undefined : `${control.id}-${index}-hint`}
              onBlur={binding.onBlur}
              onChange={() => binding.onChange(String(index))}
            />
          </OptionRow>
        ))}
      </div>
    </FieldSet>
  );
}

function SelectWidget({ field, name }: { field: ChoiceField; name: string }) {
  const labels = useLabels();
  const control = useControl(name, field);
  const { binding } = control;
  return (
    <FieldFrame field={field} control={control}>
      <Part
        partName="select"
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
      </Part>
    </FieldFrame>
  );
}

export function MultiChoiceWidget({ field, name }: { field: MultiChoiceField; name: string }) {
  const control = useControl(name, field);
  const { binding } = control;
  const picked: readonly string[] = Array.isArray(binding.value) ? binding.value : [];
  const { 'data-autofocus': autofocus } = control.aria;
  const toggle = (key: string) =>
    binding.onChange(picked.includes(key) ? picked.filter((other) => other !== key) : [...picked, key]);
  return (
    <FieldSet field={field} control={control} role="group">
      <div className="hr-options">
        {field.options.map((option, index) => (
          <OptionRow key={String(index)} option={option} id={`${control.id}-${index}`}>
            <Part
              partName="checkbox"
              as="input"
              type="checkbox"
              id={`${control.id}-${index}`}
              checked={picked.includes(String(index))}
              data-autofocus={index === 0 ? autofocus : undefined}
              aria-describedby={option.description === undefined ? undefined : `${control.id}-${index}-hint`}
              onBlur={binding.onBlur}
              onChange={() => toggle(String(index))}
            />
          </OptionRow>
        ))}
      </div>
    </FieldSet>
  );
}

/** One radio button or checkbox with its words; the whole row can be pressed. */
export function OptionRow({
  option,
  id,
  shortcut,
  children,
}: {
  option: FieldOption;
  id: string;
  /** The key that picks this option. */
  shortcut?: string | undefined;
  children: ReactNode;
}) {
  return (
    <Part partName="option" as="div" className="hr-option">
      {children}
      <label htmlFor={id}>{option.label}</label>
      {option.description !== undefined && (
        <Part partName="hint" as="span" className="hr-hint" id={`${id}-hint`}>
          {displayText(option.description)}
        </Part>
      )}
      {shortcut !== undefined && (
        <span className="hr-key" aria-hidden="true">
          {shortcut}
        </span>
      )}
    </Part>
  );
}

export function BooleanWidget({ field, name }: { field: BooleanField; name: string }) {
  return <CheckboxFrame field={field} name={name} values={['false', 'true']} />;
}

/** One checkbox with its label behind it. `values` is what the draft holds, unticked and ticked. */
export function CheckboxFrame({
  field,
  name,
  values: [unticked, ticked],
  children,
}: {
  field: FormField;
  name: string;
  values: readonly [unticked: string, ticked: string];
  /** Below the label. */
  children?: ReactNode;
}) {
  const control = useControl(name, field);
  const { binding } = control;
  // "Required" of a yes/no means that it is part of the value, not that it has to be yes.
  const { 'aria-required': _, ...aria } = control.aria;
  return (
    <Part
      partName="field"
      as="div"
      className="hr-field"
      data-kind={field.kind}
      data-invalid={control.message === undefined ? undefined : ''}
    >
      <Part partName="option" as="div" className="hr-option" data-plain="">
        <Part
          partName="checkbox"
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
      </Part>
      <FieldHint field={field} id={control.hintId} />
      {children}
      <FieldError control={control} />
    </Part>
  );
}
