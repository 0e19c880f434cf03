import type { KeyboardEvent } from 'react';
import { isComposing } from '../../../shared/is-composing.ts';
import { currencySign, formatNumber } from '../../arguments/format-number.ts';
import { joinWords } from '../../primitives/join-words.ts';
import { Slot } from '../../primitives/slot.tsx';
import type { Labels } from '../../text/labels.ts';
import { useLabels } from '../../text/labels-context.tsx';
import { displayText } from '../../text/safe-text.ts';
import type { NumberField } from '../schema/form-field.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { joinHints, useControl } from './form-context.ts';
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

const NUMBER = /^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i;
/** `1,500` is fifteen hundred for one person, and one and a half for another. */
const GROUPED = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/** Returns the number that a text stands for, or NaN. A decimal comma counts as a point. */
function readNumber(text: string): number {
  const typed = text.trim();
  return NUMBER.test(typed) && !GROUPED.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN;
}

/** Checks a text that is not blank. */
function checkNumber(field: NumberField, text: string, labels: Labels): Checked {
  const value = readNumber(text);
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
  const isMeasured = field.currency !== undefined || field.unit !== undefined;
  const write = (value: number) => formatNumber(value, field, labels.locale);
  return joinWords(
    isRange && !isMeasured && labels.numberRange(minimum, maximum),
    isRange && isMeasured && labels.valueRange(write(minimum), write(maximum)),
    !isRange && minimum !== undefined && labels.tooSmall(minimum),
    !isRange && maximum !== undefined && labels.tooLarge(maximum),
    exclusiveMinimum !== undefined && labels.above(exclusiveMinimum),
    exclusiveMaximum !== undefined && labels.below(exclusiveMaximum),
    multipleOf !== undefined && labels.notMultiple(multipleOf),
  );
}

/**
 * The input is a text: browsers drop the comma from `<input type="number">` in a page whose language has a decimal point, and `1,5` becomes 15.
 * It is uncontrolled: a controlled one would lose text that is not a number yet, such as "1e".
 */
function NumberWidget({ field, name }: WidgetProps<NumberField>) {
  const labels = useLabels();
  const control = useControl(name, field, joinHints(field.description, describeLimits(field, labels)));
  const { binding } = control;
  const isHidden = field.secret && !field.suspect;
  const step = (event: KeyboardEvent<HTMLInputElement>) => {
    const next = isComposing(event.nativeEvent) ? undefined : toNextNumber(field, event);
    if (next === undefined) return;
    event.preventDefault();
    event.currentTarget.value = next;
    binding.onChange(next);
  };
  const sign = currencySign(field.currency, labels.locale);
  const input = (
    <Slot
      slotName="input"
      as="input"
      {...control.aria}
      id={control.id}
      ref={binding.ref}
      name={control.id}
      className="hr-input"
      {...(isHidden
        ? { type: 'password', autoComplete: 'new-password' }
        : {
            type: 'text',
            role: 'spinbutton',
            ...describeValue(field, control.text),
            autoComplete: field.suspect ? 'off' : undefined,
            onKeyDown: step,
          })}
      inputMode={keypadFor(field)}
      placeholder={field.placeholder}
      defaultValue={control.text}
      onBlur={binding.onBlur}
      onChange={(event) => binding.onChange(event.currentTarget.value)}
    />
  );
  return (
    <FieldFrame field={field} control={control}>
      {sign === undefined && field.unit === undefined ? (
        input
      ) : (
        // The hint has the amounts with their currency or unit.
        <div className="hr-measured">
          {sign !== undefined && <span aria-hidden="true">{sign}</span>}
          {input}
          {sign === undefined && <span aria-hidden="true">{displayText(field.unit ?? '', 20)}</span>}
        </div>
      )}
    </FieldFrame>
  );
}

/** Tells assistive technology of a number and its limits. */
function describeValue(field: NumberField, text: string) {
  const value = readNumber(text);
  return {
    'aria-valuenow': Number.isFinite(value) && field.secret !== true ? value : undefined,
    'aria-valuemin': field.minimum ?? field.exclusiveMinimum,
    'aria-valuemax': field.maximum ?? field.exclusiveMaximum,
  };
}

/** Returns the text of the next number for the arrow keys, or undefined for any other key. */
function toNextNumber(
  { minimum, maximum, multipleOf = 1 }: NumberField,
  { key, currentTarget, altKey, ctrlKey, metaKey }: KeyboardEvent<HTMLInputElement>,
): string | undefined {
  if ((key !== 'ArrowUp' && key !== 'ArrowDown') || altKey || ctrlKey || metaKey) return undefined;
  const value = readNumber(currentTarget.value || '0');
  if (!Number.isFinite(value)) return undefined;
  const next = value + (key === 'ArrowUp' ? multipleOf : -multipleOf);
  const limited = Math.min(Math.max(next, minimum ?? -Infinity), maximum ?? Infinity);
  // Without the digits that floating-point arithmetic adds: 0.1 + 0.2 is 0.3.
  return String(Number(limited.toPrecision(15)));
}

/** The number pads of iOS have no minus, so a number that may be negative gets the full keyboard. */
function keypadFor({ integer, minimum, exclusiveMinimum }: NumberField): 'numeric' | 'decimal' | undefined {
  if ((minimum ?? exclusiveMinimum ?? -1) < 0) return undefined;
  return integer ? 'numeric' : 'decimal';
}
