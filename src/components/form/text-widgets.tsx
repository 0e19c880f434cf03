import { type SyntheticEvent, useState } from 'react';
import { Button } from '../primitives/button.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import { FieldFrame } from './field-frame.tsx';
import { type ControlState, useControl } from './form-context.ts';
import type { JsonField, NumberField, TextField, TextFormat } from './form-field.ts';
import { UNREADABLE } from './form-values.ts';

/*
 * These inputs are uncontrolled: a controlled input would lose text that is not a value yet, such as "1e" on the way to a
 * number.
 */

export function TextWidget({ field, name }: { field: TextField; name: string }) {
  const control = useControl(name, field);
  // An input of one line would drop the line breaks of a given value.
  const [hasLines] = useState(field.format === 'plain' && /[\n\r]/.test(control.text));
  const shared = sharedAttributes(field, control);
  return (
    <FieldFrame field={field} control={control}>
      {field.format === 'multiline' || hasLines ? (
        <Slot
          slotName="textarea"
          as="textarea"
          {...shared}
          rows={4}
          onChange={(event) => control.binding.onChange(event.currentTarget.value)}
        />
      ) : (
        <TextInput format={field.format} control={control} shared={shared} />
      )}
    </FieldFrame>
  );
}

/** A pattern of digits alone, such as that of a postal code. */
const DIGITS = /^\^(?:\\d|\[0-9\])(?:\+|\{\d+(?:,\d*)?\})\$$/;

function sharedAttributes(field: TextField, { aria, id, binding, text }: ControlState) {
  return {
    ...aria,
    id,
    ref: binding.ref,
    name: id,
    className: 'hr-input',
    inputMode: DIGITS.test(field.pattern ?? '') ? ('numeric' as const) : undefined,
    defaultValue: text,
    onBlur: binding.onBlur,
    placeholder: field.placeholder === undefined ? undefined : displayText(field.placeholder, 120),
    autoComplete: field.format === 'secret' ? 'new-password' : (field.autoComplete ?? 'on'),
  };
}

/** An input of one line. One for a secret has a button that shows the text. */
function TextInput({
  format,
  control,
  shared,
}: {
  format: Exclude<TextFormat, 'multiline'>;
  control: ControlState;
  shared: ReturnType<typeof sharedAttributes>;
}) {
  const labels = useLabels();
  const [isVisible, setVisible] = useState(false);
  const { binding } = control;
  const isPicker = format === 'date' || format === 'date-time' || format === 'time';
  const update = ({ currentTarget: input }: SyntheticEvent<HTMLInputElement>) => {
    const text = isPicker ? readInput(input) : input.value;
    if (text !== binding.value) binding.onChange(text);
  };
  const input = (
    <Slot
      slotName="input"
      as="input"
      {...shared}
      {...inputAttributes(format)}
      {...(isVisible && { type: 'text' })}
      onChange={update}
      // A browser reports no change for half a date, because the input's value stays empty.
      onKeyUp={isPicker ? update : undefined}
    />
  );
  if (format !== 'secret') return input;
  return (
    <div className="hr-input-row">
      {input}
      <Button onClick={() => setVisible(!isVisible)} aria-controls={control.id}>
        {isVisible ? labels.hideSecret : labels.showSecret}
      </Button>
    </div>
  );
}

function inputAttributes(format: Exclude<TextFormat, 'multiline'>) {
  const code = { autoCapitalize: 'off', spellCheck: false } as const;
  switch (format) {
    case 'plain':
      return { type: 'text' } as const;
    case 'email':
      return { type: 'email', inputMode: 'email', ...code } as const;
    case 'uri':
      return { type: 'url', inputMode: 'url', ...code } as const;
    case 'tel':
      return { type: 'tel', inputMode: 'tel' } as const;
    case 'secret':
      return { type: 'password', ...code } as const;
    case 'date':
      return { type: 'date' } as const;
    case 'date-time':
      return { type: 'datetime-local', step: 'any' } as const;
    case 'time':
      return { type: 'time', step: 'any' } as const;
    default:
      return format satisfies never;
  }
}

/** The number pads of iOS have no minus, so a number that may be negative gets the full keyboard. */
function keypadFor({ integer, minimum, exclusiveMinimum }: NumberField): 'numeric' | 'decimal' | undefined {
  if ((minimum ?? exclusiveMinimum ?? -1) < 0) return undefined;
  return integer ? 'numeric' : 'decimal';
}

function readInput({ validity, value }: HTMLInputElement): string {
  return validity.badInput ? UNREADABLE : value;
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

export function NumberWidget({ field, name }: { field: NumberField; name: string }) {
  const control = useControl(name, field);
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

export function JsonWidget({ field, name }: { field: JsonField; name: string }) {
  const labels = useLabels();
  const control = useControl(name, field);
  const { binding } = control;
  const description = joinWords(field.description, labels.jsonNote);
  return (
    <FieldFrame field={{ ...field, description }} control={control}>
      <Slot
        slotName="textarea"
        as="textarea"
        {...control.aria}
        id={control.id}
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
}
