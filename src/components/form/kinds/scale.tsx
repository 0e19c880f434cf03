import type { KeyboardEvent } from 'react';
import { NO_PICK } from '../../primitives/option-rows.tsx';
import { Slot } from '../../primitives/slot.tsx';
import { useLabels } from '../../text/labels-context.tsx';
import { displayText } from '../../text/safe-text.ts';
import type { ScaleField } from '../schema/form-field.ts';
import { FieldSet } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { type ControlState, useControl } from './form-context.ts';
import { leafKind, readLeaf } from './leaf-kind.ts';

/** Whole numbers of which a person chooses one, such as the stars of a rating. */
export const scaleKind: FieldKind<ScaleField> = /* @__PURE__ */ leafKind({
  create: ({ values }, value) => (values.some((known) => known === value) ? String(value) : ''),
  read(field, values, name, context) {
    const missing = context.labels.scaleMissing(field.values[0] ?? 0, field.values.at(-1) ?? 0);
    return readLeaf(field, values, name, context, {
      check(text) {
        const value = field.values.find((known) => String(known) === text);
        return value === undefined ? { message: missing } : { value };
      },
      missing,
    });
  },
  // A person cannot type into it.
  guard: (field) => field,
  nameVariant: (_field, labels) => labels.kindNames.number,
  Widget: ScaleWidget,
});

/**
 * Shows the numbers as one row of segments. The segments are radio buttons: screen readers count them, and arrow keys move the choice. A
 * digit chooses its number at once.
 */
function ScaleWidget({ field, name }: WidgetProps<ScaleField>) {
  const labels = useLabels();
  const control = useControl(name, field);
  const { values, low, high } = field;
  const isLeavable = !field.required || field.nullable === true;
  const choose = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (!values.some((value) => String(value) === event.key)) return;
    event.preventDefault();
    control.binding.onChange(event.key);
    event.currentTarget.querySelector<HTMLElement>(`input[value="${event.key}"]`)?.focus();
  };
  return (
    <FieldSet field={field} control={control} role="radiogroup" required={!isLeavable}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the radio buttons inside */}
      <div className="hr-scale" onKeyDown={choose}>
        {values.map((value, index) => (
          <Segment key={value} control={control} value={String(value)} first={index === 0}>
            {describeEnd(value, index === 0 ? low : index === values.length - 1 ? high : undefined)}
          </Segment>
        ))}
        {isLeavable && (
          <Segment control={control} value="" first={false}>
            {labels.none}
          </Segment>
        )}
      </div>
      {(low !== undefined || high !== undefined) && (
        // The names of the radio buttons have these words.
        <div className="hr-scale-ends" aria-hidden="true">
          <span>{low !== undefined && `${values[0]} · ${low}`}</span>
          <span>{high !== undefined && `${high} · ${values.at(-1)}`}</span>
        </div>
      )}
    </FieldSet>
  );
}

/** The name of a segment, with the word of its end. */
function describeEnd(value: number, word: string | undefined): string {
  return word === undefined ? String(value) : `${value}, ${word}`;
}

/** Shows one number of a scale, or the segment that takes the choice back. */
function Segment({
  control: { id, binding, text, aria },
  value,
  first,
  children,
}: {
  control: ControlState;
  value: string;
  first: boolean;
  /** The accessible name. */
  children: string;
}) {
  const segmentId = `${id}-${value === '' ? NO_PICK : value}`;
  const isChosen = text === value;
  const isFocused = text === '' ? first : isChosen;
  return (
    <Slot slotName="option" as="label" className="hr-segment" htmlFor={segmentId}>
      <Slot
        slotName="radio"
        as="input"
        type="radio"
        id={segmentId}
        name={id}
        value={value}
        checked={isChosen}
        aria-label={children}
        data-autofocus={aria['data-autofocus'] !== undefined && isFocused ? '' : undefined}
        onBlur={binding.onBlur}
        onChange={() => binding.onChange(value)}
      />
      <span>{value === '' ? children : displayText(value, 20)}</span>
    </Slot>
  );
}
