import { findOption, OptionRows } from '../../primitives/option-rows.tsx';
import type { MultiChoiceField } from '../schema/form-field.ts';
import { FieldSet } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { useControl } from './form-context.ts';
import { leafKind } from './leaf-kind.ts';
import { ABSENT, checkCount } from './read-context.ts';

export const multiChoiceKind: FieldKind<MultiChoiceField> = /* @__PURE__ */ leafKind({
  create(field, value) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.map((item) => findOption(field.options, item)).filter((item) => item !== '');
  },
  copy: (_field, values) =>
    Array.isArray(values) ? values.filter((item): item is string => typeof item === 'string') : [],
  read(field, values, name, context) {
    const picked = Array.isArray(values) ? values : [];
    // In the order of the schema, whatever the order of the clicks.
    const selected = field.options
      .filter((_, index) => picked.includes(String(index)))
      .map((option) => option.value);
    if (selected.length === 0 && !field.required) return ABSENT;
    const { choiceTooFew: tooFew, choiceTooMany: tooMany } = context.labels;
    checkCount(field, selected.length, name, context, { tooFew, tooMany });
    return selected;
  },
  // A person cannot type into it.
  guard: (field) => field,
  nameVariant: (_field, labels) => labels.kindNames.list,
  Widget: MultiChoiceWidget,
});

function MultiChoiceWidget({ field, name }: WidgetProps<MultiChoiceField>) {
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
