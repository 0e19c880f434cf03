import type { SyntheticEvent } from 'react';
import { joinWords } from '../../primitives/join-words.ts';
import { Slot } from '../../primitives/slot.tsx';
import type { Labels } from '../../text/labels.ts';
import { useLabels } from '../../text/labels-context.tsx';
import type { NumberField } from '../schema/form-field.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { joinHints, useControl } from './form-context.ts';
import { readInput } from './form-values.ts';
import { type Checked, leafKind, readLeaf } from './leaf-kind.ts';

export const numberKind: FieldKind<NumberField> = /* @__PURE__ */ leafKind({
  create: (_field, value) => (typeof value === 'number' && Number.isFinite(value) ? String(value) : ''),
  read(field, values, name, context) {
    const { labels } = context;
    return readLeaf(field, values, name, context, {
      check: (text) => checkNumber(field, text, labels),
      missing: labels.notNumber,
    });
  },
  nameVariant: (_field, labels) => labels.kindNames.number,
  Widget: NumberWidget,
});

/** Checks a text that is not blank. A decimal comma counts as a point. */
function checkNumber(field: NumberField, text: string, labels: Labels): Checked {
  const value = Number(text.trim().replace(',', '.'));
  if (!Number.isFinite(value)) return { message: labels.notNumber };
  const message = checkLimits(field, value, labels);
  return message === undefined ? { value } : { message, value };
}

function checkLimits(
  { integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: NumberField,
  value: number,
  labels: Labels,
): string | undefined {
  if (integer && !Number.isSafeInteger(value)) return labels.notInteger;
  if (minimum !== undefined && value < minimum) return labels.tooSmall(minimum);
  if (maximum !== undefined && value > maximum) return labels.tooLarge(maximum);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return labels.above(exclusiveMinimum);
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return labels.below(exclusiveMaximum);
  return multipleOf === undefined || isMultiple(value, multipleOf)
    ? undefined
    : labels.notMultiple(multipleOf);
}

/** Tolerates rounding: for people 0.3 is a multiple of 0.1, in floating-point arithmetic it is not. */
function isMultiple(value: number, step: number): boolean {
  if (!(step > 0)) return true;
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

/** Says the limits before the person breaks them, such as "1 to 5". */
function describeLimits(field: NumberField, labels: Labels): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
  const isRange = minimum !== undefined && maximum !== undefined;
  return joinWords(
    isRange && labels.numberRange(minimum, maximum),
    !isRange && minimum !== undefined && labels.tooSmall(minimum),
    !isRange && maximum !== undefined && labels.tooLarge(maximum),
    exclusiveMinimum !== undefined && labels.above(exclusiveMinimum),
    exclusiveMaximum !== undefined && labels.below(exclusiveMaximum),
    multipleOf !== undefined && labels.notMultiple(multipleOf),
  );
}

/** The input is uncontrolled: a controlled one would lose text that is not a number yet, such as "1e". */
function NumberWidget({ field, name }: WidgetProps<NumberField>) {
  const labels = useLabels();
  const control = useControl(name, field, joinHints(field.description, describeLimits(field, labels)));
  const { binding } = control;
  return (
    <FieldFrame field={field} control={control}>
      <Slot
        slotName="input"
        as="input"
        {...control.aria}
        id={control.id}
        ref={binding.ref}
        name={control.id}
        className="hr-input"
        {...(field.secret && !field.suspect
          ? { type: 'password', autoComplete: 'new-password' }
          : { type: 'number', autoComplete: field.suspect ? 'off' : undefined })}
        inputMode={keypadFor(field)}
        min={field.minimum ?? field.exclusiveMinimum}
        max={field.maximum ?? field.exclusiveMaximum}
        step={field.multipleOf ?? (field.integer ? 1 : 'any')}
        placeholder={field.placeholder}
        defaultValue={control.text}
        onBlur={binding.onBlur}
        onChange={(event) => binding.onChange(readInput(event.currentTarget))}
        onWheel={ignoreWheel}
      />
    </FieldFrame>
  );
}

/** The number pads of iOS have no minus, so a number that may be negative gets the full keyboard. */
function keypadFor({ integer, minimum, exclusiveMinimum }: NumberField): 'numeric' | 'decimal' | undefined {
  if ((minimum ?? exclusiveMinimum ?? -1) < 0) return undefined;
  return integer ? 'numeric' : 'decimal';
}

/**
 * Lets the wheel scroll. Browsers step a focused number with it, except a read-only one. The handler cannot prevent that, because
 * React listens to the wheel passively.
 */
function ignoreWheel({ currentTarget: input }: SyntheticEvent<HTMLInputElement>) {
  input.readOnly = true;
  setTimeout(() => {
    input.readOnly = false;
  });
}
