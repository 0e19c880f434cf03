import type { Labels } from '../text/labels.ts';
import type { FormField, NumberField } from './form-field.ts';

/** Returns the text below a field: its description, then its limits. Undefined for a field with neither. */
export function readHint(field: FormField, labels: Labels): string | undefined {
  const lines = [field.description, describeLimits(field, labels)].filter((line) => line !== undefined);
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** Says the limits of a field before the person breaks them, such as "1 to 5". */
function describeLimits(field: FormField, labels: Labels): string | undefined {
  switch (field.kind) {
    case 'number':
      return describeNumbers(field, labels);
    case 'text':
      return field.maxLength === undefined ? undefined : labels.upToCharacters(field.maxLength);
    default:
      return undefined;
  }
}

function describeNumbers(field: NumberField, labels: Labels): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
  const isRange = minimum !== undefined && maximum !== undefined;
  const parts = [
    isRange ? labels.numberRange(minimum, maximum) : undefined,
    !isRange && minimum !== undefined ? labels.tooSmall(minimum) : undefined,
    !isRange && maximum !== undefined ? labels.tooLarge(maximum) : undefined,
    exclusiveMinimum === undefined ? undefined : labels.above(exclusiveMinimum),
    exclusiveMaximum === undefined ? undefined : labels.below(exclusiveMaximum),
    multipleOf === undefined ? undefined : labels.notMultiple(multipleOf),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' ');
}
