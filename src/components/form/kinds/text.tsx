import { type SyntheticEvent, useState } from 'react';
import { Button } from '../../primitives/button.tsx';
import { EyeIcon, LockIcon } from '../../primitives/icons.tsx';
import { Slot } from '../../primitives/slot.tsx';
import { displayText } from '../../text/safe-text.ts';
import type { TextField, TextFormat } from '../schema/form-field.ts';
import { checkFormat, checkText, describeTimeLimits } from './check-text.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { type ControlState, hintOf, useControl } from './form-context.ts';
import { readInput } from './form-values.ts';
import { LargeText } from './large-text.tsx';
import { leafKind, readLeaf } from './leaf-kind.ts';
import { padHour, toLocalDateTime, toLocalTime } from './local-times.ts';
import { type FormRoomLabels, useFormLabels } from './use-form-labels.ts';

/** Lines of a text. A browser takes a second to lay out 50,000 of them in a text area. JSON has them all in one line. */
const MAX_LINES = 2_000;

export const textKind: FieldKind<TextField> = /* @__PURE__ */ leafKind({
  create(field, value) {
    if (typeof value !== 'string') return '';
    if (field.format === 'time') return toLocalTime(padHour(value));
    return field.format === 'date-time' ? toLocalDateTime(value) : value;
  },
  read(field, values, name, context) {
    const { labels } = context;
    return readLeaf(field, values, name, context, {
      check: (text) => checkText(field, text, labels),
      missing: checkFormat(field.format, '', labels) ?? labels.required,
      empty: '',
    });
  },
  guard(field, asked) {
    const isFree = field.format === 'plain' || field.format === 'multiline';
    if (asked === undefined || (asked === 'around' && !isFree)) return field;
    const format = field.format === 'secret' ? 'plain' : field.format;
    return { ...field, format, autoComplete: 'off', secret: true, suspect: true };
  },
  limit: (field, value, _budget, inner) =>
    typeof value === 'string' && value.split('\n').length > MAX_LINES ? inner.toJson(field) : field,
  nameVariant: (_field, labels) => labels.kindNames.text,
  Widget: TextWidget,
});

/** The inputs are uncontrolled: a controlled one would lose text that is not a value yet, such as half a date. */
export function TextWidget({ field, name }: Pick<WidgetProps<TextField>, 'field' | 'name'>) {
  const labels = useFormLabels();
  const limit = field.maxLength === undefined ? undefined : labels.upToCharacters(field.maxLength);
  const hint = hintOf(field, limit, describeTimeLimits(field, labels), secretNote(field, labels));
  const control = useControl(name, field, hint);
  // An input of one line would drop the line breaks of a given value.
  const [hasLines] = useState(field.format === 'plain' && /[\n\r]/.test(control.text));
  const renderControl = (autoFocus: boolean) => {
    const shared = sharedAttributes(field, control, autoFocus);
    return (
      <FieldFrame field={field} control={control} mark={field.format === 'secret' ? <LockIcon /> : undefined}>
        {field.format === 'multiline' || hasLines ? (
          <Slot
            slotName="textarea"
            as="textarea"
            {...shared}
            rows={4}
            onChange={(event) => control.binding.onChange(event.currentTarget.value)}
          />
        ) : (
          <TextInput field={field} format={field.format} control={control} shared={shared} />
        )}
      </FieldFrame>
    );
  };
  return <LargeText field={field} control={control} renderControl={renderControl} />;
}

/** A pattern of digits alone, such as that of a postal code. */
const DIGITS = /^\^(?:\\d|\[0-9\])(?:\+|\{\d+(?:,\d*)?\})\$$/;

function sharedAttributes(field: TextField, { aria, id, binding, text }: ControlState, autoFocus: boolean) {
  return {
    ...aria,
    id,
    autoFocus,
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
  field,
  format,
  control,
  shared,
}: {
  field: TextField;
  format: Exclude<TextFormat, 'multiline'>;
  control: ControlState;
  shared: ReturnType<typeof sharedAttributes>;
}) {
  const labels = useFormLabels();
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
      {...(isPicker && toPickerLimits(field))}
      {...(isVisible && { type: 'text' })}
      onChange={update}
      // A browser reports no change for half a date, because the input's value stays empty.
      onKeyUp={isPicker ? update : undefined}
    />
  );
  if (format !== 'secret') return input;
  return (
    <div className="hr-secret">
      {input}
      <Button
        look="icon"
        label={isVisible ? labels.hideSecret : labels.showSecret}
        onClick={() => setVisible(!isVisible)}
        aria-controls={control.id}
      >
        <EyeIcon isOpen={!isVisible} />
      </Button>
    </div>
  );
}

/** Says where a secret goes, to which people would else have to trust. */
function secretNote({ format }: TextField, labels: FormRoomLabels): string | undefined {
  return format === 'secret' ? labels.secretNote(globalThis.location?.host ?? '') : undefined;
}

/** The limits for the control of a browser, which offers no other days. */
function toPickerLimits({ format, earliest, latest }: TextField) {
  const toControl = format === 'time' ? toLocalTime : format === 'date-time' ? toLocalDateTime : String;
  return {
    min: earliest === undefined ? undefined : toControl(earliest),
    max: latest === undefined ? undefined : toControl(latest),
  };
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
