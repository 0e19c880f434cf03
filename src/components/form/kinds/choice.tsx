import { findOption, NO_PICK, OptionRows } from '../../primitives/option-rows.tsx';
import { Slot } from '../../primitives/slot.tsx';
import type { ChoiceField } from '../schema/form-field.ts';
import { FieldFrame, FieldSet } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { useControl } from './form-context.ts';
import { leafKind, readLeaf } from './leaf-kind.ts';
import { useFormLabels } from './use-form-labels.ts';

export const choiceKind: FieldKind<ChoiceField> = /* @__PURE__ */ leafKind({
  create: (field, value) => (value === undefined ? '' : findOption(field.options, value)),
  read(field, values, name, context) {
    const missing = context.labels.choiceMissing;
    return readLeaf(field, values, name, context, {
      check(text) {
        const option = field.options[Number(text)];
        return option === undefined ? { message: missing } : { value: option.value };
      },
      missing,
    });
  },
  // A person cannot type into it.
  guard: (field) => field,
  nameVariant: (_field, labels) => labels.kindNames.choice,
  Widget: ChoiceWidget,
});

/** Up to this many options are radio buttons, which are easy to compare; more of them fold into a list. */
const MAX_RADIOS = 7;
/** Longer lists, such as all cities, have the search of the radio buttons, which also draws only the first of them. */
const MAX_SELECT = 500;

/**
 * A native `select` and no combobox: phones show their own picker, the keyboard finds an option by its first letters, and every
 * screen reader knows it. The picker needs no room in the form and no layer above the dialog.
 */
function ChoiceWidget({ field, name }: WidgetProps<ChoiceField>) {
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
  const labels = useFormLabels();
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
