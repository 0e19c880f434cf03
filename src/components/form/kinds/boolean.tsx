import type { BooleanField } from '../schema/form-field.ts';
import { CheckboxFrame } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { leafKind } from './leaf-kind.ts';
import { ABSENT } from './read-context.ts';

export const booleanKind: FieldKind<BooleanField> = /* @__PURE__ */ leafKind({
  create: (_field, value) => (typeof value === 'boolean' ? String(value) : ''),
  read(field, values) {
    if (values === 'true') return true;
    // Before the first click an optional box is left out, and a required one is false, as it looks.
    return values === 'false' || field.required ? false : ABSENT;
  },
  // A person cannot type into it.
  guard: (field) => field,
  nameVariant: (_field, labels) => labels.kindNames.boolean,
  Widget: BooleanWidget,
});

function BooleanWidget({ field, name }: WidgetProps<BooleanField>) {
  return <CheckboxFrame field={field} name={name} values={['false', 'true']} />;
}
