import type { Labels } from '../text/labels.ts';
import type { Checked } from './check-text.ts';
import type { NumberField } from './form-field.ts';

/** Checks what was typed in a number field. Never called with blank text. */
export function checkNumber(field: NumberField, text: string, labels: Labels): Checked {
  const value = Number(text.trim().replace(',', '.'));
  if (!Number.isFinite(value)) return { message: labels.notNumber };
  const message = judge(field, value, labels);
  return message === undefined ? { value } : { message, value };
}

function judge(
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

/** 0.3 is a multiple of 0.1 to people, though not to floating-point arithmetic. */
function isMultiple(value: number, step: number): boolean {
  if (!(step > 0)) return true;
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}
