import { parseJson } from '../../../shared/json.ts';
import { describeArguments } from '../../arguments/describe-value.ts';
import { formatValue } from '../../arguments/format-value.ts';
import { Slot } from '../../primitives/slot.tsx';
import { displayText } from '../../text/safe-text.ts';
import type { FixedField } from '../schema/form-field.ts';
import { FieldError, FieldHint } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { useControl } from './form-context.ts';
import { asText } from './form-values.ts';
import { leafKind } from './leaf-kind.ts';
import { ABSENT, type Read } from './read-context.ts';
import { type FormRoomLabels, useFormLabels } from './use-form-labels.ts';

/** A value that a person sees and cannot change. The form value is its JSON. */
export const fixedKind: FieldKind<FixedField> = /* @__PURE__ */ leafKind({
  create: (_field, value) => (value === undefined ? '' : JSON.stringify(value)),
  read: (_field, values) => parseJson(asText(values), ABSENT) as Read,
  firstControl: () => undefined,
  // A person cannot type into it.
  guard: (field) => field,
  nameVariant: (_field, labels) => labels.kindNames.json,
  Widget: FixedWidget,
});

/** A field that starts without a value shows nothing: the agent, or its server, fills it in later. */
function FixedWidget({ field, name }: WidgetProps<FixedField>) {
  const labels = useFormLabels();
  const control = useControl(name, field);
  if (control.binding.value === '') return null;
  return (
    <Slot
      slotName="field"
      as="div"
      className="hr-field"
      data-kind="fixed"
      data-invalid={control.message && ''}
    >
      <Slot slotName="label" as="span" className="hr-label" id={`${control.id}-label`}>
        {field.label}
      </Slot>
      <Slot
        slotName="constant"
        as="output"
        className="hr-constant"
        id={control.id}
        tabIndex={-1}
        aria-labelledby={`${control.id}-label`}
      >
        {showValue(field, String(control.binding.value), labels)}
      </Slot>
      <FieldHint hint={control.hint} id={control.hintId} />
      <FieldError control={control} />
    </Slot>
  );
}

function showValue({ schema, secret }: FixedField, text: string, labels: FormRoomLabels): string {
  if (secret === true) return labels.hidden;
  const shown = formatValue(describeArguments(parseJson(text), schema), labels);
  return 'text' in shown && shown.type !== 'long-text' ? shown.text : displayText(text, 300);
}
