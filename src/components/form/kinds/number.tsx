import { type KeyboardEvent, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { isComposing } from '../../../shared/is-composing.ts';
import { currencySign, formatNumber } from '../../arguments/format-number.ts';
import { joinWords } from '../../primitives/join-words.ts';
import { Slot } from '../../primitives/slot.tsx';
import { displayText } from '../../text/safe-text.ts';
import type { NumberField } from '../schema/form-field.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { type ControlState, hintOf, useControl, useFormScope } from './form-context.ts';
import { groupKey } from './form-values.ts';
import { type Checked, leafKind, readLeaf } from './leaf-kind.ts';
import { readNumber, toNumberText, writeNumber } from './number-text.ts';
import { type FormRoomLabels, useFormLabels } from './use-form-labels.ts';

export const numberKind: FieldKind<NumberField> = /* @__PURE__ */ leafKind({
  create: (_field, value) => (typeof value === 'number' && Number.isFinite(value) ? toNumberText(value) : ''),
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

/** Checks a text that is not blank. */
function checkNumber(field: NumberField, text: string, labels: FormRoomLabels): Checked {
  const read = readNumber(text, labels.locale, field.currency);
  if ('refused' in read)
    return { message: read.refused === 'ambiguous' ? labels.ambiguousNumber : labels.notNumber };
  const { value } = read;
  if (!Number.isFinite(value)) return { message: labels.notNumber };
  const message = checkLimits(field, value, labels);
  return message === undefined ? { value } : { message, value };
}

function checkLimits(field: NumberField, value: number, labels: FormRoomLabels): string | undefined {
  const { integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
  const write = writer(field, labels);
  if (integer && !Number.isSafeInteger(value)) return labels.notInteger;
  if (minimum !== undefined && value < minimum) return labels.tooSmall(write(minimum));
  if (maximum !== undefined && value > maximum) return labels.tooLarge(write(maximum));
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return labels.above(write(exclusiveMinimum));
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return labels.below(write(exclusiveMaximum));
  return multipleOf === undefined || isMultiple(value, multipleOf)
    ? undefined
    : labels.notMultiple(write(multipleOf));
}

/** Returns a function that writes a limit, with the currency or the unit of the field. */
function writer(field: NumberField, { locale }: FormRoomLabels): (limit: number) => string {
  const isMeasured = field.currency !== undefined || field.unit !== undefined;
  return (limit) => (isMeasured ? formatNumber(limit, field, locale) : writeNumber(limit, locale));
}

/** Tolerates rounding: for people 0.3 is a multiple of 0.1, in floating-point arithmetic it is not. */
function isMultiple(value: number, step: number): boolean {
  if (!(step > 0)) return true;
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

/** Says the limits before the person breaks them, such as "1 to 5". Steps of cents, and that a price is above 0, go without saying. */
function describeLimits(field: NumberField, labels: FormRoomLabels): string | undefined {
  const { currency, unit, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
  const write = writer(field, labels);
  const isRange = minimum !== undefined && maximum !== undefined;
  const isMeasured = currency !== undefined || unit !== undefined;
  return joinWords(
    isRange && !isMeasured && labels.numberRange(write(minimum), write(maximum)),
    isRange && isMeasured && labels.valueRange(write(minimum), write(maximum)),
    !isRange && minimum !== undefined && labels.hintFrom(write(minimum)),
    !isRange && maximum !== undefined && labels.hintUpTo(write(maximum)),
    exclusiveMinimum !== undefined && exclusiveMinimum !== 0 && labels.hintAbove(write(exclusiveMinimum)),
    exclusiveMaximum !== undefined && labels.hintBelow(write(exclusiveMaximum)),
    multipleOf !== undefined && !(currency && multipleOf < 1) && labels.notMultiple(write(multipleOf)),
  );
}

/** The currency that a sibling names. */
function useSiblingCurrency({ currencyFrom }: NumberField, name: string, inner: WidgetProps['inner']) {
  const labels = useFormLabels();
  const { control } = useFormScope();
  const group = name.replace(/\.[^.]*$/, '');
  const values = useWatch({
    control,
    name: currencyFrom === undefined ? name : `${group}.${groupKey(currencyFrom.index)}`,
  });
  if (currencyFrom === undefined) return undefined;
  const code = inner.read(currencyFrom.field, values, '', { labels, issues: [] });
  return typeof code === 'string' && /^[a-z]{3}$/i.test(code) ? code : undefined;
}

/**
 * The input is a text: browsers drop the comma from `<input type="number">` in a page whose language has a decimal point, and `1,5` becomes 15.
 * It is uncontrolled: a controlled one would lose text that is not a number yet, such as "1e". When it is left, the number appears as it
 * was understood.
 */
function NumberWidget({ field: given, name, inner }: WidgetProps<NumberField>) {
  const labels = useFormLabels();
  const currency = useSiblingCurrency(given, name, inner) ?? given.currency;
  const field = { ...given, currency };
  const control = useControl(name, field, hintOf(field, describeLimits(field, labels)));
  const sign = currencySign(currency, labels.locale);
  const input = <NumberInput field={field} control={control} />;
  return (
    <FieldFrame field={field} control={control}>
      {sign === undefined && field.unit === undefined ? (
        input
      ) : (
        // The hint has the amounts with their currency or unit.
        <div className="hr-measured" data-money={sign === undefined ? undefined : ''}>
          {sign !== undefined && <span aria-hidden="true">{sign}</span>}
          {input}
          {sign === undefined && <span aria-hidden="true">{displayText(field.unit ?? '', 20)}</span>}
        </div>
      )}
    </FieldFrame>
  );
}

function NumberInput({ field, control }: { field: NumberField; control: ControlState }) {
  const labels = useFormLabels();
  const { binding } = control;
  const [initial] = useState(() => complete(field, control.text, labels));
  const write = (input: HTMLInputElement, text: string) => {
    if (text === input.value) return;
    input.value = text;
    binding.onChange(text);
  };
  const step = (event: KeyboardEvent<HTMLInputElement>) => {
    const next = isComposing(event.nativeEvent) ? undefined : toNextNumber(field, event, labels);
    if (next === undefined) return;
    event.preventDefault();
    write(event.currentTarget, next);
  };
  return (
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
        : {
            type: 'text',
            role: 'spinbutton',
            ...describeValue(field, control.text, labels),
            autoComplete: field.suspect ? 'off' : undefined,
            onKeyDown: step,
          })}
      inputMode={keypadFor(field)}
      placeholder={field.placeholder}
      defaultValue={initial}
      onBlur={({ currentTarget }) => {
        write(currentTarget, complete(field, currentTarget.value, labels));
        binding.onBlur();
      }}
      onChange={(event) => binding.onChange(event.currentTarget.value)}
    />
  );
}

/** Returns the text as it was understood: with the decimal mark of the locale, and an amount with all of its digits. */
function complete({ currency, secret }: NumberField, text: string, { locale }: FormRoomLabels): string {
  const read = readNumber(text, locale, currency);
  const isPlain = !/e/i.test(text) && secret !== true;
  return 'value' in read && isPlain ? writeNumber(read.value, locale, currency) : text;
}

/** Tells assistive technology of a number and its limits. */
function describeValue(field: NumberField, text: string, labels: FormRoomLabels) {
  const read = readNumber(text, labels.locale, field.currency);
  return {
    'aria-valuenow': 'value' in read && field.secret !== true ? read.value : undefined,
    'aria-valuemin': field.minimum ?? field.exclusiveMinimum,
    'aria-valuemax': field.maximum ?? field.exclusiveMaximum,
  };
}

/** Returns the text of the next number for the arrow keys, or undefined for any other key. */
function toNextNumber(
  { minimum, maximum, multipleOf, currency }: NumberField,
  { key, currentTarget, altKey, ctrlKey, metaKey }: KeyboardEvent<HTMLInputElement>,
  { locale }: FormRoomLabels,
): string | undefined {
  if ((key !== 'ArrowUp' && key !== 'ArrowDown') || altKey || ctrlKey || metaKey) return undefined;
  const read = readNumber(currentTarget.value || '0', locale, currency);
  if ('refused' in read) return undefined;
  // An amount goes up by whole euros, whatever its smallest part is.
  const step = multipleOf === undefined || (currency !== undefined && multipleOf < 1) ? 1 : multipleOf;
  const next = read.value + (key === 'ArrowUp' ? step : -step);
  const limited = Math.min(Math.max(next, minimum ?? -Infinity), maximum ?? Infinity);
  // Without the digits that floating-point arithmetic adds: 0.1 + 0.2 is 0.3.
  return writeNumber(Number(limited.toPrecision(15)), locale, currency);
}

/** The number pads of iOS have no minus, so a number that may be negative gets the full keyboard. */
function keypadFor({ integer, minimum, exclusiveMinimum }: NumberField): 'numeric' | 'decimal' | undefined {
  if ((minimum ?? exclusiveMinimum ?? -1) < 0) return undefined;
  return integer ? 'numeric' : 'decimal';
}
