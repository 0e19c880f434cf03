import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isStandardSchema, readStandardJsonSchema } from '../../../shared/read-standard-json-schema.ts';
import type { FormField, GroupField } from './form-field.ts';
import type { JsonSchema } from './json-schema.ts';
import { readFields } from './read-fields.ts';
import { readJsonSchema } from './read-json-schema.ts';

/** The schema of a form: a Standard Schema (Zod, Valibot, ArkType …), JSON Schema, or a `fields` array. */
export type FormSchema = StandardSchemaV1 | JsonSchema | readonly unknown[];

/** The value that a form submits: the output of a Standard Schema. */
export type FormValue<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : unknown;

/** The fields of a form, and the schema that validates its value. */
export interface FormModel {
  readonly field: FormField;
  readonly validate: StandardSchemaV1 | undefined;
  /** Number of fields that the form leaves out because it does not understand them. */
  readonly skipped: number;
  /** Properties that ask for a secret though the server must not; they are redacted. `all`: the whole value is. */
  readonly suspects?: readonly string[] | 'all';
}

/**
 * Reads a schema of any kind. It never throws: a Standard Schema that cannot describe itself gives one JSON field, and
 * still validates the value.
 */
export function readSchema(schema: FormSchema): FormModel {
  if (isFieldList(schema)) return { ...readFields(schema), validate: undefined };
  return {
    field: readJsonSchema(describeSchema(schema), { label: '', required: true }, isStandardSchema(schema)),
    validate: isStandardSchema(schema) ? schema : undefined,
    skipped: 0,
  };
}

/** Returns JSON Schema or the `fields` array, or `undefined` for a Standard Schema that cannot describe itself. */
export function describeSchema(schema: FormSchema): unknown {
  return isStandardSchema(schema) ? readStandardJsonSchema(schema, 'input', zodOptions) : schema;
}

/** Returns true for a schema whose form has fields, and not only a JSON editor. */
export function describesItself(schema: FormSchema | undefined): schema is FormSchema {
  return schema !== undefined && describeSchema(schema) !== undefined;
}

/**
 * Describes `z.coerce.date()` as a date and time, because it parses text. `z.date()` takes only a `Date`, which a person
 * cannot type and JSON cannot carry, so it gives a JSON field.
 */
const zodOptions = {
  override({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }) {
    const { type, coerce } = (zodSchema as { _zod: { def: { type: string; coerce?: boolean } } })._zod.def;
    if (type === 'date' && coerce === true)
      Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  },
};

function isFieldList(schema: FormSchema): schema is readonly unknown[] {
  return Array.isArray(schema);
}

/** Returns the only property of a group, or undefined if the group has another number of properties. */
export function onlyProperty(field: FormField): GroupField['fields'][number] | undefined {
  return field.kind === 'group' && field.fields.length === 1 ? field.fields[0] : undefined;
}
