import type { JsonValue } from '../../../shared/json.ts';
import type { FormField } from '../schema/form-field.ts';
import type { FieldKind } from './field-kind.ts';
import { asText, type FormValues } from './form-values.ts';
import { ABSENT, addIssue, type Read, type ReadContext } from './read-context.ts';

type LeafKind<Field extends FormField> = Pick<
  FieldKind<Field>,
  'create' | 'read' | 'nameVariant' | 'Widget'
> &
  Partial<FieldKind<Field>>;

/**
 * Completes a kind of field that has one control and no fields inside. Its form value is a text. A guarded form marks it as
 * suspect, unless the kind says that a person cannot type into it.
 */
export function leafKind<Field extends FormField>(own: LeafKind<Field>): FieldKind<Field> {
  return {
    copy: (_field, values) => asText(values),
    firstControl: (_field, _values, name) => name,
    locate: ({ label }, _values, _path, name) => ({ name, label }),
    guard: (field, asked) => (asked === undefined ? field : { ...field, secret: true, suspect: true }),
    limit: (field) => field,
    parts: () => [],
    ...own,
  };
}

/** The value of a text, or why it is refused; a refused text that can be read has its value too. */
export type Checked =
  | { readonly value: JsonValue }
  | {
      readonly message: string;
      readonly value?: JsonValue;
      /** Only the pattern refuses it. */
      readonly byPattern?: boolean;
    };

interface LeafRules {
  /** Checks a text that is not blank. */
  readonly check: (text: string) => Checked;
  /** Says what to do in an empty control: a date is entered, an option is chosen. */
  readonly missing: string;
  /** The value of a required field that was left empty. Default: none. */
  readonly empty?: JsonValue;
}

/** Reads a field with one text. */
export function readLeaf(
  field: FormField,
  values: FormValues | undefined,
  name: string,
  context: ReadContext,
  { check, missing, empty }: LeafRules,
): Read {
  const text = typeof values === 'string' ? values : '';
  if (text.trim() === '') {
    if (field.nullable === true && (field.required || field.defaultValue === null)) return null;
    if (!field.required) return ABSENT;
    addIssue(context, name, field, missing, empty === undefined ? 'no-value' : undefined);
    return empty ?? ABSENT;
  }
  const checked = check(text);
  if ('message' in checked) {
    const basis =
      checked.byPattern === true ? 'pattern' : checked.value === undefined ? 'no-value' : undefined;
    addIssue(context, name, field, checked.message, basis);
  }
  return checked.value === undefined ? ABSENT : checked.value;
}
