/**
 * The fields of a form, whichever schema describes it. `read-json-schema.ts` and `read-fields.ts` create them; what a form does
 * with them is in `kinds/`, one file for each kind.
 */
import type { JsonValue } from '../../../shared/json.ts';
import type { FieldOption } from '../../text/read-options.ts';

interface FieldBase {
  readonly label: string;
  /** As the agent sent it. `hintOf` makes it safe to show. */
  readonly description?: string | undefined;
  /** A line of the kit itself, below the description: the value before a change. */
  readonly note?: string | undefined;
  /** The value must be present. Only properties of an object can be absent. */
  readonly required: boolean;
  /** A required field that is left empty has the value `null`. */
  readonly nullable?: boolean | undefined;
  readonly defaultValue?: JsonValue | undefined;
  /** The control masks the value if it can. The value is not saved, and not shown after it was sent. */
  readonly secret?: boolean | undefined;
  /** The field asks for a secret though it must not: shown with a warning, and not like a regular password field. */
  readonly suspect?: boolean | undefined;
}

export type TextFormat =
  | 'plain'
  | 'email'
  | 'uri'
  | 'date'
  | 'date-time'
  | 'time'
  | 'tel'
  | 'secret'
  | 'multiline';

export interface TextField extends FieldBase {
  readonly kind: 'text';
  readonly format: TextFormat;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** Source of a regular expression. */
  readonly pattern?: string | undefined;
  /** A time of day has to have an offset (RFC 3339). */
  readonly needsOffset?: boolean | undefined;
  readonly placeholder?: string | undefined;
  /** The limits of a date or a time, as the schema writes them. */
  readonly earliest?: string | undefined;
  readonly latest?: string | undefined;
  /** The value of the `autocomplete` attribute. */
  readonly autoComplete?: string | undefined;
}

export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly integer: boolean;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
  readonly placeholder?: string | undefined;
  /** The code of the currency of an amount, such as `EUR`. */
  readonly currency?: string | undefined;
  readonly unit?: string | undefined;
  /** The property beside it that names the currency, and its place in the group. */
  readonly currencyFrom?: { readonly index: number; readonly field: FormField } | undefined;
}

/** A whole number out of a few, such as a rating. */
export interface ScaleField extends FieldBase {
  readonly kind: 'scale';
  /** In ascending order. */
  readonly values: readonly number[];
  /** The words of the first and of the last value. */
  readonly low?: string | undefined;
  readonly high?: string | undefined;
}

export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
}

export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly options: readonly FieldOption[];
  /** The control that the schema names. Default: by the number of options. */
  readonly control?: 'radio' | 'select' | undefined;
}

export interface MultiChoiceField extends FieldBase {
  readonly kind: 'multi-choice';
  readonly options: readonly FieldOption[];
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

/**
 * Files, which are uploaded as soon as they are chosen. The value is a `FileReference`, or a list of them with
 * `multiple`.
 */
export interface FileField extends FieldBase {
  readonly kind: 'file';
  readonly multiple: boolean;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  /** The `accept` attribute of the input: `'image/*,.pdf'`. */
  readonly accept?: string | undefined;
  /** Maximum size of one file in bytes. */
  readonly maxSize?: number | undefined;
}

/** A value with no alternative. The form shows it; an optional one has a checkbox. */
export interface ConstantField extends FieldBase {
  readonly kind: 'constant';
  readonly value: JsonValue;
}

/** A value that a person sees and cannot change. */
export interface FixedField extends FieldBase {
  readonly kind: 'fixed';
  /** JSON Schema of the value, which says how people read it. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface GroupField extends FieldBase {
  readonly kind: 'group';
  readonly fields: readonly NamedField[];
}

/** A field of a group. `name` is the name of the property in the value. */
export interface NamedField {
  readonly name: string;
  readonly field: FormField;
}

export interface ListField extends FieldBase {
  readonly kind: 'list';
  readonly item: FormField;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
}

export interface RecordField extends FieldBase {
  readonly kind: 'record';
  readonly item: FormField;
}

export interface UnionField extends FieldBase {
  readonly kind: 'union';
  readonly variants: readonly FormField[];
}

/** A part without a widget, entered as JSON. */
export interface JsonField extends FieldBase {
  readonly kind: 'json';
}

export type FormField =
  | TextField
  | NumberField
  | ScaleField
  | BooleanField
  | ChoiceField
  | MultiChoiceField
  | FileField
  | ConstantField
  | FixedField
  | GroupField
  | ListField
  | RecordField
  | UnionField
  | JsonField;
