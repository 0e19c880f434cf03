/**
 * What a form is made of, whatever it was described with: a Zod or other Standard Schema, JSON Schema, or a
 * `fields` array. Readers (`read-json-schema.ts`, `read-fields.ts`) make this, widgets show it, `read-draft.ts`
 * turns what was typed back into a value.
 */
import type { JsonValue } from '../../shared/json.ts';

interface FieldBase {
  readonly label: string;
  readonly description?: string | undefined;
  /** The value has to be there. Only in an object can one be left out. */
  readonly required: boolean;
  /** Left empty and required, the value is `null`. */
  readonly nullable?: boolean | undefined;
  readonly defaultValue?: JsonValue | undefined;
  /** Masked where the control can, kept nowhere, and shown nowhere after it was sent. */
  readonly secret?: boolean | undefined;
  /** Asks for a secret where none may be asked for: not masked as if it were in order, but shown with a warning. */
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
  readonly placeholder?: string | undefined;
  /** The `autocomplete` word, where the field's name or format is one a browser knows. */
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
}

export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
}

/** Options keep their JSON value; the form works with their position. */
export interface FieldOption {
  readonly value: JsonValue;
  readonly label: string;
  readonly description?: string | undefined;
}

export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly options: readonly FieldOption[];
  /** The control that was asked for; by the number of options where none was. */
  readonly control?: 'radio' | 'select' | undefined;
}

export interface MultiChoiceField extends FieldBase {
  readonly kind: 'multi-choice';
  readonly options: readonly FieldOption[];
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

/** Files, uploaded while the form is filled in. The value is a `FileReference`, with `multiple` a list of them. */
export interface FileField extends FieldBase {
  readonly kind: 'file';
  readonly multiple: boolean;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  /** As the `accept` of an input: `'image/*,.pdf'`. */
  readonly accept?: string | undefined;
  /** Bytes of one file. */
  readonly maxSize?: number | undefined;
}

/** A value that cannot be anything else. Shown; asked only where it may be left out. */
export interface ConstantField extends FieldBase {
  readonly kind: 'constant';
  readonly value: JsonValue;
}

export interface GroupField extends FieldBase {
  readonly kind: 'group';
  readonly fields: readonly NamedField[];
}

/** A field of a group: `name` is the property's name in the value. */
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

/** What has no widget: typed in as JSON. */
export interface JsonField extends FieldBase {
  readonly kind: 'json';
}

export type FormField =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | MultiChoiceField
  | FileField
  | ConstantField
  | GroupField
  | ListField
  | RecordField
  | UnionField
  | JsonField;
