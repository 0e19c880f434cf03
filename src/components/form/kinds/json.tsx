import type { JsonValue } from '../../../shared/json.ts';
import { Slot } from '../../primitives/slot.tsx';
import type { JsonField } from '../schema/form-field.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { hintOf, useControl } from './form-context.ts';
import { LargeText } from './large-text.tsx';
import { type Checked, leafKind, readLeaf } from './leaf-kind.ts';
import { useFormLabels } from './use-form-labels.ts';

export const jsonKind: FieldKind<JsonField> = /* @__PURE__ */ leafKind({
  create: (_field, value) => (value === undefined ? '' : writeJson(value)),
  read(field, values, name, context) {
    const { notJson, required } = context.labels;
    return readLeaf(field, values, name, context, {
      check: (text) => readJson(text, notJson),
      missing: required,
    });
  },
  // The control edits all of the value, so an issue at any path inside it belongs to the control.
  locate: ({ label }, _values, path, name) => ({ name, label, inside: path }),
  nameVariant: (_field, labels) => labels.kindNames.json,
  Widget: JsonWidget,
});

/** A browser takes seconds to lay out tens of thousands of lines in a text area. */
const MAX_INDENTED = 20_000;

function writeJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 2);
  return lines.length > MAX_INDENTED ? JSON.stringify(value) : lines;
}

function readJson(text: string, notJson: string): Checked {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return { message: notJson };
  }
}

function JsonWidget({ field, name }: WidgetProps<JsonField>) {
  const labels = useFormLabels();
  const control = useControl(name, field, hintOf(field, labels.jsonNote));
  const { binding } = control;
  const renderControl = (autoFocus: boolean) => (
    <FieldFrame field={field} control={control}>
      <Slot
        slotName="textarea"
        as="textarea"
        {...control.aria}
        id={control.id}
        autoFocus={autoFocus}
        ref={binding.ref}
        name={control.id}
        className="hr-input hr-code"
        rows={5}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        defaultValue={control.text}
        onBlur={binding.onBlur}
        onChange={(event) => binding.onChange(event.currentTarget.value)}
      />
    </FieldFrame>
  );
  return <LargeText field={field} control={control} renderControl={renderControl} />;
}
