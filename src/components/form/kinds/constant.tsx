import { deepEqual } from '../../../shared/deep-equal.ts';
import { Slot } from '../../primitives/slot.tsx';
import { useLabels } from '../../text/labels-context.tsx';
import { displayText } from '../../text/safe-text.ts';
import type { ConstantField } from '../schema/form-field.ts';
import { CheckboxFrame, FieldHint } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { controlId, hintOf, useFormScope } from './form-context.ts';
import { leafKind } from './leaf-kind.ts';
import { ABSENT } from './read-context.ts';

/** The form value of an optional constant that is part of the value. */
export const INCLUDED = 'true';

export const constantKind: FieldKind<ConstantField> = /* @__PURE__ */ leafKind({
  create: (field, value) => (deepEqual(value, field.value) ? INCLUDED : ''),
  // An optional constant is left out until a person ticks it: `{ deleteAll?: true }` is a question.
  read: (field, values) => (field.required || values === INCLUDED ? field.value : ABSENT),
  firstControl: (field, _values, name) => (field.required ? undefined : name),
  // A person cannot type into it.
  guard: (field) => field,
  nameVariant: (field, labels) => displayText(String(field.value ?? ''), 80).trim() || labels.none,
  Widget: ConstantWidget,
});

/** Shows a constant, so that the person knows that it is sent. */
function ConstantWidget({ field, name }: WidgetProps<ConstantField>) {
  const labels = useLabels();
  const { formId } = useFormScope();
  const text =
    field.value === null
      ? labels.none
      : typeof field.value === 'string'
        ? field.value
        : JSON.stringify(field.value);
  const shown = (
    <Slot slotName="constant" as="output" className="hr-constant">
      {displayText(text, 300)}
    </Slot>
  );
  if (!field.required) {
    return (
      <CheckboxFrame field={field} name={name} values={['', INCLUDED]}>
        {shown}
      </CheckboxFrame>
    );
  }
  return (
    <Slot slotName="field" as="div" className="hr-field" data-kind="constant">
      <Slot slotName="label" as="span" className="hr-label">
        {field.label}
      </Slot>
      <FieldHint hint={hintOf(field)} id={`${controlId(formId, name)}-hint`} />
      {shown}
    </Slot>
  );
}
