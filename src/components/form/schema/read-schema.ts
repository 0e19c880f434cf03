import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isStandardSchema } from '../../../shared/read-standard-json-schema.ts';
import { describeSchema, type FormSchema } from './describe-schema.ts';
import type { FormField, GroupField } from './form-field.ts';
import { readFields } from './read-fields.ts';
import { readJsonSchema } from './read-json-schema.ts';

export type { FormSchema };

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

function isFieldList(schema: FormSchema): schema is readonly unknown[] {
  return Array.isArray(schema);
}

/** Returns the only property of a group, or undefined if the group has another number of properties. */
export function onlyProperty(field: FormField): GroupField['fields'][number] | undefined {
  return field.kind === 'group' && field.fields.length === 1 ? field.fields[0] : undefined;
}
