import type { Labels } from '../text/labels.ts';
import type { Checked } from './check-text.ts';
import type { NumberField } from './form-field.ts';

/** Checks what was typed in a number field. Never called with blank text. */
export function checkNumber(field: NumberField, text: string, labels: Labels): Checked {
  const value = Number(text.trim().replace(',', '.'));
  if (!Number.isFinite(value)) return { message: labels.notNumber };
  if (field.integer && !Number.isSafeInteger(value)) return { message: labels.notInteger };
  if (field.minimum !== undefined && value < field.minimum)
    return { message: labels.tooSmall(field.minimum) };
  if (field.maximum !== undefined && value > field.maximum)
    return { message: labels.tooLarge(field.maximum) };
  if (field.exclusiveMinimum !== undefined && value <= field.exclusiveMinimum) {
    return { message: labels.above(field.exclusiveMinimum) };
  }
  if (field.exclusiveMaximum !== undefined && value >= field.exclusiveMaximum) {
    return { message: labels.below(field.exclusiveMaximum) };
  }
  if (field.multipleOf !== undefined && !isMultiple(value, field.multipleOf)) {
    return { message: labels.notMultiple(field.multipleOf) };
  }
  return { value };
}

/** 0.3 is a multiple of 0.1 to people, though not to floating-point arithmetic. */
function isMultiple(value: number, step: number): boolean {
  if (!(step > 0)) return true;
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}
